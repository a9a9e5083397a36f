#pragma once
// One long step over a configuration in which constraints become dependent, by a Gauss formula with
// projected stages:
//
//   Z_i = z + h sum_j a_ij K_j,   P_i = the state nearest to Z_i with h = 0,   K_i = z'(P_i)
//
// by sweeps over the stages. No stage is near that configuration, so that nothing is divided by
// what vanishes there; and the motion through it is smooth, so that one polynomial has both sides.
// What tells the branch is that polynomial: on another one the stages behind would have to be moved
// by as much as branches are apart, and K would not be smooth.

#include <string>
#include <vector>

#include "core/kkt/kkt.hpp"
#include "core/time/collocation_scheme.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/reduced/reduced_ode.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// Holds the memory: one for each thread.
class SingularWindow {
 public:
  static constexpr int most_stages = 8;

  /// Both are kept by reference. @param constraints  of the same problem.
  SingularWindow(ReducedOde& system, DaeSystem& constraints, const Tolerance& tolerance,
                 double rank_tolerance);

  /// Tries a step from (t, z), on the constraints, of length h.
  /// @param slope   z' there, as well as it is known: the first guess.
  /// @param inside  where the constraints are dependent, in units of h, in [0, 1).
  /// @param pivot   of G at (t, z), of the largest: rounding is divided by it.
  /// @return  its error in units of the tolerance; NaN, with failure(), where it does not lead
  ///          over: no sweeps converge, or what comes out is no smooth motion.
  double solve(double t, const VecX& z, const VecX& slope, double h, double inside, double pivot);

  const VecX& end() const { return end_; }
  /// At t + theta h of the step last solved.
  void interpolate(double theta, VecX& out);
  long evaluations() const { return evaluations_; }
  const std::string& failure() const { return failure_; }

 private:
  const Collocation* formula_for(double inside) const;
  bool project(double t, VecX& z);
  bool sweep(double t, const VecX& z, double h, double& change);
  double weight(int i, double z0, double z1) const;
  double norm(const VecX& error, const VecX& z0, const VecX& z1) const;
  double off_constraints(double t, double h, double inside);
  double fails(std::string why);

  ReducedOde& system_;
  DaeSystem& constraints_;
  Tolerance tolerance_;
  double rank_tolerance_;
  NullSpaceKkt<VecX, VecX> rows_;  ///< Of the constraints, and of what they ask of velocities.
  std::vector<Collocation> formulas_;
  const Collocation* formula_ = nullptr;
  std::vector<VecX> K_, Z_;
  VecX from_, end_, stage_, move_, floor_, h_;
  MatX H_;
  double length_ = 0;
  /// Of corrections to the constraints, the largest over the square of the one before.
  double bend_ = 0;
  double moved_ = 0;  ///< By the projections of the last sweep, in units of the tolerance.
  long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
