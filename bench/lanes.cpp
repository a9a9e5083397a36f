// Sequential regularization in SIMD lanes, against numbers one by one: ratios of runs taken in
// turns in one process, of problems whose functions are templates, and of an ensemble of
// slider-cranks.
//                                                                              [AL2] Example 6.5

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/mechanism_lanes.hpp"
#include "catalogue/slider_crank_lanes.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "ivp/lanes/lane_feed.hpp"
#include "ivp/lanes/lane_methods.hpp"
#include "ivp/srm/srm_step.hpp"

namespace daewave {
namespace {

using problems::SliderCrank;
constexpr int rounds = 15;
/// Steps of one run: some milliseconds.
constexpr int steps = 4000;

std::vector<Simd> supported_sets() {
  std::vector<Simd> all;
  for (Simd simd : all_simd()) {
    if (supported(simd)) all.push_back(simd);
  }
  return all;
}

void demand(bool ok) {
  if (!ok) throw std::runtime_error("a run failed");
}

/// Of the processor: the machine may be shared.
double seconds_of(const std::function<void()>& work) {
  const std::clock_t before = std::clock();
  work();
  return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// What is measured: the problem, as each instruction set has it.
struct Case {
  std::string name;
  std::function<DaeProblemPtr(Simd)> problem;
  VecX start;
  double h;
};

template <class P, class LanesOf>
Case case_of(std::string name, const P& problem, LanesOf lanes, double h) {
  return {std::move(name), [=](Simd simd) { return problem_of(problem, best_of(lanes, simd)); },
          VecX(problem.start()), h};
}

Case slider_crank() {
  return case_of(
      "slider-crank, by hand", SliderCrank{},
      [](auto set) { return catalogue::slider_crank_lanes(set); }, 1e-4);
}

std::vector<Case> cases() {
  using bench::mechanism_lanes;
  std::vector<Case> all;
  all.push_back(case_of(
      "pendulum", with_autodiff(bench::HeavyPendulum{}),
      [](auto set) { return mechanism_lanes(set).pendulum; }, 1e-4));
  all.push_back(case_of(
      "led arm", with_autodiff(bench::LedArm{}), [](auto set) { return mechanism_lanes(set).arm; },
      1e-4));
  all.push_back(slider_crank());
  all.push_back(case_of(
      "seven bodies", with_autodiff(bench::SevenBodies{}),
      [](auto set) { return mechanism_lanes(set).seven; }, 1e-6));
  all.push_back(case_of(
      "index 2", with_autodiff(bench::Turning{}),
      [](auto set) { return mechanism_lanes(set).turning; }, 1e-4));
  all.push_back(case_of(
      "string, sizes at run time", with_autodiff(bench::LooseString{}),
      [](auto set) { return mechanism_lanes(set).string; }, 1e-4));
  return all;
}

Regularization form_of(const DaeProblem& problem, double h) {
  Regularization form;
  form.epsilon = h;
  if (problem.kind() == Kind::index_2) {
    form.variant = Variant::direct;
    form.alpha1 = 1;
  }
  return form;
}

/// Nanoseconds per step of all iterates.
double one_by_one(const Case& one, ivp::Stepper stepper, int iterates) {
  const DaeProblemPtr problem = one.problem(best_simd());
  ivp::SrmStep step(regularize(*problem, form_of(*problem, one.h)), ivp::tableau(stepper),
                    iterates);
  demand(step.start(0, one.start));
  const double took = seconds_of([&] {
    for (int i = 0; i < steps; ++i) demand(!std::isnan(step.attempt(one.h)) && step.accept());
  });
  return took / steps * 1e9;
}

double in_lanes(const Case& one, Simd simd, ivp::Stepper stepper, int iterates) {
  const ivp::LaneFormula formula = ivp::lane_formula(ivp::tableau(stepper));
  const DaeProblemPtr problem = one.problem(simd);
  auto lanes =
      ivp::skewed_iterates(*problem, simd, form_of(*problem, one.h), formula, iterates, {});
  ivp::LaneFeed feed(std::move(lanes), formula, iterates, ivp::FixedSteps({0, 1e6}, one.h), {},
                     false);
  demand(feed.start(one.start.data()));
  const double took = seconds_of([&] {
    for (int i = 0; i < steps; ++i) demand(feed.next());
  });
  return took / steps * 1e9;
}

/// Nanoseconds per step of all iterates of one member of an ensemble.
double members(Simd simd, double h, ivp::Stepper stepper, int iterates) {
  const int count = ivp::members_in(simd);
  std::vector<DaeProblemPtr> problems;
  std::vector<const DaeProblem*> all;
  std::vector<double> x;
  for (int i = 0; i < count; ++i) {
    SliderCrank one;
    one.g0 = 5 + i;
    const Vec<12> start = one.state(0.3 + 0.7 * i, 1.0);
    x.insert(x.end(), start.data(), start.data() + 12);
    problems.push_back(problem_of(
        one, best_of([](auto set) { return catalogue::slider_crank_lanes(set); }, simd)));
    all.push_back(problems.back().get());
  }
  std::vector<double> nodes;
  for (int i = 0; i <= steps; ++i) nodes.push_back(i * h);
  const auto lanes =
      ivp::members_in_lanes(all, simd, form_of(*all.front(), h),
                            ivp::lane_formula(ivp::tableau(stepper)), iterates, {}, {});
  lanes->start(0, x.data());
  const double took = seconds_of([&] { lanes->advance(steps, nodes.data()); });
  for (int i = 0; i < count; ++i) demand(lanes->steps(i) == steps);
  return took / steps / count * 1e9;
}

/// A row of the table: the time one by one, and how many times faster the others are.
void compare(const std::string& name, int iterates, const std::function<double()>& one_by_one,
             const std::vector<std::function<double()>>& others) {
  std::vector<double> alone;
  std::vector<std::vector<double>> ratios(others.size());
  for (int round = 0; round < rounds; ++round) {
    alone.push_back(one_by_one());
    for (std::size_t i = 0; i < others.size(); ++i) {
      ratios[i].push_back(alone.back() / others[i]());
    }
  }
  fmt::print("{:<26} {:>8} {:>11.0f}", name, iterates, median(alone));
  for (const std::vector<double>& of_one : ratios) fmt::print(" {:>7.2f}", median(of_one));
  fmt::print("\n");
}

void head(const char* what, ivp::Stepper stepper, const std::vector<Simd>& sets) {
  fmt::print("{}, {}: ns per step of all iterates, and how many times faster\n", what,
             name_of(stepper));
  fmt::print("{:<26} {:>8} {:>11}", "", "iterates", "one by one");
  for (Simd simd : sets) fmt::print(" {:>7}", name_of(simd));
  fmt::print("\n");
}

void compare(ivp::Stepper stepper) {
  const std::vector<Simd> sets = supported_sets();
  const std::vector<Case> all = cases();
  head("iterates in lanes", stepper, sets);
  for (const Case& one : all) {
    for (int iterates : {1, 2, 4, 8}) {
      std::vector<std::function<double()>> lanes;
      for (Simd simd : sets) {
        lanes.emplace_back([&, simd] { return in_lanes(one, simd, stepper, iterates); });
      }
      compare(
          one.name, iterates, [&] { return one_by_one(one, stepper, iterates); }, lanes);
    }
  }
  head("runs in lanes", stepper, sets);
  const Case crank = slider_crank();
  for (int iterates : {1, 2, 4, 8}) {
    std::vector<std::function<double()>> lanes;
    for (Simd simd : sets) {
      lanes.emplace_back([&, simd] { return members(simd, crank.h, stepper, iterates); });
    }
    compare(
        "slider-crank, by hand", iterates, [&] { return one_by_one(crank, stepper, iterates); },
        lanes);
  }
}

}  // namespace
}  // namespace daewave

int main(int argc, char** argv) {
  CLI::App app{
      "Iterates and ensembles in SIMD lanes beside one by one; ratios of runs taken in turns"};
  CLI11_PARSE(app, argc, argv);
  try {
    daewave::compare(daewave::ivp::Stepper::heun);
    daewave::compare(daewave::ivp::Stepper::rk4);
  } catch (const std::exception& error) {
    fmt::print(stderr, "daewave_bench_lanes: {}\n", error.what());
    return 1;
  }
  return 0;
}
