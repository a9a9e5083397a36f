// Solves lin on the number of intervals given and prints, as JSON, the bytes per interval that the
// report counts and the peak memory of this process.

#include <sys/resource.h>

#include <cstdlib>
#include <iostream>

#include "bench/lin_options.hpp"

int main(int count, char** arguments) {
  const int intervals = count == 2 ? std::atoi(arguments[1]) : 0;
  if (intervals < 1) {
    std::cerr << "usage: daewave_bench_memory INTERVALS\n";
    return 2;
  }
  const auto solution = daewave::bench::solve_lin(intervals, 2);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::cout << "{\"intervals\": " << intervals << ", \"has_values\": " << std::boolalpha
            << solution.has_values()
            << ", \"reported_bytes\": " << solution.report.linear_solve.bytes_per_interval
            << ", \"peak_bytes\": " << 1024.0 * static_cast<double>(usage.ru_maxrss) << "}\n";
  return solution.has_values() ? 0 : 1;
}
