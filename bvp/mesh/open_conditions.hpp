#pragma once
// Whether conditions determine a solution whose error seems to be small: of one that they leave
// open each mesh has another, or none of it.

#include <functional>
#include <utility>

#include "bvp/result/solution.hpp"

namespace daewave::bvp {

class OpenConditions {
 public:
  /// @param solve    on a mesh, from the solution at hand.
  /// @param arranged a mesh with the nodes that any mesh must have.
  OpenConditions(std::function<Solution(const Mesh&, const Solution& from)> solve,
                 std::function<Mesh(const Mesh&)> arranged, int max_intervals)
      : solve_(std::move(solve)), arranged_(std::move(arranged)), max_intervals_(max_intervals) {}

  enum class Found { as_here, otherwise, leave_open, stopped };

  /// Where the mesh does not follow modes that turn as well as their conditions need: whether these
  /// do the same on one that does.
  /// @param turns  of residual/turning_modes.hpp. @param now  warned where that cannot be told.
  /// @param fine   becomes the solution on the last such mesh, where that was needed and is one;
  ///               else one whose report tells why not.
  Found follow(Solution& now, const VecX& turns, Solution& fine) const;

  /// Where they hardly determine a solution, whether they do so alike on two meshes: of what they
  /// leave open, what they do to it grows as errors of meshes shrink, without end.
  /// @param before     another one, or without values.
  /// @param otherwise  their influence by other equations on the mesh of `now`; 0 where it is not
  ///                   known. Asked for where that on the mesh of `before` is not the same.
  /// @param another    a mesh that is not that of `now`, where there is neither.
  bool determine(const Solution& now, const Solution& before,
                 const std::function<double()>& otherwise,
                 const std::function<Mesh()>& another) const;

  /// Whether their influence, in units of the solution, is another one on the next mesh. Of one
  /// that rounding did not let be solved, where that was told of it.
  static bool differ(const Report& last, const Report& next);

  /// What to tell of it.
  static Solution not_determined(Solution last);

 private:
  std::function<Solution(const Mesh&, const Solution& from)> solve_;
  std::function<Mesh(const Mesh&)> arranged_;
  int max_intervals_;
};

}  // namespace daewave::bvp
