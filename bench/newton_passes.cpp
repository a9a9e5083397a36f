// What a nonlinear boundary value problem costs per interval, in all and per pass of Newton's
// method with new derivatives: the least of several runs taken in turns, without threads and on an
// executor of each number of them.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bvp/solve.hpp"
#include "parallel/executors.hpp"
#include "problems/bent_beams.hpp"
#include "problems/boundary_motion.hpp"
#include "problems/index_one.hpp"

namespace daewave::bench {
namespace {

/// The rod with its derivatives by hand.
struct KnownElastica : problems::Elastica {
  Mat<5, 5> f_x(const State& s, double) const {
    Mat<5, 5> J = Mat<5, 5>::Zero();
    J(0, 2) = -std::sin(s[2]);
    J(1, 2) = std::cos(s[2]);
    J(2, 3) = 1;
    J(3, 2) = -s[4] * std::sin(s[2]);
    J(3, 4) = std::cos(s[2]);
    return J;
  }
};

struct Case {
  std::string name;
  bvp::BoundaryProblem problem;
  bvp::Options options{};
};

std::vector<Case> cases(int intervals) {
  using namespace problems;
  const auto on = [intervals](bvp::Options options) {
    options.intervals = intervals;
    return options;
  };
  PendulumBetween pendulum;
  pendulum.t_end = 0.4;
  CrankBetween crank;
  crank.last_angle = 1.4;
  return {
      {"5 states, Gauss 4, differences", bvp::boundary_problem_of(Elastica{}), on({.stages = 4})},
      {"5 states, Gauss 4, derivatives given", bvp::boundary_problem_of(KnownElastica{}),
       on({.stages = 4})},
      {"index 1, Gauss 4", bvp::boundary_problem_of(IndexOneLayer{}), on({.stages = 4})},
      {"index 2, Gauss 3", bvp::boundary_problem_of(Al2Example61Boundary{}), on({.stages = 3})},
      {"index 3, pendulum, Gauss 3", bvp::boundary_problem_of(pendulum), on({.stages = 3})},
      {"index 3, slider-crank, Gauss 3", bvp::boundary_problem_of(crank), on({.stages = 3})},
  };
}

struct Cost {
  double seconds = 0;
  int passes = 0;  ///< Each with new derivatives and an elimination.
};

Cost run(const Case& of, const Executor* executor) {
  Cost cost;
  bvp::Options options = of.options;
  options.executor = executor;
  options.progress = [&cost](const bvp::Progress& at) {
    cost.passes += at.phase == "Newton's method";
    return true;
  };
  const auto before = std::chrono::steady_clock::now();
  const bvp::Solution solution = bvp::solve(of.problem, options);
  cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  if (!solution.report.usable()) throw std::runtime_error(solution.report.full());
  return cost;
}

/// @return how many cases there were to compare.
int compare(int intervals, int rounds, const std::vector<int>& threads, const std::string& executor,
            const std::string& only) {
  int compared = 0;
  struct Runner {
    std::string name;
    std::unique_ptr<Executor> executor;
  };
  std::vector<Runner> runners;
  runners.push_back({"none", nullptr});
  for (const int count : threads) {
    runners.push_back({fmt::format("{}", count), parallel::make_executor(executor, count)});
  }
  fmt::print("us per interval, in all and by pass of Newton's method, {} intervals\n{:38}{:>7}",
             intervals, "threads", "passes");
  for (const Runner& runner : runners) fmt::print("{:>16}", runner.name);
  fmt::print("\n");
  for (const Case& of : cases(intervals)) {
    if (of.name.find(only) == std::string::npos) continue;
    ++compared;
    std::vector<double> least(runners.size(), std::numeric_limits<double>::infinity());
    int passes = 0;
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < runners.size(); ++i) {
        const Cost cost = run(of, runners[i].executor.get());
        passes = cost.passes;
        least[i] = std::min(least[i], 1e6 * cost.seconds / intervals);
      }
    }
    fmt::print("{:38}{:7}", of.name, passes);
    for (const double each : least) fmt::print("{:9.2f}{:7.2f}", each, each / passes);
    fmt::print("\n");
    std::fflush(stdout);
  }
  return compared;
}

}  // namespace
}  // namespace daewave::bench

int main(int argc, char** argv) {
  CLI::App app("Cost of a pass of Newton's method per interval");
  int intervals = 20000, rounds = 5;
  std::vector<int> threads;
  std::string only, executor = "tbb";
  app.add_option("--intervals", intervals, "Of a uniform mesh")->check(CLI::PositiveNumber);
  app.add_option("--rounds", rounds, "Runs of each, of which the least counts")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", threads, "Numbers of threads to compare")->check(CLI::Range(1, 1024));
  app.add_option("--executor", executor, "Of the threads: as the program takes")
      ->check(CLI::IsMember(daewave::parallel::executor_names()));
  app.add_option("--case", only, "Only those whose name contains this");
  CLI11_PARSE(app, argc, argv);
  try {
    if (daewave::bench::compare(intervals, rounds, threads, executor, only) > 0) return 0;
    fmt::print(stderr, "--case {}: no name contains it; without --case all are run\n", only);
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "daewave_bench_newton: {}\n", error.what());
    return 1;
  }
}
