// Factorizing and solving S_i u_i + R_i u_{i+1} = b_i with separated conditions, per interval.

#include <benchmark/benchmark.h>

#include <map>
#include <stdexcept>
#include <string>

#include "bench/dichotomic_matrix.hpp"
#include "bench/intervals.hpp"
#include "core/blocks/linear_solver.hpp"

namespace daewave::bench {
namespace {

/// Matrix and factors of a few MB: beyond the private caches, as in a long solve.
int intervals_of(int n, const std::string& solver) {
  const int intervals = n == 2 ? 20000 : n == 6 ? 5000 : n == 12 ? 2000 : 1000;
  return solver == "umfpack" || solver == "eigen" ? intervals / 4 : intervals;
}

const DichotomicProblem& problem_of(int n, int intervals) {
  static std::map<std::pair<int, int>, DichotomicProblem> known;
  const auto [entry, fresh] = known.try_emplace({n, intervals});
  if (fresh) entry->second = dichotomic_problem(n, intervals);
  return entry->second;
}

/// As the library does it: a new solver for every matrix.
void factorize(benchmark::State& state, const std::string& name, int n) {
  const int intervals = intervals_of(n, name);
  const DichotomicProblem& problem = problem_of(n, intervals);
  double bytes = 0;
  for (auto _ : state) {
    const auto solver = make_linear_solver(name);
    solver->analyze(problem.matrix);
    if (!solver->factorize(problem.matrix).usable) throw std::runtime_error(name);
    bytes = solver->bytes();
  }
  count_intervals(state, intervals, bytes);
}

void solve(benchmark::State& state, const std::string& name, int n) {
  const int intervals = intervals_of(n, name);
  const DichotomicProblem& problem = problem_of(n, intervals);
  const auto solver = make_linear_solver(name);
  solver->analyze(problem.matrix);
  solver->factorize(problem.matrix);
  VecX u, residual;
  for (auto _ : state) {
    solver->solve(problem.right, u);
    benchmark::DoNotOptimize(u.data());
  }
  // A fast wrong answer is no answer.
  const double error = problem.matrix.residual(problem.right, u, residual);
  if (!(error < 1e-12))
    throw std::runtime_error(name + ": backward error " + std::to_string(error));
  count_intervals(state, intervals);
}

const bool registered = [] {
  for (const std::string& name : linear_solver_names()) {
    for (const int n : {2, 6, 12, 24}) {
      const std::string tail = name + "/n:" + std::to_string(n);
      benchmark::RegisterBenchmark(("factorize/" + tail).c_str(),
                                   [=](benchmark::State& state) { factorize(state, name, n); });
      benchmark::RegisterBenchmark(("solve/" + tail).c_str(),
                                   [=](benchmark::State& state) { solve(state, name, n); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace daewave::bench
