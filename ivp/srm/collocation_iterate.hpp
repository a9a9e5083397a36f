#pragma once
// One step of one iterate of a sequential regularization, by collocation:
//
//   Z_j = h sum_l a_jl F(x + Z_l, t + c_l h; y_{s-1}(t + c_l h)),   x(t + h) = x + sum_j d_j Z_j
//
// y_{s-1} is stored at the stages, where iterate s - 1 formed it from its own stage values. At the
// end of the step it is that of the last stage (Radau), or formed by each iterate at its x(t + h)
// (Gauss). F contains 1/epsilon: with Radau h may be much larger than epsilon.   [AL1] 4.1, [AL2]

#include <vector>

#include "ivp/one_step/collocation_accuracy.hpp"
#include "ivp/one_step/stage_newton.hpp"
#include "ivp/srm/srm_iterate.hpp"

namespace daewave::ivp {

/// The stages, and the end of the step where that is none.
std::vector<double> points_of(const Collocation& scheme);

/// Of order 2k - 1 (Radau) or 2k (Gauss) in x for h << epsilon; for h >> epsilon that of the
/// formula for a DAE, k for Radau. An odd number of stages has an error estimate.
class CollocationIterate final : public SrmIterate {
 public:
  /// The problem is kept by reference.
  /// @param estimate  false for a fixed step. Stages are solved to rounding in both cases.
  CollocationIterate(RegularizedOde& ode, const Collocation& scheme, const Tolerance& tolerance,
                     bool estimate);

  bool start(double t, const VecX& x, const VecX& before, IterateState& at) override;
  bool advance(const IterateStep& step, IterateState& to, VecX* after) override;
  double error(const IterateStep& step, const IterateState& to) override;
  /// Asks for a shorter step where Newton's method did not converge.
  double refused() const override;
  void accept(double h) override;

  /// The collocation polynomial.
  void interpolate(const IterateStep& taken, const IterateState& to, double theta,
                   VecX& out) override;
  int dense_degree() const override { return newton_.scheme().stages; }
  /// As CollocationStep::solved_degree(), but for Gauss in fixed steps, which may be long beside
  /// epsilon: what is off the constraints turns its sign from end to end there, is no less in a
  /// shorter step, and least at the stages, through which the polynomial passes.
  int solved_degree() const override;
  bool solve_inside(const IterateStep& step, double theta, VecX& x, VecX* after) override;
  /// The polynomial through y at the begin, the stages and the end, O(h^(k+1)). Away from the
  /// stages the collocation polynomial of x is not as close to the constraints, and 1/epsilon would
  /// enlarge that.
  bool carried_at(const IterateStep& taken, const IterateState& to, double t, const VecX& x,
                  const VecX* before, VecX& carried) override;

  /// Of the step taken last, with h fixed: what Newton's method goes on with.
  VecX kept() const override { return newton_.kept(); }
  void take_up(const VecX& kept) override { newton_.take_up(kept); }

  int error_order() const override { return accuracy_.estimates ? newton_.scheme().stages : 0; }
  Control control() const override { return collocation_control(); }
  bool gives_up_early() const override { return true; }

  const StageNewton& newton() const { return newton_; }

 private:
  bool solve_stages(StageNewton& newton, const IterateStep& step);
  bool leave_at_stages(const StageNewton& newton, const IterateStep& step, VecX* after);
  bool differentiate(double h, double t, const VecX& x, const VecX& before, const VecX& slope,
                     MatX& J);
  bool find_inside(const IterateStep& taken, const IterateState& to);

  CollocationAccuracy accuracy_;
  StageNewton newton_;
  StageNewton solved_inside_;               ///< Of steps to times inside of the one taken last.
  double between_ = 0, trial_between_ = 0;  ///< Errors of their polynomials, 1 the tolerance.
  VecX error_, weight_;
  bool reliable_ = false;           ///< The step before was accepted.
  bool diverged_ = false;           ///< Of a failure: Newton's method did not converge.
  std::vector<double> nodes_of_y_;  ///< 0, 1 and the stages inside, in units of h.
  std::vector<VecX> inside_;        ///< y_s at those stages.
  bool inside_known_ = false;
};

}  // namespace daewave::ivp
