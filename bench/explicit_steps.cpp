// What a step of an explicit formula costs beside the evaluations of the right-hand side.

#include <benchmark/benchmark.h>

#include <cmath>
#include <limits>
#include <string>

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/run/ode_system.hpp"

namespace daewave::bench {
namespace {

/// z' = -z / 1000, after `work` dependent divisions: of a nanosecond, or of about 250.
class Decay : public ivp::OdeSystem {
 public:
  explicit Decay(int work, bool stabilized = false) : work_(work), stabilized_(stabilized) {}

  bool rhs(double, const VecX& z, VecX& slope) override {
    double busy = z[0];
    for (int i = 0; i < work_; ++i) busy = 1 / busy;
    slope = -1e-3 * z;
    slope[0] += 1e-30 * busy;
    return true;
  }
  bool after_step(double, VecX& z, VecX& slope) override {
    z *= 1 - 1e-15;
    slope *= 1 - 1e-15;
    return true;
  }
  bool stabilizes() const override { return stabilized_; }
  bool multiplier(double, const VecX&, VecX& multiplier) override {
    multiplier.resize(0);
    return true;
  }
  ivp::Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return ""; }

 private:
  int work_;
  bool stabilized_;
};

/// CPU time of one evaluation that waits for the one before, as in a step.
void evaluation(benchmark::State& state, int n, int work) {
  Decay system(work);
  VecX z = VecX::Ones(n), slope = VecX::Zero(n);
  for (auto _ : state) {
    system.rhs(0, z, slope);
    z += 1e-9 * slope;
    benchmark::DoNotOptimize(z.data());
    benchmark::ClobberMemory();
  }
}

/// CPU time of one step of the whole time loop: error control, monitors, reports.
void step(benchmark::State& state, int n, ivp::Stepper stepper, int work, bool controlled) {
  constexpr long steps = 1000;
  Decay system(work, true);
  ivp::Options options;
  if (controlled) {
    options.first_step = options.largest_step = 1e-3;
  } else {
    options.h = 1e-3;
  }
  options.every = 0;
  options.multipliers = false;
  ivp::ExplicitRkStep one(system, ivp::tableau(stepper), ivp::Tolerance(options, n), controlled);
  for (auto _ : state) {
    const auto solution = ivp::integrate(one, VecX(VecX::Ones(n)), {0, 1e-3 * steps}, options);
    benchmark::DoNotOptimize(solution.states.data());
  }
  state.counters["ns_per_step"] = benchmark::Counter(
      1e-9 * steps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void register_all(int n) {
  for (const int work : {0, 96}) {
    const std::string tail = "/n:" + std::to_string(n) + "/work:" + std::to_string(work);
    benchmark::RegisterBenchmark(("evaluation" + tail).c_str(),
                                 [=](benchmark::State& state) { evaluation(state, n, work); });
    for (const ivp::Stepper stepper :
         {ivp::Stepper::forward_euler, ivp::Stepper::heun, ivp::Stepper::rk4, ivp::Stepper::dopri5,
          ivp::Stepper::dop853}) {
      for (const bool controlled : {false, true}) {
        if (controlled && ivp::tableau(stepper).error.empty()) continue;
        const std::string name =
            std::string(controlled ? "controlled/" : "fixed/") + ivp::name_of(stepper) + tail;
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
          step(state, n, stepper, work, controlled);
        });
      }
    }
  }
}

const bool registered = (register_all(4), register_all(14), true);

}  // namespace
}  // namespace daewave::bench
