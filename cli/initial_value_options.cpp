#include "cli/initial_value_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "cli/threads.hpp"
#include "core/error.hpp"
#include "io/checkpoint_file.hpp"

namespace daewave::cli {
namespace {

/// States kept without being asked for more.
constexpr long most_kept = 20000;

ivp::Metric metric_named(const std::string& name) {
  if (name == "mass") return ivp::Metric::mass;
  if (name == "orthogonal") return ivp::Metric::orthogonal;
  throw InvalidOption(fmt::format("metric = \"{}\"; known: mass, orthogonal", name));
}

/// Where a whole number is no order of loops, but that of a multistep formula.
std::optional<int> number_of(const std::string& text) {
  const bool digits =
      !text.empty() && text.size() < 4 &&
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return {};
  return std::stoi(text);
}

ivp::Order order_named(const std::string& name) {
  if (name == "step-local") return ivp::Order::step_local;
  if (name == "sweeps") return ivp::Order::sweeps;
  if (name == "pipelined") return ivp::Order::pipelined;
  if (name == "lanes") return ivp::Order::lanes;
  throw InvalidOption(fmt::format(
      "order = \"{}\"; known: step-local, sweeps, pipelined, lanes, and 1 to 6 of multistep "
      "formulas",
      name));
}

ivp::Projection projection_of(const SolveCommand& command) {
  using Onto = ivp::Projection::Onto;
  using Metric = ivp::Projection::Metric;
  ivp::Projection projection;
  projection.energy = command.keep_energy;
  projection.estimate = command.projected_estimate;
  if (command.onto) {
    const std::string& name = *command.onto;
    const std::pair<const char*, Onto> known[] = {{"both", Onto::both},
                                                  {"in-turn", Onto::in_turn},
                                                  {"position", Onto::position},
                                                  {"velocity", Onto::velocity},
                                                  {"nothing", Onto::nothing}};
    const auto* const found = std::find_if(std::begin(known), std::end(known),
                                           [&](const auto& one) { return name == one.first; });
    if (found == std::end(known)) {
      throw InvalidOption(
          fmt::format("onto = \"{}\"; known: both, in-turn, position, velocity, nothing", name));
    }
    projection.onto = found->second;
  }
  if (command.metric == "mass") projection.metric = Metric::mass;
  if (command.metric == "weighted") projection.metric = Metric::weighted;
  return projection;
}

ivp::StateSpace state_space_of(const SolveCommand& command) {
  ivp::StateSpace space;
  if (!command.local_parameters || *command.local_parameters == "coordinates") return space;
  if (*command.local_parameters != "tangent") {
    throw InvalidOption(fmt::format("local-parameters = \"{}\"; known: coordinates, tangent",
                                    *command.local_parameters));
  }
  space.parameters = ivp::StateSpace::Parameters::tangent;
  return space;
}

/// The metric belongs to the projection of those methods, and to the corrections of the others.
bool projects(const SolveCommand& command) {
  return command.method == "projection" || command.method == "bdf-projection" ||
         command.method == "projected-invariants" || command.method == "bdf-projected-invariants";
}

ivp::Multistep multistep_of(const SolveCommand& command) {
  ivp::Multistep multistep;
  if (command.order) multistep.order = number_of(*command.order);
  multistep.c = command.c;
  multistep.control_multiplier = command.control_multiplier;
  if (command.blocking == "term") {
    multistep.blocking = ivp::Blocking::term;
  } else if (command.blocking && *command.blocking != "multiplier") {
    throw InvalidOption(
        fmt::format("blocking = \"{}\"; known: multiplier, term", *command.blocking));
  }
  if (!command.form || *command.form == "eliminated") return multistep;
  if (*command.form != "index-1") {
    throw InvalidOption(fmt::format("form = \"{}\"; known: eliminated, index-1", *command.form));
  }
  multistep.form = ivp::Multistep::Form::index_1;
  return multistep;
}

ivp::Regularize regularize_of(const SolveCommand& command) {
  ivp::Regularize regularize;
  if (command.variant) regularize.variant = variant_named(*command.variant);
  regularize.epsilon = command.epsilon;
  regularize.iterates = command.iterates;
  if (command.weight) regularize.weight = weight_named(*command.weight);
  regularize.alpha1 = command.alpha1;
  regularize.alpha2 = command.alpha2;
  regularize.alpha3 = command.alpha3;
  regularize.exact_start = command.exact_start.value_or(-1);
  if (command.order && !number_of(*command.order)) {
    regularize.order = order_named(*command.order);
  }
  if (!command.simd) return regularize;
  if (regularize.order != ivp::Order::lanes) {
    throw InvalidOption(
        fmt::format("--simd {}: is for --method srm --order lanes --h H only; add these, or leave "
                    "it out",
                    *command.simd));
  }
  if (*command.simd != "auto") regularize.simd = simd_named(*command.simd);
  return regularize;
}

/// Each n-th step, so that a long run stays in memory and readable.
long every_of(const SolveCommand& command, const Interval& span) {
  if (command.every) return *command.every;
  if (!command.h || !(*command.h > 0)) return 1;
  const double steps = span.length() / *command.h;
  return steps <= most_kept ? 1 : static_cast<long>(std::ceil(steps / (most_kept / 2.0)));
}

/// A pipelined run takes all cores where nothing else is asked for.
ivp::Windows windows_of(const SolveCommand& command) {
  ivp::Windows windows;
  windows.steps = command.window;
  if (command.order == "pipelined") {
    windows.pipeline = pipeline_of(command.threads.value_or(0));
  } else if (command.threads && *command.threads != 1) {
    throw InvalidOption(
        fmt::format("--threads {}: an initial value solve has threads with --method srm "
                    "--order pipelined --h H only; add these, or leave it out",
                    *command.threads));
  }
  return windows;
}

ivp::Checkpoints checkpoints_of(const SolveCommand& command) {
  ivp::Checkpoints checkpoints;
  for (const problems::Parameter& parameter : command.parameters) {
    if (parameter.name == "t-end") continue;  // A run may go on to a later end.
    checkpoints.mark += fmt::format("{} = {:a} ", parameter.name, parameter.value);
  }
  if (command.checkpoint_seconds) checkpoints.seconds = *command.checkpoint_seconds;
  if (!command.checkpoint.empty()) {
    checkpoints.save = [path = command.checkpoint](const Checkpoint& at) {
      io::write_checkpoint(path, at);
    };
  }
  if (!command.resume.empty()) {
    checkpoints.resume = std::make_shared<const Checkpoint>(io::read_checkpoint(command.resume));
  }
  return checkpoints;
}

}  // namespace

ivp::Options initial_value_options(const SolveCommand& command, const Interval& span) {
  ivp::Options options;
  if (command.method) options.method = ivp::method_named(*command.method);
  if (command.stepper) options.stepper = ivp::stepper_named(*command.stepper);
  options.stages = command.stages;
  if (command.stage_iteration) {
    options.stage_iteration = ivp::stage_iteration_named(*command.stage_iteration);
  }
  options.h = command.h;
  if (command.tolerance) options.rtol = options.atol = *command.tolerance;
  if (command.rtol) options.rtol = *command.rtol;
  if (command.atol) options.atol = *command.atol;
  options.stabilization.alpha1 = command.alpha1.value_or(0);
  options.stabilization.alpha0 = command.alpha0.value_or(0);
  options.stabilization.gamma = command.gamma.value_or(0);
  options.stabilization.factor = command.factor.value_or(1);
  if (command.metric && !(projects(command) && *command.metric == "weighted")) {
    options.stabilization.metric = metric_named(*command.metric);
  }
  options.multistep = multistep_of(command);
  options.projection = projection_of(command);
  if (!projects(command)) options.projection.metric = ivp::Projection::Metric::orthogonal;
  options.state_space = state_space_of(command);
  options.regularize = regularize_of(command);
  options.windows = windows_of(command);
  options.checkpoints = checkpoints_of(command);
  options.repair_start = command.repair;
  options.every = every_of(command, span);
  for (int i = 0; i < command.points; ++i) {
    options.times.push_back(span.begin + span.length() * i / (command.points - 1));
  }
  if (command.points > 0) options.times.back() = span.end;
  return options;
}

}  // namespace daewave::cli
