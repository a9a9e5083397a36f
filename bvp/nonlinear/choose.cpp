#include "bvp/nonlinear/choose.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace daewave::bvp {

int most_intervals(const Options& options) {
  constexpr int open = 1 << 16;
  return options.max_intervals.value_or(open);
}

namespace {

void tell(NonlinearProblem& problem, const char* name, std::string value, bool by_user,
          std::string reason) {
  problem.choices.push_back(
      {name, std::move(value), by_user, by_user ? std::string() : std::move(reason)});
}

/// Between the stages errors fall with one power of the step more than there are stages: the number
/// that costs least, where an interval costs evaluations, an elimination, and looks at it.
int stages_for(double tolerance, int nx) {
  const int most = tolerance >= 1e-3 ? 5 : tolerance >= 1e-5 ? 6 : 7;
  int best = 3;
  double least = INFINITY;
  for (int k = best; k <= most; ++k) {
    constexpr double looks = 0.6, evaluation = 0.15, elimination = 1e-4;  // Microseconds.
    const double of_interval =
        looks + evaluation * k * (nx + 1) + elimination * std::pow(static_cast<double>(k) * nx, 3);
    const double work = std::pow(tolerance, -1.0 / (k + 1)) * of_interval;
    if (work < least) {
      least = work;
      best = k;
    }
  }
  return best;
}

/// @param stages  on a mesh that is given.
void choose_scheme(const Options& options, Scheme open, int stages, const char* why,
                   NonlinearProblem& problem) {
  const Scheme scheme = options.scheme.value_or(open);
  const int most = stage_range(scheme).most;
  if (refines(options))
    stages = stages_for(wanted_tolerance(options), problem.equations->state_size());
  const int chosen = options.stages.value_or(std::clamp(stages, stage_range(scheme).least, most));
  problem.scheme = collocation(scheme, chosen);
  tell(problem, "scheme", name_of(scheme), options.scheme.has_value(), why);
  tell(problem, "stages", fmt::format("{}", chosen), options.stages.has_value(),
       fmt::format("order {} at the nodes", problem.scheme.order));
}

/// What iterates are off by is damped within that time: g'' : g' : g is 1 : 1 / time : 1 / time^2,
/// so that the unit of t does not matter. Where alpha1 = 0 it is epsilon that is a time.
void take_damping(const Options& options, double time, Regularization& form) {
  form.alpha2 = options.alpha2.value_or(form.alpha1 > 0 ? form.alpha1 / time : 1);
  form.alpha3 = form.alpha1 > 0 ? form.alpha2 * form.alpha2 / form.alpha1 : form.alpha2 / time;
}

}  // namespace

Regularization easier_form(const Options& options, const NonlinearFacts& facts,
                           const NonlinearProblem& problem) {
  Regularization easier = problem.form;
  easier.variant = facts.index == 2 ? Variant::direct : Variant::baumgarte_form;
  easier.alpha1 = 1;
  take_damping(options, facts.time * problem.interval.length(), easier);
  // Where GB is singular at a point, E = I is defined there too.
  if (problem.form.variant == Variant::singular) easier.weight = Weight::identity;
  return easier;
}

Regularization choose_regularized(const Options& options, const NonlinearFacts& facts,
                                  NonlinearProblem& problem) {
  Regularization form;
  const bool differentiated = facts.index == 2 || facts.reducible;
  if (options.variant) {
    form.variant = *options.variant;
    tell(problem, "variant", name_of(form.variant), true, "");
  } else {
    form.variant = facts.index == 2  ? Variant::direct
                   : facts.reducible ? Variant::baumgarte_form
                                     : Variant::invariant;
    tell(problem, "variant", name_of(form.variant), false,
         facts.index == 2
             ? "GB regular is taken for granted; singular passes points where it is not"
         : facts.reducible ? "GB regular is taken for granted, and the curvature is at hand"
                           : "the problem gives no curvature; with it, or with_autodiff(problem), "
                             "nothing would be stiff");
  }
  problem.carries_By = carries_By(form.variant);
  const bool has_alpha1 =
      form.variant == Variant::direct || form.variant == Variant::baumgarte_form;
  form.alpha1 = options.alpha1.value_or(has_alpha1 && differentiated ? 1 : 0);
  tell(problem, "alpha1", fmt::format("{:g}", form.alpha1), options.alpha1.has_value(),
       form.alpha1 > 0 ? "no initial layer in y, and no stiffness" : "the form has none");
  const double length = problem.interval.length(), time = facts.time * length;
  take_damping(options, time, form);
  form.weight = options.weight.value_or(Weight::inverse);
  tell(problem, "weight", name_of(form.weight), options.weight.has_value(),
       "constraints decay at one rate");
  if (facts.index == 2) {
    check_index_2(form);
  } else {
    check_index_3(form, facts.reducible);
  }
  if (form.variant == Variant::singular_linear && !std::isnan(facts.range_turns_at)) {
    throw InvalidOption(fmt::format(
        "variant = singular-linear: B y is carried as it is, and leaves the range of B where that "
        "depends on x, as at t = {:.6g}: iterates settle on another curve; take variant = singular",
        facts.range_turns_at));
  }
  if (form.alpha1 == 0 && options.constraint_end == ConstraintEnd::end) {
    throw InvalidOption(
        "constraint_end = end: iterates with alpha1 = 0 lose their constraint on the way from "
        "there; "
        "leave it at the begin, shooting back runs from the end");
  }
  if (form.alpha1 > 0 && options.shooting_back.value_or(false)) {
    throw InvalidOption(
        "shooting_back: iterates with alpha1 > 0 have no layer to repair; leave it out, or take "
        "alpha1 = 0");
  }
  // With alpha1 > 0 it is a number; else a time. The smaller it is the less y is off where it has
  // kinks; where constraints become dependent iterates must not turn P too fast.
  const bool is_stiff = form.alpha1 == 0;
  const double part = form.variant == Variant::invariant  ? 5e-5
                      : form.variant == Variant::singular ? 5e-4
                                                          : 5e-3;
  problem.epsilon = options.epsilon.value_or(is_stiff ? part * time : 1e-4);
  tell(problem, "epsilon", fmt::format("{:g}", problem.epsilon), options.epsilon.has_value(),
       !is_stiff     ? "an iterate divides the error by 1e4; nothing is stiff"
       : part < 1e-3 ? "an iterate divides the error by about 1e4; schemes that damp may be stiff"
                     : "an iterate divides the error by about a hundred");
  form.epsilon = problem.epsilon;
  problem.form = form;
  problem.controls_carried = options.control_multiplier.value_or(true);
  tell(problem, "control_multiplier", problem.controls_carried ? "yes" : "no",
       options.control_multiplier.has_value(),
       fmt::format("the tolerance is that of {} too", problem.carries_By ? "B y" : "y"));
  problem.has_layer = form.alpha1 == 0;
  if (problem.has_layer) {
    const bool open = !options.shooting_back;
    // What is carried unprojected from one curve to another leaves the range of B where that turns.
    const bool may_run_back = form.variant != Variant::singular_linear || facts.has_constant_B;
    if (!may_run_back && options.shooting_back.value_or(false)) {
      throw InvalidOption(
          "shooting_back: iterates of variant = singular-linear that run back need a constant B; "
          "leave it out, or take variant = singular");
    }
    problem.repairs_layer = options.shooting_back.value_or(!options.iterates && may_run_back);
    tell(problem, "shooting_back", problem.repairs_layer ? "yes" : "no", !open,
         problem.repairs_layer
             ? "iterates leave y at the begin as it was; those that run back from the end do not"
         : !may_run_back ? "B y is carried unprojected, and B changes"
                         : "as many iterates as were asked for, and no more");
  }
  if (form.alpha1 > 0) {
    choose_scheme(options, Scheme::gauss, 3, "symmetric: modes that grow and that decay alike",
                  problem);
  } else {
    choose_scheme(options, Scheme::radau, 3, "damps the layers of width epsilon", problem);
  }
  return form;
}

void choose_ordinary(const Options& options, NonlinearProblem& problem) {
  const auto refuse = [](bool given, const char* name) {
    if (given) {
      throw InvalidOption(
          fmt::format("{}: is of constraints, and the problem has none; leave it out", name));
    }
  };
  refuse(options.variant.has_value(), "variant");
  refuse(options.weight.has_value(), "weight");
  refuse(options.epsilon.has_value(), "epsilon");
  refuse(options.alpha1.has_value(), "alpha1");
  refuse(options.alpha2.has_value(), "alpha2");
  refuse(options.iterates.has_value(), "iterates");
  refuse(options.constraint_end != ConstraintEnd::begin, "constraint_end");
  refuse(options.shooting_back.has_value(), "shooting_back");
  if (options.control_multiplier) {
    throw InvalidOption(
        problem.equations->sizes().nw > 0
            ? "control_multiplier: is of constraints, and the problem has none; the tolerance "
              "holds for its algebraic unknowns too: leave it out, or give these a looser one of "
              "their own by tolerances"
            : "control_multiplier: is of constraints, and the problem has none; leave it out");
  }
  choose_scheme(options, Scheme::gauss, 4, "symmetric: modes that grow and that decay alike",
                problem);
}

bool needs_guess(const Report& report) {
  return report.termination == Termination::not_converged ||
         report.termination == Termination::singular_matrix;
}

bool may_be_singular(const Options& options, const Report& report) {
  if (options.variant || options.alpha1.value_or(0) > 0) return false;
  if (report.termination == Termination::iterates_exhausted) {
    return !options.epsilon && !options.iterates;
  }
  return report.termination == Termination::not_converged ||
         report.termination == Termination::singular_matrix ||
         report.termination == Termination::tolerance_not_met ||
         report.termination == Termination::singular_constraint ||
         report.termination == Termination::diverged;
}

bool has_open_epsilon(const Options& options, const NonlinearProblem& problem) {
  return problem.has_layer && !options.epsilon && !options.iterates;
}

bool may_settle(const NonlinearProblem& problem, const Report& report) {
  return report.termination == Termination::iterates_exhausted ||
         (problem.carries_By && report.termination == Termination::tolerance_not_met);
}

Solution settled_with(double epsilon, double before, Solution solution) {
  for (Choice& choice : solution.report.choices) {
    if (choice.name != "epsilon") continue;
    choice.by_user = false;
    choice.reason = fmt::format("iterates with {:g} did not settle", before);
  }
  solution.report.warnings.push_back(fmt::format(
      "epsilon = {:g} was taken, as iterates with {:g} did not settle: y changes within "
      "times as short; give epsilon, and that is saved",
      epsilon, before));
  return solution;
}

Solution better_of(Solution first, Solution with_By) {
  const bool found = with_By.report.usable();
  // Of dependent constraints alone the first one tells nothing that is left to do.
  const bool is_told_by_second = first.report.termination == Termination::singular_constraint ||
                                 (!first.has_values() && with_By.has_values());
  if (!found && !is_told_by_second) {
    first.report.warnings.push_back("variant = singular was tried too, and failed: " +
                                    with_By.report.message);
    return first;
  }
  std::string was;
  for (const Choice& choice : first.report.choices) {
    if (choice.name == "variant") was = choice.value;
  }
  for (Choice& choice : with_By.report.choices) {
    if (choice.name != "variant") continue;
    choice.by_user = false;
    choice.reason =
        fmt::format("{} did not find the solution: constraints may be dependent on the way", was);
  }
  with_By.report.warnings.push_back(
      fmt::format("variant = singular was taken, as {} failed: {}", was, first.report.message));
  return with_By;
}

}  // namespace daewave::bvp
