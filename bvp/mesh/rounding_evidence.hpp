#pragma once
// Whether rounding alone leaves nothing of a tolerance on any mesh.

#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// What rounding becomes is known to a digit or two, and one mesh may seem to be worse conditioned
/// than all others: so meshes are counted together.
class RoundingEvidence {
 public:
  explicit RoundingEvidence(double tolerance) : tolerance_(tolerance) {}

  /// Of the next mesh. @param carried  what rounding makes of what is carried, in units of sizes.
  void see(const Solution& solution, double carried);
  /// Rounding in units of the tolerance, multiplied over meshes one after the other, is so much
  /// that no mesh helps, whatever errors there are.
  bool is_clear() const { return product_ > clear; }

  /// On several meshes, one after the other, more than the tolerance of what is carried: a coarser
  /// one may have less of it, a finer one has more.
  bool spoils_carried() const { return spoiled_ >= most_spoiled; }

  /// Meshes that are so coarse may only seem to be badly conditioned.
  static bool is_coarse(const Solution& solution) {
    return solution.mesh_of_all().intervals() <= small_mesh;
  }
  /// Intervals of a mesh that costs next to nothing.
  static constexpr int small_mesh = 32;

 private:
  static constexpr double clear = 1e4;
  static constexpr int most_spoiled = 3;

  double tolerance_;
  double product_ = 1;
  int spoiled_ = 0;
};

}  // namespace daewave::bvp
