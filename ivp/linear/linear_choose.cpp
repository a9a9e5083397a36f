#include "ivp/linear/linear_choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "ivp/linear/forward_euler.hpp"
#include "ivp/linear/initial_values.hpp"

namespace daewave::ivp {
namespace {

class Chooser {
 public:
  Chooser(const LinearDae& problem, const LinearOptions& options, const ConstraintScan& scan)
      : problem_(problem), options_(options), scan_(scan) {}

  Chosen run(const VecX& x0) {
    choose_steps();
    choose_scheme();
    choose_regularization();
    choose_iterates();
    choose_initial_iterate(x0);
    warn_of_undamped_mode();
    return std::move(chosen_);
  }

 private:
  void note(std::string name, std::string value, bool by_user, std::string reason) {
    chosen_.choices.push_back(
        {std::move(name), std::move(value), by_user, by_user ? "" : std::move(reason)});
  }

  void choose_steps() {
    const Interval& interval = problem_.interval();
    if (options_.steps) {
      note("steps", fmt::format("{}", *options_.steps), true, "");
      longest_step_ = interval.length() / *options_.steps;
      return;
    }
    const Mesh& mesh = *options_.mesh;
    const double slack = 1e-12 * interval.length();
    if (std::abs(mesh.begin() - interval.begin) > slack ||
        std::abs(mesh.end() - interval.end) > slack) {
      throw InvalidOption(
          fmt::format("mesh on [{}, {}]: must span the interval [{}, {}] of the problem",
                      mesh.begin(), mesh.end(), interval.begin, interval.end));
    }
    note("mesh", fmt::format("{} given intervals", mesh.intervals()), true, "");
    longest_step_ = mesh.largest_step();
  }

  void choose_scheme() {
    if (options_.explicit_euler) {
      chosen_.scheme = forward_euler();
      note("scheme", "forward-euler", true, "");
      return;
    }
    const Scheme scheme = options_.scheme.value_or(Scheme::radau);
    note("scheme", name_of(scheme), options_.scheme.has_value(),
         "damps the initial layer and the constraint mode");
    const StageRange range = stage_range(scheme);
    const int stages = options_.stages.value_or(std::clamp(3, range.least, range.most));
    note("stages", fmt::format("{}", stages), options_.stages.has_value(),
         "of high order at little cost per step");
    chosen_.scheme = collocation(scheme, stages);
  }

  void choose_regularization() {
    Regularization& regularization = chosen_.regularization;
    regularization.weight = options_.weight.value_or(Weight::inverse);
    regularization.delta = options_.delta;
    note("weight", name_of(regularization.weight), options_.weight.has_value(),
         "B E C is the projector, so all constraint modes decay at the same rate");
    regularization.alpha1 = options_.alpha1.value_or(0.0);
    note("alpha1", fmt::format("{:g}", regularization.alpha1), options_.alpha1.has_value(),
         "needs no C_t and r_t, and steps across points where C B is singular");
    regularization.alpha2 = options_.alpha2.value_or(1.0);
    note("alpha2", fmt::format("{:g}", regularization.alpha2), options_.alpha2.has_value(),
         "constraint errors decay within a unit of time, or of epsilon where alpha1 = 0");
    if (regularization.alpha1 != 0 && !problem_.has_constraint_derivatives()) {
      throw InvalidOption(
          fmt::format("alpha1 = {}: needs C'(t) and r'(t); give the problem C_t(t) and r_t(t), "
                      "wrap it in with_differences(problem), or use alpha1 = 0",
                      regularization.alpha1));
    }
    if (options_.explicit_euler) {
      choose_explicit_epsilon();
      return;
    }
    const bool stiff = regularization.alpha1 == 0;
    const double unit = std::min(1.0, problem_.interval().length());
    const double open = !stiff ? 1e-8 : chosen_.scheme.damps() ? 1e-10 * unit : 1e-6 * unit;
    regularization.epsilon = options_.epsilon.value_or(open);
    note("epsilon", fmt::format("{:g}", regularization.epsilon), options_.epsilon.has_value(),
         stiff ? "far below the step" : "two iterates bring its error to rounding level");
  }

  /// Constraint modes decay at the rate alpha2 / (epsilon + alpha1), which the step must resolve.
  void choose_explicit_epsilon() {
    Regularization& regularization = chosen_.regularization;
    const double open = 10 * regularization.alpha2 * longest_step_;
    regularization.epsilon = options_.epsilon.value_or(open);
    note("epsilon", fmt::format("{:g}", regularization.epsilon), options_.epsilon.has_value(),
         "ten steps long, as forward Euler has to resolve it");
    const double longest =
        2 * (regularization.epsilon + regularization.alpha1) / regularization.alpha2;
    if (regularization.weight == Weight::inverse && !(longest_step_ < longest)) {
      throw InvalidOption(fmt::format(
          "explicit_euler with epsilon = {:g}, alpha1 = {:g}, alpha2 = {:g} and steps up to {:g}: "
          "must be < 2 (epsilon + alpha1) / alpha2 = {:g}, or the constraint mode grows; use more "
          "steps, a larger epsilon, or scheme radau",
          regularization.epsilon, regularization.alpha1, regularization.alpha2, longest_step_,
          longest));
    }
  }

  void choose_iterates() {
    constexpr double negligible = 1e-12;
    constexpr int most = 12;
    const double epsilon = chosen_.regularization.epsilon;
    const double needed = epsilon < 1 ? std::log(negligible) / std::log(epsilon) : most;
    const int open = static_cast<int>(std::clamp(std::ceil(needed), 2.0, double(most)));
    chosen_.iterates = options_.iterates.value_or(open);
    note("iterates", fmt::format("{}", chosen_.iterates), options_.iterates.has_value(),
         "so many that epsilon to this power is negligible, at least 2 and at most 12");
  }

  void choose_initial_iterate(const VecX& x0) {
    chosen_.By_0 = options_.By_0;
    if (options_.exact_start) {
      chosen_.By_0 = Waveform::constant(initial_By(problem_, x0));
      note("By_0", "B y(begin), constant", true, "");
    } else if (!options_.By_0.is_zero()) {
      note("By_0", "a waveform", true, "");
    } else {
      note("By_0", "0", false, "nothing else was given; leaves an initial layer of B y");
    }
  }

  void warn_of_undamped_mode() {
    constexpr double oblique = 1.01;
    const Regularization& regularization = chosen_.regularization;
    if (options_.explicit_euler || chosen_.scheme.damps() || regularization.alpha1 != 0 ||
        scan_.obliqueness < oblique ||
        regularization.epsilon >= regularization.alpha2 * longest_step_) {
      return;
    }
    chosen_.warnings.push_back(fmt::format(
        "{} with epsilon = {:g} below h = {:.3g} does not damp the constraint mode, which may grow "
        "over a long horizon, as the constraint is not normal to the range of B; use radau, or "
        "alpha1 = 1",
        name_of(chosen_.scheme.scheme), regularization.epsilon, longest_step_));
  }

  const LinearDae& problem_;
  const LinearOptions& options_;
  const ConstraintScan& scan_;
  double longest_step_ = 0;
  Chosen chosen_;
};

}  // namespace

Chosen choose(const LinearDae& problem, const LinearOptions& options, const ConstraintScan& scan,
              const VecX& x0) {
  return Chooser(problem, options, scan).run(x0);
}

}  // namespace daewave::ivp
