// Whole-interval windows beside DOP853 with S-both2, on the same evaluation: CPU time at which an
// error is reached at the end.
//
//   daewave_bench_windows [--repetitions N] [--case NAME] [--all]
//   daewave_bench_windows --case NAME --alone METHOD TOLERANCE TIMES    for a profiler
//
// Methods and cases take turns within a repetition, in one process, so that a busy spell of the
// machine strikes all alike; the best CPU time of each run is kept. References are exact, or a run
// by DOP853 at tolerance 1e-14.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/against_sundials/measurement.hpp"
#include "catalogue/initial_value_catalogue.hpp"
#include "ivp/solve.hpp"

namespace daewave::bench {
namespace {

struct Case {
  std::string name;
  catalogue::InitialValueProblemPtr problem;
  VecX exact;
  std::vector<Curve> curves;  ///< One for each method.
};

const std::vector<ivp::Method>& methods() {
  static const std::vector<ivp::Method> all{ivp::SBoth2{.formula = {ivp::Stepper::dop853, {}}},
                                            ivp::GaussWindows{}};
  return all;
}

ivp::Solution solve(const Case& one, const ivp::Method& method, double tolerance) {
  ivp::Options options;
  options.method = method;
  options.rtol = tolerance;
  options.atol = tolerance;
  options.every = 0;  // The end alone, and nothing watched on the way.
  options.multipliers = false;
  options.monitor = false;
  return one.problem->solve(one.problem->interval(), options);
}

Case make_case(std::string label, const std::string& name,
               const catalogue::Parameters& given = {}) {
  Case one{std::move(label), catalogue::make(*catalogue::find(name), given), {}, {}};
  const double end = one.problem->interval().end;
  one.exact = one.problem->reference(end).value_or(VecX());
  if (one.exact.size() == 0) one.exact = solve(one, methods()[0], 1e-14).end();
  for (const ivp::Method& method : methods()) {
    Curve curve{ivp::name_of(method), {}};
    for (int third = 12; third <= 39; ++third) {
      curve.runs.push_back(Run{.tolerance = std::pow(10.0, -third / 3.0)});
    }
    one.curves.push_back(std::move(curve));
  }
  return one;
}

/// The shortest runs are made often enough to be seen by the clock, on warm caches.
void measure(const Case& one, const ivp::Method& method, Run& run, int repetition) {
  constexpr double seen = 1e-3;
  const bool first = repetition == 0;
  const int times = first ? 1 : static_cast<int>(std::clamp(seen / run.seconds, 1.0, 100.0));
  ivp::Solution solution;
  const double before = cpu_seconds();
  for (int i = 0; i < times; ++i) solution = solve(one, method, run.tolerance);
  const double seconds = (cpu_seconds() - before) / times;
  if (first || seconds < run.seconds) run.seconds = seconds;
  run.finished = solution.report.usable();
  const VecX error = (solution.end() - one.exact).cwiseAbs();
  run.error = run.finished ? (error.array() / (1 + one.exact.array().abs())).maxCoeff() : NAN;
  run.evaluations = solution.report.integration.evaluations;
  run.steps = solution.report.integration.steps + solution.report.integration.rejected;
}

struct Named {
  std::string label, name;
  catalogue::Parameters given = {};
};

const std::vector<Named>& names() {
  static const std::vector<Named> all{{"pendulum", "pendulum"},
                                      {"seven-bodies", "andrews"},
                                      {"car-axis", "car-axis"},
                                      {"arm-1", "two-link-arm-1"},
                                      {"arm-2", "two-link-arm-2"},
                                      {"slider-crank", "slider-crank"},
                                      {"chain-4", "chain", {{"links", 4, {}}}},
                                      {"chain-16", "chain", {{"links", 16, {}}}},
                                      {"chain-64", "chain", {{"links", 64, {}}}}};
  return all;
}

/// What is asked for alone; all where nothing is.
std::vector<Case> cases_of(const std::string& only) {
  std::vector<Case> cases;
  for (const Named& one : names()) {
    if (only.empty() || only == one.label)
      cases.push_back(make_case(one.label, one.name, one.given));
  }
  return cases;
}

/// One method alone, so many times.
int run_alone(const std::string& only, const std::tuple<std::string, double, int>& alone) {
  const auto& [method, tolerance, times] = alone;
  for (const Case& one : cases_of(only)) {
    for (int i = 0; i < times; ++i) solve(one, ivp::method_named(method), tolerance);
  }
  return 0;
}

int run(int repetitions, const std::string& only, bool all) {
  std::vector<Case> cases = cases_of(only);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (Case& one : cases) {
      for (std::size_t i = 0; i < one.curves.front().runs.size(); ++i) {
        for (std::size_t m = 0; m < methods().size(); ++m) {
          measure(one, methods()[m], one.curves[m].runs[i], repetition);
        }
      }
    }
  }
  if (all) {
    for (const Case& one : cases) {
      for (const Curve& curve : one.curves) {
        for (const Run& run : curve.runs) {
          fmt::print("{:14}{:16}{:10.1e} error {:9.1e} {:9.1f} us {:7} steps {:9} evaluations\n",
                     one.name, curve.solver, run.tolerance, run.error, 1e6 * run.seconds, run.steps,
                     run.evaluations);
        }
      }
    }
  }
  const std::vector<double> errors{1e-5, 1e-7, 1e-9, 1e-11};
  std::vector<double> products(errors.size(), 0);
  std::vector<int> counts(errors.size(), 0);
  fmt::print("CPU time, us, s-both2 with dop853 / gauss-windows, and ratio\n{:14}", "error");
  for (const double error : errors) fmt::print("{:>28.0e}", error);
  fmt::print("\n");
  for (const Case& one : cases) {
    fmt::print("{:14}", one.name);
    for (std::size_t e = 0; e < errors.size(); ++e) {
      const auto theirs = seconds_at(one.curves[0], errors[e]);
      const auto ours = seconds_at(one.curves[1], errors[e]);
      if (!theirs || !ours) {
        fmt::print("{:>28}", "-");
        continue;
      }
      fmt::print("{:>11.1f} /{:8.1f} {:6.2f}", 1e6 * *theirs, 1e6 * *ours, *theirs / *ours);
      products[e] += std::log(*theirs / *ours);
      ++counts[e];
    }
    fmt::print("\n");
  }
  fmt::print("{:14}", "mean");
  for (std::size_t e = 0; e < errors.size(); ++e) {
    fmt::print("{:>28.2f}", counts[e] == 0 ? 0 : std::exp(products[e] / counts[e]));
  }
  fmt::print("\n");
  return 0;
}

}  // namespace
}  // namespace daewave::bench

int main(int argc, char** argv) {
  using namespace daewave::bench;
  CLI::App app{
      "Whole-interval windows beside DOP853 with S-both2: CPU time at which an error is reached"};
  int repetitions = 5;
  std::string only;
  bool all = false;
  std::vector<std::string> labels;
  for (const Named& one : names()) labels.push_back(one.label);
  app.add_option("--repetitions", repetitions, "Of each run, of which the least counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--case", only, "This one only")->check(CLI::IsMember(labels));
  app.add_flag("--all", all, "Each run, before what comes of them");
  std::tuple<std::string, double, int> alone;
  CLI::Option* profiled =
      app.add_option("--alone", alone, "METHOD TOLERANCE TIMES: one method alone, for a profiler");
  CLI11_PARSE(app, argc, argv);
  try {
    return *profiled ? run_alone(only, alone) : run(repetitions, only, all);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
