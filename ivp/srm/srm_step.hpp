#pragma once
// All iterates of a sequential regularization, step by step: for steps { for iterates }, so that
// storage does not depend on the horizon.                                     [AL1] 4.2, [AL2]
//
// Iterate s needs y_{s-1} at the points of the same step only; that is what one iterate hands to
// the next within a step. Every iterate keeps its own x from step to step.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/report/checkpoint.hpp"
#include "ivp/run/sampled_output.hpp"
#include "ivp/run/step.hpp"
#include "ivp/srm/srm_formula.hpp"

namespace daewave::ivp {

/// y_0(t), or (B y)_0(t) where B y is carried, of the size that y has; empty for zero.
using InitialIterate = std::function<void(double t, VecX& y)>;

/// Its state is that of the last iterate.
///
/// The local error is the largest of all iterates: an error of x_{s-1} enters y_{s-1} divided by
/// epsilon and x_s multiplied by it again, so that no iterate mends what one before it lost.
class SrmStep final : public Step {
 public:
  /// @param iterates  >= 1.
  /// @param estimate  false saves the estimation of errors: attempt() returns 0.
  SrmStep(std::unique_ptr<RegularizedOde> ode, const SrmFormula& formula, int iterates,
          InitialIterate y_0 = {}, const Tolerance& tolerance = {}, bool estimate = false);

  bool start(double t, const VecX& x) override;
  double attempt(double h) override;
  bool accept() override;

  /// Iterate s = 1, 2, ... at t(). @param kept  with all that it goes on with.
  IterateCheckpoint checkpoint(int s, bool kept = true) const;
  /// After start(): brings iterate s to where a run before had it, and all to t.
  void restore(int s, const IterateCheckpoint& from);
  void restore_time(double t);

  // Where the iterates of a run are shared out among several of these steps, the first iterate of
  // one follows the last iterate of another. A wave is what is carried at the points of a step, one
  // behind the other.

  /// Numbers in a wave.
  int wave_size() const { return static_cast<int>(waves_[0].size()) * ode_->carried(); }
  /// Call before start(): y_{s-1} there, and s - 1, of the first iterate s here.
  void follow_from(const VecX& y, int before);
  /// Call before each attempt(): the wave of y_{s-1} in that step, which it copies.
  void follow(const double* wave) { given_ = wave; }
  /// Call before attempt(): where the last iterate is to put its wave; null for nowhere, as at
  /// first.
  void leave(double* wave) { leaves_ = wave; }

  double t() const override { return t_; }
  const VecX& state() const override { return nodes_.back()[now_].x; }
  const VecX& slope() const { return nodes_.back()[now_].slope; }
  /// Iterate s = 1, 2, ... at t().
  const IterateState& iterate(int s) const { return nodes_[static_cast<std::size_t>(s - 1)][now_]; }
  int iterates() const override { return static_cast<int>(nodes_.size()); }

  /// As the formula does for the last iterate.
  void interpolate(double theta, VecX& out) override;
  int dense_degree() const override { return iterates_.back()->dense_degree(); }
  int solved_degree() const override { return iterates_.back()->solved_degree(); }
  /// Where steps are controlled, of all iterates, one after the other, as their steps were; else of
  /// the last iterate alone, with y of the one before from its polynomial through the points of the
  /// step, so that the bits are those of all orders of the loops: what that is off enters x
  /// multiplied by epsilon.
  bool solve_inside(double theta, VecX& out) override;
  bool multiplier(VecX& carried) override;
  bool knows_multiplier_between() const override { return true; }
  /// Between the ends of the step last accepted, at z, which is x there: what was solved for with
  /// it, or is between solutions; where none is, as the formula does for the last iterate.
  bool multiplier_at(double t, const VecX& z, VecX& carried) override;

  Drift drift() override;
  /// Of iterate s, 1..iterates(), as far as it has come.
  Drift drift_of(int s) override;

  int error_order() const override { return iterates_.back()->error_order(); }
  Control control() const override { return iterates_.back()->control(); }
  /// Names the iterate, the equation and the time.
  std::string failure() const override;
  long evaluations() const override;
  const RegularizedOde& ode() const { return *ode_; }

 private:
  void initial(double t, VecX& y) const;
  void fill_first_wave(double h);
  bool solve_last_inside(double theta, VecX& out);
  void fill_wave_inside(double theta);
  bool solve_all_inside(double theta, VecX& out);
  const VecX* solved_multiplier(double t) const;
  bool between_solved(double t, VecX& carried);
  bool sample_multiplier();
  /// y_0 of the only iterate is a function of t.
  bool knows_y_before() const { return nodes_.size() == 1 && !follows_; }
  /// y_{s-1} of number s - 1 at t(), and at the other end of the step tried or taken last.
  const VecX& left_of(std::size_t s) const { return s == 0 ? y_0_at_[now_] : carried_of(s, now_); }
  const VecX& carried_of(std::size_t s, int at) const { return nodes_[s - 1][at].carried; }
  /// Of iterate number s, as it was.
  IterateStep taken(std::size_t s, double h, const VecX* before) const;
  IterateStep last_taken() const;

  std::unique_ptr<RegularizedOde> ode_;
  InitialIterate y_0_;
  std::vector<std::unique_ptr<SrmIterate>> iterates_;
  std::vector<std::array<IterateState, 2>> nodes_;  ///< At t() and the end of the trial.
  std::array<VecX, 2> y_0_at_;                      ///< Of the first iterate: y_{s-1} there.
  std::array<std::vector<VecX>, 2> waves_;          ///< y_{s-1} and y_s at the points of a step.
  int wave_ = 0;                                    ///< Of the two, y_{m-1} of the last iterate m.
  VecX between_, inside_;
  std::vector<double> nodes_of_wave_;  ///< 0 and the points.
  std::vector<VecX> wave_inside_;      ///< y_{m-1} at the points of a step to a time inside.
  std::array<std::vector<VecX>, 2> waves_inside_;  ///< y_{s-1} and y_s there.
  /// y_m at t inside of the step taken last, of solve_all_inside().
  struct SolvedMultiplier {
    double t;
    VecX carried;
  };
  std::vector<SolvedMultiplier> solved_;
  std::optional<SampledOutput> sampled_;  ///< Through solutions; of the step taken last.
  bool estimates_;
  bool follows_ = false;           ///< y_{s-1} of the first iterate is given.
  const double* given_ = nullptr;  ///< At the points of the step tried next.
  double* leaves_ = nullptr;
  int number_ = 0;  ///< Iterates before the first one here.
  int now_ = 0;
  int failed_at_ = 1;
  double t_ = 0, h_ = 0, trial_h_ = 0;
  double begin_ = 0;  ///< Of the step last taken.
};

}  // namespace daewave::ivp
