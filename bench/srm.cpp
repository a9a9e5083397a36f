// Sequential regularization of the slider-crank: what one step of one iterate costs, and forty
// tolerances through its singular configurations.                          [AL2] Example 6.5

#include <benchmark/benchmark.h>

#include <cmath>
#include <stdexcept>

#include "core/adapt/problem_of.hpp"
#include "core/regularize/regularize.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/srm/srm_defaults.hpp"
#include "ivp/srm/srm_step.hpp"
#include "problems/slider_crank.hpp"
#include "problems/slider_crank_reference.hpp"

namespace daewave {
namespace {

using problems::SliderCrank;

/// Time of one step of one iterate, in the formula given; h = epsilon.
void step_and_iterate(benchmark::State& state, ivp::Stepper stepper) {
  const SliderCrank crank;
  const int iterates = static_cast<int>(state.range(0));
  Regularization form;
  form.epsilon = 1e-4;
  ivp::SrmStep step(regularize(crank, form, crank.start()), ivp::tableau(stepper), iterates);
  if (!step.start(0, crank.start())) throw std::runtime_error(step.failure());
  for (auto _ : state) {
    if (std::isnan(step.attempt(1e-4)) || !step.accept()) throw std::runtime_error(step.failure());
  }
  state.counters["step_and_iterate"] = benchmark::Counter(
      static_cast<double>(iterates),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void heun(benchmark::State& state) { step_and_iterate(state, ivp::Stepper::heun); }
void dopri5(benchmark::State& state) { step_and_iterate(state, ivp::Stepper::dopri5); }

/// Forty tolerances from 1e-5 to 1e-9, to t = 30, with defaults. `right`: phi1 at the end is within
/// 1e-2 rad of the mechanism's own equation; `worst`: the largest error over the tolerance.
void forty_tolerances(benchmark::State& state, ivp::Stepper stepper) {
  const SliderCrank crank;
  constexpr double end = 30;
  const double exact = problems::SliderCrankReference(crank).at(end)[0];
  const auto& formula = ivp::tableau(stepper);
  double right = 0, worst = 0;
  for (auto _ : state) {
    right = worst = 0;
    for (int i = 0; i < 40; ++i) {
      ivp::Options options;
      options.atol = options.rtol = 1e-5 * std::pow(1e-4, i / 39.0);
      options.every = 0;
      options.multipliers = false;
      const ivp::SrmChoices chosen = ivp::choose_srm(*problem_of(crank), crank.start(), {0, end},
                                                     ivp::Srm{}, options, formula);
      options.largest_step = chosen.largest_step;
      ivp::SrmStep step(regularize(crank, chosen.form, crank.start()), formula, chosen.iterates, {},
                        ivp::Tolerance(options, 12), true);
      ivp::Monitors monitors;
      monitors.drift = false;
      const ivp::Solution solution =
          ivp::integrate(step, crank.start(), {0, end}, options, monitors);
      const double error = std::abs(solution.end()[2] - exact);
      right += solution.report.usable() && error < 1e-2;
      worst = std::max(worst, error / options.rtol);
    }
  }
  state.counters["right"] = right;
  state.counters["worst"] = worst;
}

void forty_dopri5(benchmark::State& state) { forty_tolerances(state, ivp::Stepper::dopri5); }
void forty_dop853(benchmark::State& state) { forty_tolerances(state, ivp::Stepper::dop853); }

BENCHMARK(heun)->Arg(1)->Arg(3);
BENCHMARK(dopri5)->Arg(3);
BENCHMARK(forty_dopri5)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(forty_dop853)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace daewave
