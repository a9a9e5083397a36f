#include "ivp/doors/method_choice.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "ivp/one_step/tableaux.hpp"

namespace daewave::ivp {
namespace {

Choice choice(const char* name, std::string value, bool by_user, std::string reason) {
  return {name, std::move(value), by_user, by_user ? "" : std::move(reason)};
}

/// What is damped as t grows is amplified on the way back.
void check_direction(Method method, const MethodFacts& facts, const Stabilization& stabilization) {
  if (!facts.backward) return;
  const bool damps = stabilization.alpha1 > 0 || stabilization.alpha0 > 0;
  if (method == Method::srm || method == Method::stabilized_ode ||
      (method == Method::baumgarte && damps)) {
    throw InvalidOption(fmt::format(
        "span: its end lies before its begin, where {} would enlarge errors of the constraints "
        "instead of damping them; take s-both2, which needs the curvature of the problem, or "
        "reverse time in the problem",
        name_of(method)));
  }
}

/// Of index 1 with invariants: there is no index left to reduce.
Choice choose_for_invariants(const Options& options, Method& method) {
  method = options.method.value_or(Method::projection);
  if (method != Method::projection && method != Method::underlying && !is_variable_bdf(method) &&
      method != Method::projected_invariants) {
    throw InvalidOption(
        fmt::format("method = {}: needs f, B or M, and g of an index 2 or 3; a problem of index 1 "
                    "with invariants takes projection, bdf-projection, projected-invariants, "
                    "bdf-projected-invariants, or underlying, which drifts",
                    name_of(method)));
  }
  return choice("method", name_of(method), options.method.has_value(),
                "brings back the invariants, which index 1 lets drift");
}

/// What a projection can be told goes with methods that project.
void check_projection(Method method, const Projection& projection) {
  const Projection open;
  const bool told = projection.onto != open.onto || projection.metric != open.metric ||
                    projection.energy || projection.estimate;
  const bool invariants =
      method == Method::projected_invariants || method == Method::bdf_projected_invariants;
  if (told && method != Method::projection && method != Method::bdf_projection && !invariants) {
    throw InvalidOption(
        fmt::format("projection: not part of method = {}; take projection or bdf-projection, or "
                    "leave it as it is",
                    name_of(method)));
  }
  if (invariants && projection.metric != open.metric) {
    throw InvalidOption(
        fmt::format("projection.metric with method = {}: its multipliers enter by - H^T mu; leave "
                    "it out",
                    name_of(method)));
  }
  if (projection.estimate && method == Method::bdf_projected_invariants) {
    throw InvalidOption(
        "projection.estimate with method = bdf-projected-invariants: its steps end on the "
        "invariants, no projection follows; leave it out, or take bdf-projection");
  }
  if (projection.estimate && method != Method::bdf_projection) {
    throw InvalidOption(
        "projection.estimate = true: the errors of one-step formulas are tested before the "
        "projection; leave it out");
  }
}

/// What goes with local state-space form.
void check_state_space(Method method, const StateSpace& space) {
  const StateSpace open;
  if (method == Method::local_state_space) return;
  if (space.parameters == open.parameters && space.bound == open.bound) return;
  throw InvalidOption(
      fmt::format("state_space: not part of method = {}; take local-state-space, or leave it as it "
                  "is",
                  name_of(method)));
}

[[noreturn]] void refuse(const char* name, const std::string& value, Method method,
                         const char* why) {
  throw InvalidOption(
      fmt::format("{} = {} with method = {}: {}", name, value, name_of(method), why));
}

/// What one-step formulas alone can be told.
void check_no_stages(Method method, const Options& options) {
  if (options.stepper) {
    refuse("stepper", name_of(*options.stepper), method,
           "has a formula of its own; leave it out, or take s-both2 or projection");
  }
  if (options.stages) {
    refuse("stages", fmt::format("{}", *options.stages), method,
           "has no stages; leave them out, or take multistep.order");
  }
  if (options.control) {
    refuse("control", "given", method, "chooses its steps by a rule of its own; leave it out");
  }
}

/// Formulas with a past, and what only they can be told.
void check_formula(Method method, const Options& options) {
  const Multistep& multistep = options.multistep;
  if (options.stage_iteration && method != Method::symmetric_projection) {
    refuse("stage_iteration", name_of(*options.stage_iteration), method,
           "iterates as it needs; leave it out, or take symmetric-projection");
  }
  if (is_multistep(method)) {
    check_no_stages(method, options);
  } else if (multistep.order) {
    refuse("multistep.order", fmt::format("{}", *multistep.order), method,
           method == Method::projected_invariants
               ? "is of Radau IIA; leave it out, or take bdf-projected-invariants"
               : "is no multistep formula; leave it out, or take bdf-projection");
  } else if (multistep.form != Multistep::Form::eliminated) {
    refuse("multistep.form", "index_1", method,
           "is no multistep formula; leave it out, or take bdf-projection");
  }
  if (multistep.control_multiplier && !is_blocked_multistep(method)) {
    refuse("multistep.control_multiplier", "true", method,
           "is of dcbdf, dcbdf-bdf, adams-moulton and bdf; leave it out");
  }
  if (multistep.control_multiplier && options.h) {
    refuse("multistep.control_multiplier", "true", method,
           "with a fixed h no error is controlled; leave out one of them");
  }
  if (is_blocked_multistep(method)) return;  // blocked_formula() checks what else it takes.
  if (multistep.c) {
    refuse("multistep.c", fmt::format("{:g}", *multistep.c), method,
           "is of adams-moulton; leave it out");
  }
  if (multistep.blocking != Blocking::multiplier) {
    refuse("multistep.blocking", "term", method, "is of dcbdf and adams-moulton; leave it out");
  }
}

Choice choose(const MethodFacts& facts, const Options& options, Method& method) {
  if (facts.invariants) return choose_for_invariants(options, method);
  std::string reason = "index reduction, and two corrections after each step with one matrix";
  method = Method::s_both2;
  if (!facts.reducible) {
    method = Method::srm;
    reason = "the problem gives no curvature, which index reduction needs";
  } else if (!facts.full_rank && !facts.backward) {
    method = Method::srm;
    reason = "the constraints are dependent at the start";
  }
  method = options.method.value_or(method);
  if (method != Method::srm && !facts.reducible) {
    throw InvalidOption(
        fmt::format("method = {}: needs curvature(q, v, t) of the problem; give it, use "
                    "with_autodiff(problem), or take srm",
                    name_of(method)));
  }
  check_direction(method, facts, options.stabilization);
  return choice("method", name_of(method), options.method.has_value(), reason);
}

/// What keeps symmetric_projection symmetric.
void check_symmetry(Method method, Stepper stepper, const Options& options) {
  if (method != Method::symmetric_projection) return;
  if (stepper != Stepper::gauss) {
    refuse("stepper", name_of(stepper), method,
           "is another formula when it is read backward; take gauss, or method = projection");
  }
  if (!options.h) {
    throw InvalidOption(
        "h: must be given with method = symmetric-projection, as a step that follows the errors "
        "ends the symmetry and its bounded energy; give h, or take projection");
  }
}

Choice choose(Method method, const Options& options, Stepper& stepper) {
  std::string reason;
  if (method == Method::srm && options.h) {
    stepper = Stepper::heun;
    reason = "of order 2, as x is by any formula where h is fixed and epsilon is of its size";
  } else if (method == Method::srm) {
    stepper = Stepper::dopri5;
    reason = "estimates its error";
  } else if (method == Method::projected_invariants) {
    stepper = Stepper::radau;
    reason = "its last stage is the end of the step";
  } else if (method == Method::symmetric_projection) {
    stepper = Stepper::gauss;
    reason = "symmetric, and of the highest order";
  } else {
    stepper = Stepper::dop853;
    reason = "of order 8: the fewest evaluations for nonstiff problems";
  }
  stepper = options.stepper.value_or(stepper);
  if (method == Method::projected_invariants && stepper != Stepper::radau &&
      stepper != Stepper::backward_euler) {
    throw InvalidOption(
        fmt::format("stepper = {} with method = projected-invariants: an index 2 needs a formula "
                    "whose last stage is the end of the step; take radau or backward-euler, or "
                    "method = bdf-projected-invariants",
                    name_of(stepper)));
  }
  check_symmetry(method, stepper, options);
  return choice("stepper", name_of(stepper), options.stepper.has_value(), reason);
}

int stages_of(Method method, Stepper stepper, const Options& options,
              std::vector<Choice>& choices) {
  const bool open = stepper == Stepper::gauss || stepper == Stepper::radau;
  if (!open) {
    if (options.stages) {
      throw InvalidOption(
          fmt::format("stages = {}: {} has stages of its own; leave them out, or "
                      "take gauss or radau",
                      *options.stages, name_of(stepper)));
    }
    return stepper == Stepper::backward_euler ? 1 : 0;
  }
  const bool symmetric = method == Method::symmetric_projection;
  const int stages = options.stages.value_or(symmetric ? 4 : 3);
  choices.push_back(choice("stages", fmt::format("{}", stages), options.stages.has_value(),
                           symmetric ? "of order 8" : "an odd number estimates its error"));
  if (symmetric) {
    const auto iteration = options.stage_iteration.value_or(StageIteration::fixed_point);
    choices.push_back(choice("stage_iteration", name_of(iteration),
                             options.stage_iteration.has_value(), "for problems not stiff"));
  }
  return stages;
}

/// What only sequential regularization has.
void check_long_run(Method method, const Options& options) {
  if (method == Method::srm) return;
  const auto refuse = [method](const char* what) {
    throw InvalidOption(fmt::format("{}: is for method = srm; leave it out with {}, or take srm",
                                    what, name_of(method)));
  };
  if (options.regularize.order != Order::step_local) refuse("order");
  if (options.windows.steps || options.windows.groups || options.windows.pipeline) {
    refuse("windows");
  }
  if (options.checkpoints.save || options.checkpoints.resume) refuse("checkpoints");
}

}  // namespace

Collocation MethodChoice::scheme() const {
  return collocation(stepper == Stepper::gauss ? Scheme::gauss : Scheme::radau, stages);
}

std::string MethodChoice::formula() const {
  if (is_explicit(stepper)) return name_of(stepper);
  return fmt::format("{} of {} stages", name_of(stepper), stages);
}

void check_span(const Interval& span) {
  if (std::isfinite(span.begin) && std::isfinite(span.end) && span.begin != span.end) return;
  throw InvalidOption(fmt::format("span = [{}, {}]: must have two different ends, both finite",
                                  span.begin, span.end));
}

MethodChoice choose_method(const MethodFacts& facts, const Options& options) {
  MethodChoice chosen;
  chosen.choices.push_back(choose(facts, options, chosen.method));
  check_long_run(chosen.method, options);
  check_projection(chosen.method, options.projection);
  check_state_space(chosen.method, options.state_space);
  check_formula(chosen.method, options);
  if (!is_multistep(chosen.method)) {
    chosen.choices.push_back(choose(chosen.method, options, chosen.stepper));
    chosen.stages = stages_of(chosen.method, chosen.stepper, options, chosen.choices);
    if (!is_explicit(chosen.stepper)) chosen.scheme();  // Throws for stages it does not have.
  }
  if (options.h) {
    chosen.choices.push_back(choice("h", fmt::format("{:g}", *options.h), true, ""));
  } else {
    const Options open;
    chosen.choices.push_back(choice("rtol", fmt::format("{:g}", options.rtol),
                                    options.rtol != open.rtol, "the default"));
    const bool each = !options.atol_each.empty();
    chosen.choices.push_back(choice("atol", each ? "one each" : fmt::format("{:g}", options.atol),
                                    each || options.atol != open.atol, "the default"));
  }
  return chosen;
}

}  // namespace daewave::ivp
