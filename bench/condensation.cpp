// From coefficients to block rows: evaluate, regularize and eliminate the stages, per interval.
//
//   condense/moving    everything a discretization does for a problem that varies
//   condense/constant  the same where evaluating is a copy
//   regularize         the regularized multiplier equations of an interval's stages alone
//   eliminate          assembling and eliminating the stage equations alone

#include <benchmark/benchmark.h>

#include <numeric>
#include <stdexcept>
#include <string>

#include "bench/intervals.hpp"
#include "bench/random_dae.hpp"
#include "bvp/linear/discretization.hpp"

namespace daewave::bench {
namespace {

constexpr int intervals = 1024;

Regularization regularization() { return {.epsilon = 1e-3, .alpha1 = 0, .alpha2 = 1}; }

template <int nx, bool moving>
using Problem = RandomDae<nx, (nx < 8 ? 1 : nx / 4), moving>;

template <int nx, bool moving>
void condense(benchmark::State& state, int k) {
  const auto problem = erase(Problem<nx, moving>{});
  const ConstraintScan scan = scan_constraint(*problem);
  const bvp::Setting setting{.mesh = uniform_mesh(0, 10, intervals),
                             .scheme = collocation(Scheme::gauss, k),
                             .regularization = regularization()};
  double bytes = 0;
  for (auto _ : state) {
    const bvp::Discretization discretization(*problem, setting, scan, Serial(), {});
    if (!discretization.failure().empty()) throw std::runtime_error(discretization.failure());
    bytes = discretization.bytes() + discretization.matrix().bytes();
  }
  count_intervals(state, intervals, bytes);
}

/// The coefficients of one chunk of intervals, in the cache as the discretization leaves them.
struct Chunk {
  static constexpr int size = bvp::Discretization::chunk;

  Chunk(const LinearDae& problem, int k)
      : coefficients(problem.nx(), problem.ny(), false), regularized(problem.nx(), problem.ny()) {
    std::vector<double> t(static_cast<std::size_t>(size * k));
    std::iota(t.begin(), t.end(), 0.0);
    problem.evaluate(t.data(), static_cast<int>(t.size()), coefficients);
    regularized.resize(static_cast<int>(t.size()));
  }

  CoefficientBatch coefficients;
  StageBatch regularized;
};

template <int nx>
void regularize(benchmark::State& state, int k) {
  const auto problem = erase(Problem<nx, true>{});
  Chunk chunk(*problem, k);
  LinearRegularizer regularizer(nx, problem->ny(), regularization());
  for (auto _ : state) {
    for (int i = 0; i < chunk.coefficients.points(); ++i) {
      regularizer.regularize(chunk.coefficients, i, chunk.regularized);
    }
    benchmark::ClobberMemory();
  }
  count_intervals(state, Chunk::size);
}

template <int nx>
void eliminate(benchmark::State& state, int k) {
  const auto problem = erase(Problem<nx, true>{});
  Chunk chunk(*problem, k);
  LinearRegularizer regularizer(nx, problem->ny(), regularization());
  for (int i = 0; i < chunk.coefficients.points(); ++i) {
    regularizer.regularize(chunk.coefficients, i, chunk.regularized);
  }
  const Collocation scheme = collocation(Scheme::gauss, k);
  const StageLayout layout(nx, problem->ny(), scheme);
  StageElimination elimination(layout, scheme, regularization().epsilon);
  BabdMatrix matrix(layout.node, Chunk::size);
  StageMaps maps(layout, Chunk::size);
  double least = 1;
  for (auto _ : state) {
    for (int i = 0; i < Chunk::size; ++i) {
      least = std::min(least, elimination.condense(chunk.coefficients, chunk.regularized, i * k,
                                                   0.01, matrix.S(i), matrix.R(i), maps, i));
    }
    benchmark::ClobberMemory();
  }
  if (!(least > 0)) throw std::runtime_error("singular stage equations");
  count_intervals(state, Chunk::size);
}

template <int nx>
void register_size() {
  for (const int k : {1, 2, 3}) {
    const std::string tail = "/n:" + std::to_string(nx) + "/k:" + std::to_string(k);
    const auto add = [&](const char* name, void (*timed)(benchmark::State&, int)) {
      benchmark::RegisterBenchmark((name + tail).c_str(), timed, k);
    };
    add("condense/moving", condense<nx, true>);
    add("condense/constant", condense<nx, false>);
    add("regularize", regularize<nx>);
    add("eliminate", eliminate<nx>);
  }
}

const bool registered = [] {
  register_size<2>();
  register_size<4>();
  register_size<6>();
  register_size<12>();
  register_size<24>();
  return true;
}();

}  // namespace
}  // namespace daewave::bench
