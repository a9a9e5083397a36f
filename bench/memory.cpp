// Solves lin on the number of intervals given and prints, as JSON, the bytes per interval that the
// report counts and the peak memory of this process.

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "bench/lin_options.hpp"

int main(int count, char** arguments) {
  CLI::App app{"Bytes per interval that the report counts, and the peak of this process, as JSON"};
  int intervals = 0;
  app.add_option("intervals", intervals, "Of problem lin")->required()->check(CLI::PositiveNumber);
  CLI11_PARSE(app, count, arguments);
  const auto solution = daewave::bench::solve_lin(intervals, 2);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::cout << "{\"intervals\": " << intervals << ", \"has_values\": " << std::boolalpha
            << solution.has_values()
            << ", \"reported_bytes\": " << solution.report.linear_solve.bytes_per_interval
            << ", \"peak_bytes\": " << 1024.0 * static_cast<double>(usage.ru_maxrss) << "}\n";
  return solution.has_values() ? 0 : 1;
}
