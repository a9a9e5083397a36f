#pragma once
// A solution beside two that are known, as a guess at the next; and how far they are apart.

#include <optional>

#include "bvp/curve/curve_of_ranks.hpp"
#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// x of a solution that ranks may share, at times that each of them asks for next.
class SolutionAround {
 public:
  /// All ranks make theirs together.
  explicit SolutionAround(Solution solution);
  /// See CurveAround: all ranks call it, each with its times.
  void attend(double begin, double end);
  VecX x(double t) const;

 private:
  Solution solution_;
  std::optional<CurveAround> around_;  ///< Where it is shared.
};

/// x, x' and what is carried on the line through two solutions, on the mesh of the second.
///
/// @param factor  0: the second one; 1: as far beyond it as the first is before it.
Solution predicted(const Solution& before, const Solution& last, double factor);

/// Mean over interval and components of (a - b) (c - d), each in units of its size, on the mesh of
/// a; all on one interval. All ranks call it.
double product(const Solution& a, const Solution& b, const Solution& c, const Solution& d,
               const VecX& sizes);

}  // namespace daewave::bvp
