#include "ivp/options/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/error.hpp"

namespace daewave::ivp {
namespace {

/// @throws InvalidOption naming what is known.
template <class Kind>
Kind named(const char* option, const std::string& name, const std::vector<Kind>& all) {
  std::vector<std::string> known;
  for (Kind kind : all) {
    if (name == name_of(kind)) return kind;
    known.emplace_back(name_of(kind));
  }
  throw InvalidOption(fmt::format("{} = \"{}\"; known: {}", option, name, fmt::join(known, ", ")));
}

[[noreturn]] void refuse(const std::string& name, double value, const std::string& rule) {
  throw InvalidOption(fmt::format("{} = {}: must be {}", name, value, rule));
}

void positive(const std::string& name, double value) {
  if (!(value > 0) || !std::isfinite(value)) refuse(name, value, "> 0 and finite");
}

void positive_if_given(const char* name, const std::optional<double>& value) {
  if (value) positive(name, *value);
}

void not_negative(const char* name, double value) {
  if (!(value >= 0) || !std::isfinite(value)) refuse(name, value, ">= 0 and finite");
}

void not_negative_if_given(const char* name, const std::optional<double>& value) {
  if (value) not_negative(name, *value);
}

/// Collocation does with an odd number of stages; open is 3.
bool estimates_errors(Stepper stepper, int stages) {
  const bool collocates = stepper == Stepper::gauss || stepper == Stepper::radau;
  return stepper == Stepper::dopri5 || stepper == Stepper::dop853 ||
         (collocates && stages % 2 == 1);
}

void check_stepper(const Options& options) {
  if (!options.stepper) return;
  const Stepper stepper = *options.stepper;
  const bool estimates = estimates_errors(stepper, options.stages.value_or(3));
  if (options.stages && stepper != Stepper::gauss && stepper != Stepper::radau) {
    throw InvalidOption(
        fmt::format("stages = {} with stepper = {}: only gauss and radau have a "
                    "number of stages to choose",
                    *options.stages, name_of(stepper)));
  }
  if (options.h || estimates) return;
  if (options.stages) {
    throw InvalidOption(fmt::format(
        "stages = {} with stepper = {}: only an odd number of them estimates errors; give h, or "
        "take 3 stages",
        *options.stages, name_of(stepper)));
  }
  throw InvalidOption(fmt::format(
      "stepper = {}: does not estimate errors; give h, or use dopri5, dop853, gauss or radau",
      name_of(stepper)));
}

void check_tolerances(const Options& options) {
  if (!(options.rtol > 0 && options.rtol < 1)) refuse("rtol", options.rtol, "> 0 and < 1");
  if (options.atol_each.empty()) positive("atol", options.atol);
  for (std::size_t i = 0; i < options.atol_each.size(); ++i) {
    positive(fmt::format("atol_each[{}]", i), options.atol_each[i]);
  }
}

void check_control(const Control& control) {
  const auto between = [](const char* name, double value) {
    if (!(value > 0 && value < 1)) refuse(name, value, "> 0 and < 1");
  };
  between("control.safety", control.safety);
  between("control.shrink", control.shrink);
  if (!(control.beta >= 0 && control.beta <= 0.2)) {
    refuse("control.beta", control.beta, "between 0 and 0.2");
  }
  if (!(control.grow > 1) || !std::isfinite(control.grow)) {
    refuse("control.grow", control.grow, "> 1 and finite");
  }
}

void check_steps(const Options& options) {
  positive_if_given("h", options.h);
  positive_if_given("first_step", options.first_step);
  positive_if_given("largest_step", options.largest_step);
  if (options.most_steps < 1) {
    throw InvalidOption(fmt::format("most_steps = {}: must be >= 1", options.most_steps));
  }
  if (options.stages && *options.stages < 1) {
    throw InvalidOption(fmt::format("stages = {}: must be >= 1", *options.stages));
  }
  check_tolerances(options);
  if (options.control) check_control(*options.control);
  check_stepper(options);
}

void check_stabilization(const Options& options) {
  const Stabilization& stabilization = options.stabilization;
  not_negative("stabilization.alpha1", stabilization.alpha1);
  not_negative("stabilization.alpha0", stabilization.alpha0);
  if (!(stabilization.factor > 0 && stabilization.factor < 2)) {
    refuse("stabilization.factor", stabilization.factor, "> 0 and < 2");
  }
  not_negative("stabilization.gamma", stabilization.gamma);
  if (options.method == Method::stabilized_ode && stabilization.gamma == 0) {
    throw InvalidOption(
        "stabilization.gamma = 0 with method = stabilized-ode: must be > 0, in 1/time");
  }
}

void check_regularize(const Regularize& regularize) {
  positive_if_given("regularize.epsilon", regularize.epsilon);
  if (regularize.iterates && *regularize.iterates < 1) {
    throw InvalidOption(
        fmt::format("regularize.iterates = {}: must be >= 1", *regularize.iterates));
  }
  not_negative_if_given("regularize.alpha1", regularize.alpha1);
  not_negative_if_given("regularize.alpha2", regularize.alpha2);
  not_negative_if_given("regularize.alpha3", regularize.alpha3);
  if (regularize.exact_start < -1 || regularize.exact_start > 2) {
    throw InvalidOption(fmt::format("regularize.exact_start = {}: must be -1 (y_0 = 0), 0, 1 or 2",
                                    regularize.exact_start));
  }
  if (!(regularize.rank_tolerance >= 0 && regularize.rank_tolerance < 1)) {
    refuse("regularize.rank_tolerance", regularize.rank_tolerance, ">= 0 and < 1");
  }
}

void check_multistep(const Multistep& multistep) {
  if (multistep.order && (*multistep.order < 1 || *multistep.order > 6)) {
    throw InvalidOption(
        fmt::format("multistep.order = {}: must be between 1 and 6", *multistep.order));
  }
  if (multistep.c && !std::isfinite(*multistep.c)) {
    refuse("multistep.c", *multistep.c, "finite");
  }
}

void check_state_space(const StateSpace& space) {
  if (!(space.bound >= 1) || !std::isfinite(space.bound)) {
    refuse("state_space.bound", space.bound, ">= 1 and finite");
  }
}

void check_output(const Options& options) {
  if (options.every < 0) {
    throw InvalidOption(
        fmt::format("every = {}: must be >= 0; 0 gives out the end only", options.every));
  }
  for (std::size_t i = 0; i < options.times.size(); ++i) {
    if (!std::isfinite(options.times[i])) {
      refuse(fmt::format("times[{}]", i), options.times[i], "finite");
    }
    if (i > 0 && !(options.times[i] > options.times[i - 1])) {
      throw InvalidOption(fmt::format("times[{}] = {}: must be > times[{}] = {}", i,
                                      options.times[i], i - 1, options.times[i - 1]));
    }
  }
  for (std::size_t i = 0; i < options.events.size(); ++i) {
    if (!options.events[i].function) {
      throw InvalidOption(
          fmt::format("events[{}] (\"{}\") has no function: give function(t, state)", i,
                      options.events[i].name));
    }
  }
}

}  // namespace

const char* name_of(Method method) {
  switch (method) {
    case Method::srm:
      return "srm";
    case Method::underlying:
      return "underlying";
    case Method::baumgarte:
      return "baumgarte";
    case Method::s_full:
      return "s-full";
    case Method::s_both:
      return "s-both";
    case Method::s_both2:
      return "s-both2";
    case Method::s_vel:
      return "s-vel";
    case Method::s_pos:
      return "s-pos";
    case Method::stabilized_ode:
      return "stabilized-ode";
    case Method::projection:
      return "projection";
    case Method::symmetric_projection:
      return "symmetric-projection";
    case Method::local_state_space:
      return "local-state-space";
    case Method::projected_invariants:
      return "projected-invariants";
    case Method::bdf_projection:
      return "bdf-projection";
    case Method::bdf_projected_invariants:
      return "bdf-projected-invariants";
    case Method::dcbdf:
      return "dcbdf";
    case Method::dcbdf_bdf:
      return "dcbdf-bdf";
    case Method::adams_moulton:
      return "adams-moulton";
    case Method::bdf:
      return "bdf";
  }
  return "unknown";
}

const std::vector<Method>& all_methods() {
  static const std::vector<Method> methods{Method::srm,
                                           Method::underlying,
                                           Method::baumgarte,
                                           Method::s_full,
                                           Method::s_both,
                                           Method::s_both2,
                                           Method::s_vel,
                                           Method::s_pos,
                                           Method::stabilized_ode,
                                           Method::projection,
                                           Method::symmetric_projection,
                                           Method::local_state_space,
                                           Method::projected_invariants,
                                           Method::bdf_projection,
                                           Method::bdf_projected_invariants,
                                           Method::dcbdf,
                                           Method::dcbdf_bdf,
                                           Method::adams_moulton,
                                           Method::bdf};
  return methods;
}

bool is_variable_bdf(Method method) {
  return method == Method::bdf_projection || method == Method::bdf_projected_invariants;
}

bool is_multistep(Method method) { return is_variable_bdf(method) || is_blocked_multistep(method); }

bool takes_every_stepper(Method method) {
  return !is_multistep(method) && method != Method::projected_invariants &&
         method != Method::symmetric_projection;
}

bool is_blocked_multistep(Method method) {
  return method == Method::dcbdf || method == Method::dcbdf_bdf ||
         method == Method::adams_moulton || method == Method::bdf;
}

Method method_named(const std::string& name) { return named("method", name, all_methods()); }

const char* name_of(Projection::Onto onto) {
  switch (onto) {
    case Projection::Onto::both:
      return "both";
    case Projection::Onto::in_turn:
      return "in-turn";
    case Projection::Onto::position:
      return "position";
    case Projection::Onto::velocity:
      return "velocity";
    case Projection::Onto::nothing:
      return "nothing";
  }
  return "unknown";
}

const char* name_of(StageIteration iteration) {
  return iteration == StageIteration::newton ? "newton" : "fixed-point";
}

StageIteration stage_iteration_named(const std::string& name) {
  static const std::vector<StageIteration> all{StageIteration::fixed_point, StageIteration::newton};
  return named("stage-iteration", name, all);
}

const char* name_of(Stepper stepper) {
  switch (stepper) {
    case Stepper::forward_euler:
      return "forward-euler";
    case Stepper::heun:
      return "heun";
    case Stepper::explicit_midpoint:
      return "explicit-midpoint";
    case Stepper::ralston:
      return "ralston";
    case Stepper::rk4:
      return "rk4";
    case Stepper::dopri5:
      return "dopri5";
    case Stepper::dop853:
      return "dop853";
    case Stepper::backward_euler:
      return "backward-euler";
    case Stepper::gauss:
      return "gauss";
    case Stepper::radau:
      return "radau";
  }
  return "unknown";
}

const std::vector<Stepper>& all_steppers() {
  static const std::vector<Stepper> steppers{Stepper::forward_euler,
                                             Stepper::heun,
                                             Stepper::explicit_midpoint,
                                             Stepper::ralston,
                                             Stepper::rk4,
                                             Stepper::dopri5,
                                             Stepper::dop853,
                                             Stepper::backward_euler,
                                             Stepper::gauss,
                                             Stepper::radau};
  return steppers;
}

Stepper stepper_named(const std::string& name) { return named("stepper", name, all_steppers()); }

void check(const Options& options) {
  check_steps(options);
  check_stabilization(options);
  check_regularize(options.regularize);
  check_multistep(options.multistep);
  check_state_space(options.state_space);
  check_output(options);
  positive("start_tolerance", options.start_tolerance);
}

}  // namespace daewave::ivp
