#pragma once
// How large the changes of Newton's iteration for the stages of an implicit step are, how fast they
// shrink, and whether what is left of the error is small enough.                     [HW2] IV.8

#include "core/types.hpp"
#include "ivp/one_step/contraction.hpp"
#include "ivp/one_step/stage_transform.hpp"

namespace daewave::ivp {

/// When the stages are good enough.
struct NewtonGoal {
  /// To rounding of the largest values seen so far: for a fixed step, whose error nothing else
  /// knows. Otherwise the root mean square of dZ / `weight` counts.
  bool rounding = true;
  double error = 1e-15;  ///< Estimated error of Z that is accepted, in these units.
  bool coupled = true;   ///< A Jacobian for each stage, where one for the step does not do.
  bool filters = false;  ///< estimate() will be called, and needs the Jacobian of the step.
};

class NewtonConvergence {
 public:
  NewtonConvergence(const NewtonGoal& goal, int stages);

  /// Begins anew with a state of n.
  void start(int n);
  /// A step from x begins.
  void begin_step(const VecX& x);
  /// An iteration begins; what is known of its speed is that of the one before.
  void begin_iteration();
  /// Speeds of long ago count for less.
  void forget();

  // The size of what changes: first of all stages, then of each.
  void begin_stages();
  void see_stage(const VecX& X);
  /// Root mean square of dZ / weight, or the largest |dZ| relative to what was seen.
  double size_of(const StageRow<VecX>& dZ, const VecX& weight) const;

  /// The rate of convergence from two changes, and its mean with that of two before. False at the
  /// first change, which tells nothing.
  bool measure(double change, int iteration);
  /// After `measure`.
  bool stays() const { return rate_ >= 0.99; }
  /// Most iterations would leave too large an error.
  bool too_slow(double change, int iteration) const;
  /// What the next changes would add is small enough.
  bool good(double change) const { return contraction_ * change <= goal_.error; }
  bool at_rounding(double change) const { return goal_.rounding && change <= rounding_level_; }

  const NewtonGoal& goal() const { return goal_; }
  int most_iterations() const { return most_iterations_; }
  double rate() const { return rate_; }  ///< Change by change before.
  double last_change() const { return seen_.change(); }

  // What is kept from step to step.
  const VecX& largest() const { return largest_; }
  VecX& largest() { return largest_; }
  double contraction() const { return contraction_; }
  double& contraction() { return contraction_; }

 private:
  /// To rounding, early rates are not believed: they are of what converges fastest.
  static constexpr double least_contraction_ = 0.02;
  /// Changes that shrink no more are rounding where they are below this.
  static constexpr double rounding_level_ = 1e-10;
  /// Components are resolved relative to their largest value, or to this part of the largest one.
  static constexpr double floor_ = 1e-3;

  NewtonGoal goal_;
  int stages_, most_iterations_;
  VecX largest_, size_;  ///< Largest so far, and with the stages.
  Contraction seen_;
  double contraction_ = 1;  ///< theta / (1 - theta), as last seen.
  double rate_ = 0, rate_before_ = 0;
};

}  // namespace daewave::ivp
