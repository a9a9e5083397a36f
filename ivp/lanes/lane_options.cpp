#include "ivp/lanes/lane_options.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "core/error.hpp"

namespace daewave::ivp {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw InvalidOption("loops = lanes: " + what); }

}  // namespace

const Srm* asked_in_lanes(const Options& options) {
  const auto* srm = std::get_if<Srm>(&options.method);
  return srm != nullptr && std::holds_alternative<InLanes>(srm->loops) ? srm : nullptr;
}

void check_lanes(const Options& options, Stepper stepper, int iterates, int most_iterates) {
  if (!is_explicit(stepper)) {
    refuse(fmt::format("{} is implicit; take stepper = heun; or loops = step-local",
                       name_of(stepper)));
  }
  if (!options.h) {
    refuse(
        "needs a fixed h, as iterates are at different steps; take loops = step-local; or give h");
  }
  if (iterates > most_iterates) {
    refuse(fmt::format("has {} iterates at most, not {}; take loops = step-local; or iterates = {}",
                       most_iterates, iterates, most_iterates));
  }
  const bool between = options.dense || !options.times.empty() || !options.events.empty();
  if (between && !tableau(stepper).dense.empty()) {
    refuse(
        fmt::format("gives out the ends of steps of {} only; take loops = step-local; or every "
                    "instead of times, dense and events",
                    name_of(stepper)));
  }
}

Simd chosen_simd(const Srm& asked) {
  const Simd simd = std::get<InLanes>(asked.loops).simd.value_or(best_simd());
  check_supported(simd);
  return simd;
}

Simd simd_for(int iterates) {
  return iterates <= 4 && supported(Simd::avx2) ? Simd::avx2 : best_simd();
}

Choice lanes_choice(const Srm& asked, std::string how) {
  return {"lanes", std::move(how), std::get<InLanes>(asked.loops).simd.has_value(),
          "registers of this machine that hold one number of each"};
}

}  // namespace daewave::ivp
