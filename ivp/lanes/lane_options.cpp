#include "ivp/lanes/lane_options.hpp"

#include <fmt/format.h>

#include <string>

#include "core/error.hpp"

namespace daewave::ivp {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw InvalidOption("order = lanes: " + what); }

}  // namespace

void refuse_lanes(const Options& options) {
  if (options.regularize.order == Order::lanes) {
    refuse(
        "this problem has none; have its type be a template on its scalar "
        "(ivp/lanes/lane_problem.hpp) "
        "and call solve_in_lanes(), or take order = step-local or pipelined");
  }
  if (options.regularize.simd) {
    throw InvalidOption("simd: is for order = lanes; give it, or leave it out");
  }
}

void check_lanes(const Options& options, Method method, Stepper stepper, int iterates,
                 int most_iterates) {
  if (method != Method::srm) {
    refuse(fmt::format("is for method = srm, not {}; leave it out, or take srm", name_of(method)));
  }
  if (!is_explicit(stepper)) {
    refuse(fmt::format("{} is implicit; take an explicit stepper, such as heun, or step-local",
                       name_of(stepper)));
  }
  if (!options.h) {
    refuse(
        "needs a fixed h, as iterates are at different steps; give h, or take order = step-local");
  }
  if (iterates > most_iterates) {
    refuse(fmt::format("has {} iterates at most, not {}; take fewer, or step-local", most_iterates,
                       iterates));
  }
  const bool between = options.dense || !options.times.empty() || !options.events.empty();
  if (between && !tableau(stepper).dense.empty()) {
    refuse(
        fmt::format("gives out the ends of steps of {} only; take every instead of times, dense "
                    "and events, or step-local",
                    name_of(stepper)));
  }
  if (options.checkpoints.save || options.checkpoints.resume) {
    refuse("has no checkpoints; take order = step-local or pipelined");
  }
  if (options.windows.steps || options.windows.groups || options.windows.pipeline) {
    refuse("has no windows and no threads; leave them out, or take order = pipelined");
  }
}

Simd chosen_simd(const Options& options) {
  const Simd simd = options.regularize.simd.value_or(best_simd());
  check_supported(simd);
  return simd;
}

Simd simd_for(int iterates) {
  return iterates <= 4 && supported(Simd::avx2) ? Simd::avx2 : best_simd();
}

Choice lanes_choice(const Options& options, Simd simd, const LaneShape& shape, int iterates) {
  return {"lanes", fmt::format("{} of {} lanes, {}", iterates, shape.lanes, name_of(simd)),
          options.regularize.simd.has_value(),
          "registers of this machine that hold one number of each iterate"};
}

}  // namespace daewave::ivp
