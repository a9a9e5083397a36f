// CPU of mechanisms as a user states them (bench/user_mechanisms.hpp), whose structure is found,
// beside the catalogue's own, whose structure is stated: runs in turn, least of several.
//
//   daewave_bench_structure [REPETITIONS] [--case NAME ...] [--method NAME] [--rtol 1e-7 ...]
//
// "once" is a problem wrapped once and solved; "anew" has the wrapping in each run, as
// ivp::solve(struct) has it; "dense" takes the struct as it is written.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>

#include "bench/against_sundials/measurement.hpp"
#include "bench/lane_mechanisms.hpp"
#include "bench/user_mechanisms.hpp"
#include "catalogue/initial_value_catalogue.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "ivp/solve.hpp"

namespace {

using namespace daewave;

struct Runs {
  VecX start;
  Interval span;
  ivp::Options options;
  int times = 1;
};

double seconds(const Runs& runs, const std::function<DaeProblemPtr()>& problem) {
  const double before = bench::cpu_seconds();
  for (int i = 0; i < runs.times; ++i) {
    const ivp::Solution solution = ivp::solve(*problem(), runs.start, runs.span, runs.options);
    if (!solution.report.usable()) std::printf("%s\n", solution.report.brief().c_str());
  }
  return (bench::cpu_seconds() - before) / runs.times;
}

template <class P>
void compare(const std::string& what, const P& stated, const catalogue::InitialValueProblem& own,
             const ivp::Method* method, double tolerance, int repetitions, bool dense) {
  const auto with = with_autodiff(stated);
  using With = std::decay_t<decltype(with)>;
  Runs runs{own.start(), own.interval(), {.rtol = tolerance, .atol = tolerance}};
  runs.options.every = 0;
  runs.options.monitor = false;
  if (method != nullptr) runs.options.method = *method;
  const DaeProblemPtr once = problem_of(with, runs.start);
  const DaeProblemPtr written =
      std::make_shared<ProblemOf<With>>(std::make_shared<const With>(with), &runs.start);
  const std::function<DaeProblemPtr()> ways[] = {
      [&] { return DaeProblemPtr(DaeProblemPtr(), &own.problem()); }, [&] { return once; },
      [&] { return problem_of(with, runs.start); }, [&] { return written; }};
  const int count = dense ? 4 : 3;
  const double first = seconds(runs, ways[0]);
  runs.times = static_cast<int>(std::clamp(5e-3 / first, 1.0, 100.0));
  double best[4];
  std::fill(best, best + 4, std::numeric_limits<double>::infinity());
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (int way = 0; way < count; ++way) best[way] = std::min(best[way], seconds(runs, ways[way]));
  }
  std::printf("%-14s %-14s %7.0e %10.1f %7.2f %7.2f", what.c_str(),
              method != nullptr ? ivp::name_of(*method) : "default", tolerance, best[0] * 1e6,
              best[1] / best[0], best[2] / best[0]);
  if (dense) std::printf(" %7.2f", best[3] / best[0]);
  std::printf("\n");
  std::fflush(stdout);
}

catalogue::InitialValueProblemPtr named(const char* name, const catalogue::Parameters& with = {}) {
  return catalogue::make(*catalogue::find(name), with);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"CPU of mechanisms whose structure is found beside those that state it"};
  int repetitions = 5;
  app.add_option("repetitions", repetitions, "Of each run, of which the least counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  std::vector<std::string> cases, methods;
  std::vector<double> tolerances{1e-5, 1e-7, 1e-9};
  app.add_option("--case", cases, "Only these")
      ->check(CLI::IsMember({"arm", "seven bodies", "16 rods, fixed", "16 rods", "256 rods"}));
  app.add_option("--method", methods, "Only these")
      ->check(CLI::IsMember({"s-both2", "gauss-windows", "projection"}));
  app.add_option("--rtol", tolerances, "Tolerances")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  const ivp::Method windows = ivp::GaussWindows{}, dop853 = ivp::SBoth2{},
                    turns = ivp::ProjectEachStep{};
  const auto is_among = [](const std::vector<std::string>& wanted, const std::string& one) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), one) != wanted.end();
  };
  try {
    std::printf("%-14s %-14s %7s %10s %7s %7s %7s\n", "", "method", "rtol", "own, us", "once",
                "anew", "dense");
    const auto chain16 = named("chain"), chain256 = named("chain", {{"links", 256, ""}}),
               bodies = named("andrews"), arm = named("two-link-arm-1");
    for (const ivp::Method* method : {&dop853, &windows, &turns}) {
      if (!is_among(methods, ivp::name_of(*method))) continue;
      for (const double tolerance : tolerances) {
        const auto measure = [&](const std::string& name, const auto& stated, const auto& own,
                                 bool dense) {
          if (!is_among(cases, name)) return;
          compare(name, stated, *own, method, tolerance, repetitions, dense);
        };
        measure("arm", bench::Arm(), arm, true);
        measure("seven bodies", bench::SevenBodies(), bodies, true);
        measure("16 rods, fixed", bench::Rods<16>(), chain16, tolerance == 1e-5);
        measure("16 rods", bench::Rods<>(), chain16, false);
        measure("256 rods", bench::Rods<>{256}, chain256, false);
      }
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
