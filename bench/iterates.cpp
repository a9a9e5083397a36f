// What the first iterate costs (evaluate, condense, factorize, sweep) and what each further one.

#include <benchmark/benchmark.h>

#include <stdexcept>

#include "bench/intervals.hpp"
#include "bench/lin_options.hpp"

namespace daewave::bench {
namespace {

void lin(benchmark::State& state) {
  constexpr int intervals = 100000;
  double bytes = 0;
  for (auto _ : state) {
    const bvp::Solution solution = solve_lin(intervals, static_cast<int>(state.range(0)));
    if (!solution.has_values()) throw std::runtime_error(solution.report.message);
    const Seconds& seconds = solution.report.seconds;
    state.counters["condense_ns"] = 1e9 * seconds.condense / intervals;
    state.counters["factorize_ns"] = 1e9 * seconds.factorize / intervals;
    state.counters["sweeps_ns"] = 1e9 * seconds.solve / intervals;
    bytes = solution.report.linear_solve.bytes_per_interval * intervals;
  }
  count_intervals(state, intervals, bytes);
}
BENCHMARK(lin)->ArgName("iterates")->Arg(1)->Arg(5)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace daewave::bench
