#pragma once
// Steps of any one-step formula, handed over to a SingularWindow where constraints become
// dependent, and taken up again behind it.
//
// Near such a configuration what a formula of reduced index divides by vanishes: its steps
// collapse, or lead along another branch. Three things keep it away. No step is taken in which the
// smallest pivot of G falls to a third and less; where the pivot, on the way that lies ahead, comes
// to zero, steps end before that; and from there on a window leads over, as soon as one is accurate
// enough. What neither a step nor a window leads over ends the run, after a bounded number of
// attempts.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ivp/reduced/dependence.hpp"
#include "ivp/reduced/singular_window.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

/// A singular configuration that was passed.
struct Passage {
  double t = 0;
  double pivot = 0;   ///< Of G there, of the largest.
  double length = 0;  ///< Of the window.
};

class PassingStep final : public Step {
 public:
  /// `inner` steps `system`, which estimates errors; both are kept by reference.
  /// @param constraints    makes those of the same problem, where they may become dependent.
  /// @param by_velocities  see Dependence.
  PassingStep(Step& inner, ReducedOde& system,
              std::function<std::unique_ptr<DaeSystem>()> constraints, const Tolerance& tolerance,
              double rank_tolerance, bool by_velocities = false);

  bool start(double t, const VecX& z) override;
  double attempt(double h) override;
  bool accept() override;
  double t() const override { return inner_.t(); }
  const VecX& state() const override { return inner_.state(); }
  void interpolate(double theta, VecX& out) override;
  void roughly(const double* theta, int count, int n, double* out) override;
  int dense_degree() const override;
  int solved_degree() const override {
    return taken_ == Taken::formula ? inner_.solved_degree() : 0;
  }
  bool solve_inside(double theta, VecX& out) override {
    return taken_ == Taken::formula && inner_.solve_inside(theta, out);
  }
  bool is_long() const override { return taken_ == Taken::window || inner_.is_long(); }

  bool multiplier(VecX& carried) override { return inner_.multiplier(carried); }
  bool knows_multiplier_between() const override { return inner_.knows_multiplier_between(); }
  bool multiplier_at(double t, const VecX& z, VecX& carried) override {
    return inner_.multiplier_at(t, z, carried);
  }
  Drift drift() override { return inner_.drift(); }

  int error_order() const override { return inner_.error_order(); }
  Control control() const override { return inner_.control(); }
  double first_step(double sign, double most) override;
  bool chooses_length() const override { return length_ > 0 || inner_.chooses_length(); }
  double next_length() const override { return length_ > 0 ? length_ : inner_.next_length(); }
  std::string ending() const override { return ending_; }

  bool unsolved() const override { return trying_ == Taken::formula && inner_.unsolved(); }
  std::string failure() const override { return failure_.empty() ? inner_.failure() : failure_; }
  long evaluations() const override { return inner_.evaluations() + looks_ + window_evaluations(); }

  const std::vector<Passage>& passages() const { return passages_; }

 private:
  enum class Taken { formula, window };

  void make_dependence();
  void look();
  bool falls_within(double h);
  /// How far ahead the constraints are dependent, > 0; 0 where nothing is seen.
  double ahead(double sign);
  double measure_at(double s);
  double by_window(double h, double inside);
  double by_formula(double h);
  double shorter(double length);
  double first_length(double most);
  void watch_creeping(double h);
  double least_pivot() const;
  void give_up(std::string why);
  long window_evaluations() const { return window_ ? window_->evaluations() : 0; }

  Step& inner_;
  ReducedOde& system_;
  std::function<std::unique_ptr<DaeSystem>()> make_constraints_;
  Tolerance tolerance_;
  double rank_tolerance_;
  bool by_velocities_;
  std::unique_ptr<DaeSystem> constraints_;
  std::unique_ptr<Dependence> dependence_;
  std::unique_ptr<SingularWindow> window_;

  bool blind_ = false;   ///< Pivots of evaluations tell nothing, as rows are redundant.
  bool begins_ = false;  ///< In a singular configuration.
  double here_ = 1;      ///< What Dependence says of the state,
  double part_ = 1;      ///< its part(),
  double around_ = 1;    ///< and, of the start, its part_of_around().
  bool near_ = false;
  double ahead_ = -1;   ///< As ahead() told; -1: it was not asked.
  double pivot_ = 0;    ///< Of the state, by the evaluations.
  double planned_ = 0;  ///< A window of that length comes next.
  double tried_ = 2;    ///< here_ where a window failed last.
  double natural_ = 0;  ///< The longest step of the formula not near.
  double longest_ = 0;
  double length_ = 0;  ///< Of the next step, where it is not for the control to choose.
  int refusals_ = 0;
  long creeping_ = 0, short_ = 0;
  Taken trying_ = Taken::formula, taken_ = Taken::formula;
  double trial_h_ = 0, inside_ = 0;
  long looks_ = 0;
  VecX slope_, moved_, shift_;
  std::vector<Passage> passages_;
  std::string failure_, ending_, window_failure_;
};

}  // namespace daewave::ivp
