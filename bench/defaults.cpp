// CPU time of the default method at given tolerances, and the error that is left, on problems of
// the catalogue: to be built against two commits, and run in turns.
//
//   daewave_bench_defaults [REPETITIONS] [--case NAME ...]

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "bench/against_sundials/measurement.hpp"
#include "catalogue/initial_value_catalogue.hpp"
#include "ivp/solve.hpp"

namespace {

using namespace daewave;

struct Case {
  std::string label, name;
  double links = 0;  ///< Of a chain.
};

ivp::Solution solve(const catalogue::InitialValueProblem& problem, double tolerance) {
  ivp::Options options;
  options.rtol = tolerance;
  options.atol = tolerance;
  options.every = 0;  // The end alone, and nothing watched on the way.
  options.multipliers = options.monitor = false;
  return problem.solve(problem.interval(), options);
}

void measure(const Case& one, int repetitions) {
  const auto problem = catalogue::make(
      *catalogue::find(one.name),
      one.links > 0 ? catalogue::Parameters{{"links", one.links, {}}} : catalogue::Parameters{});
  VecX exact = problem->reference(problem->interval().end).value_or(VecX());
  if (exact.size() == 0) exact = solve(*problem, 1e-13).end();
  for (int third = 15; third <= 26; ++third) {
    const double tolerance = std::pow(10.0, -third / 3.0);
    double least = std::numeric_limits<double>::infinity();
    ivp::Solution solution;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      const int times = repetition == 0 ? 1 : static_cast<int>(std::clamp(1e-3 / least, 1.0, 50.0));
      const double before = bench::cpu_seconds();
      for (int i = 0; i < times; ++i) solution = solve(*problem, tolerance);
      least = std::min(least, (bench::cpu_seconds() - before) / times);
    }
    const VecX error = (solution.end() - exact).cwiseAbs();
    std::printf("%-14s %8.2e %9.3e %10.1f%s\n", one.label.c_str(), tolerance,
                (error.array() / (1 + exact.array().abs())).maxCoeff(), least * 1e6,
                solution.report.usable() ? "" : "  not usable");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"CPU time of the default method beside the error that is left"};
  int repetitions = 3;
  app.add_option("repetitions", repetitions, "Of each run, of which the least counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  const std::vector<Case> cases{{"pendulum", "pendulum"},     {"seven bodies", "andrews"},
                                {"arm I", "two-link-arm-1"},  {"arm II", "two-link-arm-2"},
                                {"chain of 4", "chain", 4},   {"chain of 16", "chain", 16},
                                {"chain of 64", "chain", 64}, {"chain of 256", "chain", 256}};
  std::vector<std::string> names, only;
  for (const Case& one : cases) names.push_back(one.label);
  app.add_option("--case", only, "Only these")->check(CLI::IsMember(names));
  CLI11_PARSE(app, argc, argv);
  std::printf("%-14s %8s %9s %10s\n", "", "rtol", "error", "us");
  for (const Case& one : cases) {
    if (!only.empty() && std::find(only.begin(), only.end(), one.label) == only.end()) continue;
    measure(one, repetitions);
  }
}
