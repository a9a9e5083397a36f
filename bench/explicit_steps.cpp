// What a step of an explicit formula costs beside the evaluations of the right-hand side.

#include <benchmark/benchmark.h>

#include <cmath>
#include <limits>
#include <string>

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/integrate.hpp"

namespace daewave::bench {
namespace {

/// z' = -z / 1000, after `work` dependent divisions: of a nanosecond, or of about 250.
template <int n>
struct Decay {
  using State = Vec<n>;
  using Multiplier = Vec<0>;

  int work = 0;
  bool stabilized = false;

  bool rhs(double, const State& z, State& slope) {
    double busy = z[0];
    for (int i = 0; i < work; ++i) busy = 1 / busy;
    slope = -1e-3 * z;
    slope[0] += 1e-30 * busy;
    return true;
  }
  bool after_step(double, State& z, State& slope) {
    z *= 1 - 1e-15;
    slope *= 1 - 1e-15;
    return true;
  }
  bool stabilizes() const { return stabilized; }
  bool multiplier(double, const State&, Multiplier&) { return true; }
  ivp::Drift drift(double, const State&) { return {}; }
  std::string failure() const { return ""; }
};

/// CPU time of one evaluation that waits for the one before, as in a step.
template <int n>
void evaluation(benchmark::State& state, int work) {
  Decay<n> system{work};
  Vec<n> z = Vec<n>::Ones(), slope;
  for (auto _ : state) {
    system.rhs(0, z, slope);
    z += 1e-9 * slope;
    benchmark::DoNotOptimize(z.data());
    benchmark::ClobberMemory();
  }
}

/// CPU time of one step of the whole time loop: error control, monitors, reports.
template <int n>
void step(benchmark::State& state, ivp::Stepper stepper, int work, bool controlled) {
  constexpr long steps = 1000;
  Decay<n> system{work, true};
  ivp::Options options;
  if (!controlled) options.h = 1e-3;
  options.first_step = options.largest_step = 1e-3;
  options.every = 0;
  options.multipliers = false;
  ivp::ExplicitRkStep one(system, ivp::tableau(stepper), ivp::Tolerance(options, n), controlled);
  for (auto _ : state) {
    const auto solution = ivp::integrate(one, Vec<n>::Ones(), {0, 1e-3 * steps}, options);
    benchmark::DoNotOptimize(solution.states.data());
  }
  state.counters["ns_per_step"] = benchmark::Counter(
      1e-9 * steps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <int n>
void register_all() {
  for (const int work : {0, 96}) {
    const std::string tail = "/n:" + std::to_string(n) + "/work:" + std::to_string(work);
    benchmark::RegisterBenchmark(("evaluation" + tail).c_str(),
                                 [=](benchmark::State& state) { evaluation<n>(state, work); });
    for (const ivp::Stepper stepper :
         {ivp::Stepper::forward_euler, ivp::Stepper::heun, ivp::Stepper::rk4, ivp::Stepper::dopri5,
          ivp::Stepper::dop853}) {
      for (const bool controlled : {false, true}) {
        if (controlled && ivp::tableau(stepper).error.empty()) continue;
        const std::string name =
            std::string(controlled ? "controlled/" : "fixed/") + ivp::name_of(stepper) + tail;
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
          step<n>(state, stepper, work, controlled);
        });
      }
    }
  }
}

const bool registered = (register_all<4>(), register_all<14>(), true);

}  // namespace
}  // namespace daewave::bench
