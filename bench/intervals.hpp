#pragma once
// Figures per interval of the mesh, the unit in which everything here is compared.

#include <benchmark/benchmark.h>

namespace daewave::bench {

/// Adds CPU time and, where it is known, memory per interval to a benchmark's counters.
inline void count_intervals(benchmark::State& state, int intervals, double bytes = 0) {
  using benchmark::Counter;
  // The inverse of a rate in units of 1e9 intervals: nanoseconds.
  state.counters["ns_per_interval"] =
      Counter(1e-9 * intervals, Counter::kIsIterationInvariantRate | Counter::kInvert);
  if (bytes > 0) state.counters["bytes_per_interval"] = bytes / intervals;
}

}  // namespace daewave::bench
