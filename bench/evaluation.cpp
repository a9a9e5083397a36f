// One evaluation of the accelerations of a multibody system: terms, elimination, solution; and what
// a stabilization after the step adds.

#include <benchmark/benchmark.h>

#include <array>
#include <stdexcept>

#include "ivp/reduced/reduced_multibody.hpp"
#include "problems/acpr.hpp"
#include "problems/andrews.hpp"
#include "problems/chain.hpp"
#include "problems/scissors.hpp"

namespace daewave::bench {
namespace {

/// A unit mass on a rod.
struct Pendulum {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;

  Vec<4> start() const { return {1, 0, 0, 0}; }
  Eigen::DiagonalMatrix<double, 2> M(const Position&) const {
    return Eigen::DiagonalMatrix<double, 2>(1, 1);
  }
  Position f(const Position&, const Position&, double) const { return {0, -9.81}; }
  Multiplier g(const Position& q, double) const { return Multiplier{(q.squaredNorm() - 1) / 2}; }
  Mat<1, 2> G(const Position& q, double) const { return q.transpose(); }
  Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier{v.squaredNorm()};
  }
};

using Arm = problems::TwoLinkArm<problems::ArmPath::parabola>;

/// States around the start, so that no evaluation repeats the one before.
template <class P>
std::array<VecX, 64> states_of(const P& problem) {
  std::array<VecX, 64> states;
  for (int i = 0; i < 64; ++i) {
    states[static_cast<std::size_t>(i)] =
        problem.start() + 1e-3 * i * VecX::Ones(problem.start().size());
  }
  return states;
}

template <class P>
void rhs(benchmark::State& state) {
  const P problem;
  const auto states = states_of(problem);
  ivp::ReducedMultibody<P> system(problem, ivp::ReductionKind::underlying, {});
  VecX slope(problem.start().size());
  std::size_t i = 0;
  for (auto _ : state) {
    if (!system.rhs(0, states[i++ % 64], slope)) throw std::runtime_error(system.failure());
    benchmark::DoNotOptimize(slope.data());
  }
}

template <class P>
void rhs_and_stabilize(benchmark::State& state) {
  const P problem;
  const auto states = states_of(problem);
  ivp::ReducedMultibody<P> system(problem, ivp::ReductionKind::s_both2, {});
  VecX slope(problem.start().size()), z;
  std::size_t i = 0;
  for (auto _ : state) {
    z = states[i++ % 64];
    if (!system.rhs(0, z, slope) || !system.after_step(0, z, slope)) {
      throw std::runtime_error(system.failure());
    }
    benchmark::DoNotOptimize(z.data());
  }
}

/// Linear in the rods of a chain, or in the cells of a lift: ns_per_link stays.
template <class P>
void rhs_by_links(benchmark::State& state) {
  const P problem{static_cast<int>(state.range(0))};
  const auto states = states_of(problem);
  ivp::ReducedMultibody<P> system(problem, ivp::ReductionKind::underlying, {});
  VecX slope(problem.start().size());
  std::size_t i = 0;
  for (auto _ : state) {
    if (!system.rhs(0, states[i++ % 64], slope)) throw std::runtime_error(system.failure());
    benchmark::DoNotOptimize(slope.data());
  }
  state.counters["ns_per_link"] = benchmark::Counter(
      1e-9 * static_cast<double>(state.range(0)),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

const bool registered = [] {
  benchmark::RegisterBenchmark("evaluate/chain", rhs_by_links<problems::Chain>)
      ->RangeMultiplier(4)
      ->Range(16, 1024);
  benchmark::RegisterBenchmark("evaluate/scissors", rhs_by_links<problems::Scissors>)
      ->RangeMultiplier(4)
      ->Range(16, 1024);
  benchmark::RegisterBenchmark("evaluate/pendulum", rhs<Pendulum>);
  benchmark::RegisterBenchmark("evaluate/arm", rhs<Arm>);
  benchmark::RegisterBenchmark("evaluate/andrews", rhs<problems::Andrews>);
  benchmark::RegisterBenchmark("stabilize/pendulum", rhs_and_stabilize<Pendulum>);
  benchmark::RegisterBenchmark("stabilize/arm", rhs_and_stabilize<Arm>);
  benchmark::RegisterBenchmark("stabilize/andrews", rhs_and_stabilize<problems::Andrews>);
  return true;
}();

}  // namespace
}  // namespace daewave::bench
