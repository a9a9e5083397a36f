// Sequential regularization of the slider-crank in SIMD lanes, against numbers one by one: ratios
// of runs taken in turns in one process.                                       [AL2] Example 6.5

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "catalogue/slider_crank_lanes.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/regularize/regularize.hpp"
#include "ivp/lanes/lane_feed.hpp"
#include "ivp/lanes/lane_methods.hpp"
#include "ivp/srm/srm_step.hpp"

namespace daewave {
namespace {

using problems::SliderCrank;
constexpr double h = 1e-4;
constexpr int steps = 4000, rounds = 15;

std::vector<Simd> supported_sets() {
  std::vector<Simd> all;
  for (Simd simd : all_simd()) {
    if (supported(simd)) all.push_back(simd);
  }
  return all;
}

/// The problem and the method for one set.
DaeProblemPtr crank_for(Simd simd, const SliderCrank& crank) {
  return problem_of(crank,
                    best_of([](auto set) { return catalogue::slider_crank_lanes(set); }, simd));
}

Regularization form() {
  Regularization form;
  form.epsilon = h;
  return form;
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

/// Nanoseconds per step of all iterates.
double one_by_one(const SliderCrank& crank, ivp::Stepper stepper, int iterates) {
  ivp::SrmStep step(regularize(crank, form(), crank.start()), ivp::tableau(stepper), iterates);
  demand(step.start(0, crank.start()));
  const double took = seconds_of([&] {
    for (int i = 0; i < steps; ++i) demand(!std::isnan(step.attempt(h)) && step.accept());
  });
  return took / steps * 1e9;
}

double in_lanes(Simd simd, const SliderCrank& crank, ivp::Stepper stepper, int iterates) {
  const ivp::LaneFormula formula = ivp::lane_formula(ivp::tableau(stepper));
  const DaeProblemPtr problem = crank_for(simd, crank);
  auto lanes = ivp::skewed_iterates(*problem, simd, form(), formula, iterates, {});
  ivp::LaneFeed feed(std::move(lanes), formula, iterates, ivp::FixedSteps({0, 1e6}, h), {}, false);
  demand(feed.start(crank.start().data()));
  const double took = seconds_of([&] {
    for (int i = 0; i < steps; ++i) demand(feed.next());
  });
  return took / steps * 1e9;
}

/// Nanoseconds per step of all iterates of one member.
double members(Simd simd, const SliderCrank& crank, ivp::Stepper stepper, int iterates) {
  const int count = ivp::members_in(simd);
  std::vector<DaeProblemPtr> problems;
  std::vector<const DaeProblem*> all;
  std::vector<double> x;
  for (int i = 0; i < count; ++i) {
    SliderCrank one = crank;
    one.g0 = 5 + i;
    const Vec<12> start = one.state(0.3 + 0.7 * i, 1.0);
    x.insert(x.end(), start.data(), start.data() + 12);
    problems.push_back(crank_for(simd, one));
    all.push_back(problems.back().get());
  }
  std::vector<double> nodes;
  for (int i = 0; i <= steps; ++i) nodes.push_back(i * h);
  const auto lanes = ivp::members_in_lanes(
      all, simd, form(), ivp::lane_formula(ivp::tableau(stepper)), iterates, {}, {});
  lanes->start(0, x.data());
  const double took = seconds_of([&] { lanes->advance(steps, nodes.data()); });
  for (int i = 0; i < count; ++i) demand(lanes->steps(i) == steps);
  return took / steps / count * 1e9;
}

void compare(ivp::Stepper stepper) {
  const SliderCrank crank;
  const std::vector<Simd> all = supported_sets();
  fmt::print("{}: ns per step of all iterates, and how many times faster in lanes\n",
             name_of(stepper));
  fmt::print("{:>9} {:>11}", "iterates", "one by one");
  for (const char* what : {"iterates in lanes, ", "runs in lanes, "}) {
    for (Simd simd : all) {
      fmt::print(" {:>26}", fmt::format("{}{}", what, name_of(simd)));
    }
  }
  fmt::print("\n");
  for (int iterates : {1, 2, 3, 4, 8}) {
    std::vector<double> alone;
    std::vector<std::vector<double>> lanes(2 * all.size());
    for (int round = 0; round < rounds; ++round) {
      alone.push_back(one_by_one(crank, stepper, iterates));
      for (std::size_t i = 0; i < all.size(); ++i) {
        lanes[i].push_back(alone.back() / in_lanes(all[i], crank, stepper, iterates));
        lanes[all.size() + i].push_back(alone.back() / members(all[i], crank, stepper, iterates));
      }
    }
    fmt::print("{:>9} {:>11.0f}", iterates, median(alone));
    for (const std::vector<double>& ratios : lanes) fmt::print(" {:>26.2f}", median(ratios));
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace daewave

int main() {
  try {
    daewave::compare(daewave::ivp::Stepper::heun);
    daewave::compare(daewave::ivp::Stepper::rk4);
  } catch (const std::exception& error) {
    fmt::print(stderr, "daewave_bench_lanes: {}\n", error.what());
    return 1;
  }
  return 0;
}
