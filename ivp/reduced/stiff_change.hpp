#pragma once
// Steps of a nonstiff formula where the problem is not stiff, and of a collocation formula, which
// damps, where it is. Both step the same system.
//
// Stiff is where the nonstiff formula's steps are held by its stability: h times the size of the
// largest eigenvalue, which two stages at the end of the step tell, is at its bound, step after
// step; or where a step of the collocation formula, tried now and then, is several times as long.
// It is left where steps of that are so short that the nonstiff one would be stable with longer
// ones.                                         [HW2] IV.2

#include <string>
#include <vector>

#include "core/report/report.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "ivp/reduced/pivot_watch.hpp"
#include "ivp/run/nonstiff_step.hpp"

namespace daewave::ivp {

/// Where the formula was changed.
struct FormulaChange {
  double t = 0;
  bool stiff = false;  ///< From there on.
};

/// Matrices of larger states would cost more than steps of the nonstiff formula.
inline constexpr int most_entries = 200;

/// Of the tolerance, what the collocation formula is held to: its estimate is of a lower order than
/// itself, and it is to be as accurate over the run as the other one.
inline constexpr double of_tolerance = 0.01;

/// A few of them: of many the first and the last.
/// @param nonstiff  name of the other formula.
void tell_changes(const std::vector<FormulaChange>& changes, const std::string& nonstiff,
                  Report& report);

/// True where tell_changes() has told something.
bool was_stiff(const Report& report);

class StiffChange final : public Step {
 public:
  /// All are kept by reference; both formulas step `system`, and estimate their errors.
  /// @param pivots  of the system, which are not to see what is tried beside the motion; may be
  /// null.
  StiffChange(NonstiffStep& nonstiff, CollocationStep& collocation, OdeSystem& system,
              PivotWatch* pivots);

  bool start(double t, const VecX& z) override;
  double attempt(double h) override;
  bool tried(double theta, VecX& out) override { return now().tried(theta, out); }
  bool accept() override;
  double t() const override { return now().t(); }
  const VecX& state() const override { return now().state(); }
  void interpolate(double theta, VecX& out) override { taken_->interpolate(theta, out); }
  void roughly(const double* theta, int count, int n, double* out) override {
    taken_->roughly(theta, count, n, out);
  }
  int dense_degree() const override;
  int solved_degree() const override { return taken_->solved_degree(); }
  bool solve_inside(double theta, VecX& out) override { return taken_->solve_inside(theta, out); }
  bool is_long() const override { return taken_->is_long(); }

  bool multiplier(VecX& carried) override { return now().multiplier(carried); }
  bool knows_multiplier_between() const override { return true; }
  bool multiplier_at(double t, const VecX& z, VecX& carried) override {
    return now().multiplier_at(t, z, carried);
  }
  Drift drift() override { return now().drift(); }

  int error_order() const override { return nonstiff_.error_order(); }
  Control control() const override { return nonstiff_.control(); }
  double first_step(double sign, double most) override { return now().first_step(sign, most); }
  bool chooses_length() const override {
    return stiff_ || length_ > 0 || nonstiff_.chooses_length();
  }
  double next_length() const override {
    return stiff_ || length_ > 0 ? length_ : nonstiff_.next_length();
  }
  bool unsolved() const override { return failing_->unsolved(); }
  std::string failure() const override { return failing_->failure(); }
  long evaluations() const override {
    return nonstiff_.evaluations() + collocation_.evaluations() + looks_;
  }

  const std::vector<FormulaChange>& changes() const { return changes_; }

 private:
  Step& now() { return stiff_ ? static_cast<Step&>(collocation_) : nonstiff_; }
  const Step& now() const { return stiff_ ? static_cast<const Step&>(collocation_) : nonstiff_; }
  void look_for_stiffness();
  bool may_be_longer();
  void look_for_its_end(double h);
  bool change(bool stiff);
  double largest_rate();

  NonstiffStep& nonstiff_;
  CollocationStep& collocation_;
  OdeSystem& system_;
  PivotWatch* pivots_;
  bool stiff_ = false;
  Step* taken_;    ///< That of the step last accepted.
  Step* failing_;  ///< And of the last attempt.
  StepControl collocation_control_;
  double trial_h_ = 0, error_ = 0;
  double length_ = 0;  ///< Of the next step, where it is chosen here.
  long steps_ = 0;     ///< Since the last change.
  long first_try_, next_try_, between_tries_;
  int stiff_steps_ = 0, others_ = 0, mild_ = 0;
  long least_steps_ = 20;  ///< With the collocation formula, before it is left.
  long looks_ = 0;
  VecX direction_, moved_, slope_;
  std::vector<FormulaChange> changes_;
};

}  // namespace daewave::ivp
