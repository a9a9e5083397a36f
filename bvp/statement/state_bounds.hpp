#pragma once
// Bounds within which f is defined, as a guard of Newton's method: f is evaluated within them
// alone, wherever x is. Beyond a margin at a bound it is continued along its tangent there,
//
//   f~(x) = f(P x) + sum_j df/dx_j(P x) (x - P x)_j,   P x the nearest point within the margins,
//
// which is f where x keeps within them. On a bound f need not be finite (ln x, 1 / x), or have a
// slope (sqrt x). Margins become narrower from solve to solve, until the solution is within them or
// does not depend on them any more.

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/ranks/mesh_share.hpp"

namespace daewave::bvp {

struct BoundaryProblem;

class StateBounds {
 public:
  /// @param lower, upper  as in a BoundaryProblem of `size` entries of x; either may be empty.
  /// @throws InvalidProblem for another size, or bounds that leave nothing between them.
  StateBounds(const VecX& lower, const VecX& upper, int size);

  int size() const { return static_cast<int>(lower_.size()); }
  /// Entries of x between these are within the margins.
  const VecX& low() const { return low_; }
  const VecX& high() const { return high_; }
  VecX nearest(const VecX& x) const { return x.cwiseMax(low_).cwiseMin(high_); }
  /// A step from there further inside, for a tangent: of an entry, from the lower bound or the
  /// upper one.
  double step_inside(int entry, bool from_lower) const;

  /// Takes margins as parts of the distances of a guess from the bounds. @param guess  columns.
  void look_at(const MatX& guess);
  static constexpr double widest = 1e-2;
  double margin() const { return margin_; }
  /// @return false, and nothing done, where that is narrower than numbers tell.
  bool set_margin(double part);

  // Of a mesh that ranks share all call these, and know what there is to say of the whole.

  /// Whether x at a node or a stage is beyond the margins. @param curve  of x, or more.
  bool is_beyond_margins(const CollocationCurve& curve, const MeshShare& share = {}) const;

  /// Evaluations are counted, from several threads, and those beyond a bound: of an entry, beyond
  /// its lower bound or its upper one.
  void count(int points) const { points_ += points; }
  void count_beyond(int entry, bool lower, int points) const;
  void forget_counts();
  /// The bound that most of them were beyond, "x2 >= 0 held x back at 80 % of the points"; empty
  /// where hardly any were.
  std::string most_active(const MeshShare& share = {}) const;

  /// What there is to say of a solution.
  struct Told {
    std::string left;  ///< It leaves a bound by more than is allowed; else empty.
    std::vector<std::string> on_bound{};  ///< It stays on a bound for an interval and more.
  };
  /// @param allowed  of each component, > 0.
  Told tell(const CollocationCurve& curve, const VecX& allowed, const MeshShare& share = {}) const;

 private:
  std::string name_of(int entry, bool lower) const;

  VecX lower_, upper_;  ///< As they were given; infinite where there is none.
  VecX low_, high_;
  VecX width_of_lower_, width_of_upper_;  ///< Lengths of which margins are parts.
  double margin_ = widest;
  mutable std::atomic<long> points_ = 0;
  mutable std::vector<std::atomic<long>> beyond_;  ///< Lower bounds, then upper ones.
};

/// x at the stages of an interval; one column each.
MatX states_at_stages(const CollocationCurve& curve, int interval);

/// The problem with f~ and r~, all other terms at P x; bounds are shared, and margins may change
/// between evaluations.
DaeProblemPtr within_bounds(DaeProblemPtr problem, std::shared_ptr<const StateBounds> bounds);

/// The same with its integrand at P x.
BoundaryProblem within_bounds(BoundaryProblem problem, std::shared_ptr<const StateBounds> bounds);

}  // namespace daewave::bvp
