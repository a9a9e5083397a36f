// Work against precision: this library beside IDA and CVODE of SUNDIALS.
//
//   daewave_bench_sundials [--repetitions N] [--case NAME] [--output FOLDER]
//
// All solvers and cases take turns within a repetition, in one process, so that a busy spell of the
// machine strikes all alike; the best CPU time of each run is kept. The references of the cases are
// exact, or this library at tolerance 1e-13, which CVODE and IDA confirm.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/against_sundials/cvode_solver.hpp"
#include "bench/against_sundials/ida_solver.hpp"
#include "bench/against_sundials/our_solver.hpp"
#include "bench/against_sundials/presentation.hpp"
#include "catalogue/initial_value_catalogue.hpp"
#include "problems/acpr.hpp"
#include "problems/andrews.hpp"

namespace daewave::bench {
namespace {

/// Slower runs are not repeated more often than this many seconds allow.
constexpr double seconds_for_one = 1.5;

struct Contestant {
  std::string name;
  std::function<Outcome(double tolerance)> run;
};

/// IDASetNonlinConvCoef: its default, 0.33, leaves errors of Newton's method that add up.
constexpr double close_newton = 0.01;

/// A case with the problem erased.
struct Case {
  std::string name, description;
  VecX exact;
  std::vector<Contestant> contestants;
};

double error_of(const VecX& state, const VecX& exact) {
  return ((state - exact).array().abs() / (1 + exact.array().abs())).maxCoeff();
}

/// What is compared for a problem: with dense matrices, with sparse ones too, or, for many
/// unknowns, with sparse ones alone.
enum class Matrices { dense, both, sparse };

/// @param ours  the same problem in the catalogue.
template <class P>
Case make_case(std::string name, std::string description, P given, const std::string& ours,
               const catalogue::Parameters& parameters, Matrices matrices, const VecX& exact = {}) {
  const auto problem = std::make_shared<const P>(std::move(given));
  Case made{std::move(name), std::move(description), exact, {}};
  const auto add = [&](std::string solver, auto object) {
    made.contestants.push_back({std::move(solver), [problem, object](double tolerance) {
                                  return object->run(tolerance);
                                }});
  };
  const auto own = std::make_shared<const OurSolver>(
      catalogue::make(*catalogue::find(ours), parameters), problem->interval());
  add(ours_name, own);
  if (matrices != Matrices::sparse) {
    add("IDA", std::make_shared<IdaSolver<P>>(*problem, IdaMatrix::dense));
    add("IDA, Newton to 0.01",
        std::make_shared<IdaSolver<P>>(*problem, IdaMatrix::dense, close_newton));
    add("CVODE BDF, Newton", std::make_shared<CvodeSolver<P>>(*problem, CvodeMethod::bdf_newton));
  }
  add("CVODE BDF, fixed point",
      std::make_shared<CvodeSolver<P>>(*problem, CvodeMethod::bdf_fixed_point));
  add("CVODE Adams", std::make_shared<CvodeSolver<P>>(*problem, CvodeMethod::adams));
  if (matrices != Matrices::dense) {
    add("IDA with KLU", std::make_shared<IdaSolver<P>>(*problem, IdaMatrix::klu));
  }
  if (made.exact.size() == 0) made.exact = own->run(1e-13).state;
  return made;
}

std::vector<Case> all_cases() {
  problems::Pendulum pendulum;
  pendulum.t_end = 10 * pendulum.period();
  const auto links = [](int number) {
    return catalogue::Parameters{{"links", static_cast<double>(number), {}}};
  };
  std::vector<Case> cases;
  cases.push_back(make_case("pendulum", "pendulum, 10 periods", pendulum, "pendulum", {},
                            Matrices::dense, pendulum.z_exact(pendulum.t_end)));
  cases.push_back(make_case("andrews", "Andrews' mechanism, t = 0.03", problems::Andrews{},
                            "andrews", {}, Matrices::dense));
  cases.push_back(make_case("arm-1", "two-link arm I, 40 s", problems::AcprCase1{},
                            "two-link-arm-1", {}, Matrices::dense));
  cases.push_back(make_case("arm-2", "two-link arm II, 10 s", problems::AcprCase2{},
                            "two-link-arm-2", {}, Matrices::dense));
  cases.push_back(make_case("chain-4", "chain of 4 rods, 2 s", problems::Chain{4}, "chain",
                            links(4), Matrices::both));
  cases.push_back(make_case("chain-16", "chain of 16 rods, 2 s", problems::Chain{16}, "chain",
                            links(16), Matrices::both));
  cases.push_back(make_case("chain-256", "chain of 256 rods, 2 s", problems::Chain{256}, "chain",
                            links(256), Matrices::sparse));
  return cases;
}

/// The shortest runs are made often enough to be seen by the clock, on warm caches.
void measure(const Contestant& contestant, const VecX& exact, Run& run, int repetition) {
  constexpr double seen = 2e-3;
  const bool first = repetition == 0;
  if (!first && (!run.finished || run.seconds * (repetition + 1) > seconds_for_one)) return;
  const int times = first ? 1 : static_cast<int>(std::clamp(seen / run.seconds, 1.0, 100.0));
  Outcome outcome;
  const double before = cpu_seconds();
  for (int i = 0; i < times; ++i) outcome = contestant.run(run.tolerance);
  const double seconds = (cpu_seconds() - before) / times;
  if (first || seconds < run.seconds) run.seconds = seconds;
  run.finished = outcome.finished;
  run.error = outcome.finished ? error_of(outcome.state, exact) : NAN;
  run.evaluations = outcome.evaluations;
  run.jacobians = outcome.jacobians;
  run.steps = outcome.steps;
}

std::vector<CaseResult> compare(const std::vector<Case>& cases, int repetitions) {
  std::vector<CaseResult> results;
  for (const Case& one : cases) {
    CaseResult result{one.name, one.description, {}};
    for (const Contestant& contestant : one.contestants) {
      Curve curve{contestant.name, {}};
      for (int half_digits = 6; half_digits <= 24; ++half_digits) {
        Run run;
        run.tolerance = std::pow(10.0, -0.5 * half_digits);
        curve.runs.push_back(run);
      }
      result.curves.push_back(std::move(curve));
    }
    results.push_back(std::move(result));
  }
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t c = 0; c < cases.size(); ++c) {
      const std::size_t tolerances = results[c].curves.front().runs.size();
      for (std::size_t i = 0; i < tolerances; ++i) {
        for (std::size_t s = 0; s < cases[c].contestants.size(); ++s) {
          measure(cases[c].contestants[s], cases[c].exact, results[c].curves[s].runs[i],
                  repetition);
        }
      }
    }
    fmt::print(stderr, "repetition {} of {}\n", repetition + 1, repetitions);
  }
  return results;
}

int run(int argc, char** argv) {
  CLI::App app{"Work against precision: this library beside IDA and CVODE of SUNDIALS"};
  int repetitions = 5;
  std::string only, output;
  std::vector<Case> cases = all_cases();
  std::vector<std::string> names;
  for (const Case& one : cases) names.push_back(one.name);
  app.add_option("--repetitions", repetitions, "Of each run, of which the least counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--case", only, "This one only")->check(CLI::IsMember(names));
  app.add_option("--output", output, "Folder for work-precision.svg and .json")
      ->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);
  std::erase_if(cases, [&](const Case& one) { return !only.empty() && one.name != only; });
  const std::vector<CaseResult> results = compare(cases, repetitions);
  std::fputs(runs_text(results).c_str(), stdout);
  std::fputs(ratios_text(results).c_str(), stdout);
  if (!output.empty()) write_results(output, results);
  return 0;
}

}  // namespace
}  // namespace daewave::bench

int main(int argc, char** argv) {
  try {
    return daewave::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
