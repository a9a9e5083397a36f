// A pendulum over many periods: symmetric Gauss steps beside DOP853 with S-both2, in turns.
//
//   daewave_bench_long_time [periods] [repetitions]
//
// Prints CPU time beside that of DOP853, the error of the phase at the end, and the largest energy
// error so far, after a hundredth of the periods and after all: equal where it does not grow. Steps
// are no whole parts of the period: with those, resonance makes the energy error wander further.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "ivp/solve.hpp"
#include "problems/pendulum.hpp"

namespace {

using namespace daewave;
using problems::Pendulum;

struct Row {
  std::string name;
  ivp::Options options;
  double seconds = std::numeric_limits<double>::infinity();
};

ivp::Options quiet(ivp::Options options) {
  options.every = 0;
  options.multipliers = false;
  options.monitor = false;
  return options;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Largest |energy error| over the scale g l, of the ends of steps.
double energy_error(const Pendulum& pendulum, ivp::Options options, double end) {
  options.monitor = true;
  const auto solution = ivp::solve(pendulum, pendulum.start(), {0, end}, options);
  return std::abs(solution.report.integration.energy_change) / pendulum.g0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Energy and phase of a pendulum over many periods, and the time that it takes"};
  int periods = 10000, repetitions = 5;
  app.add_option("periods", periods)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("repetitions", repetitions, "Of each run, of which the least counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const Pendulum pendulum;
  std::vector<Row> rows;
  rows.push_back(
      {"dop853, s-both2, 1e-10", quiet({.method = ivp::SBoth2{}, .rtol = 1e-10, .atol = 1e-10})});
  for (const auto& [stages, steps] :
       {std::pair{3, 19.3}, {4, 12.7}, {4, 13.7}, {5, 9.7}, {5, 11.3}, {6, 9.3}, {6, 16.3}}) {
    const ivp::Options options{.method = ivp::SymmetricProjection{.stages = stages},
                               .h = pendulum.period() / steps};
    rows.push_back({fmt::format("symmetric, {} stages, {:.1f} steps a period", stages, steps),
                    quiet(options)});
  }
  rows.push_back(
      {"dop853, s-both2, 1e-12", quiet({.method = ivp::SBoth2{}, .rtol = 1e-12, .atol = 1e-12})});
  for (const double rtol : {1e-10, 1e-13}) {
    rows.push_back({fmt::format("windows, {:.0e}", rtol),
                    quiet({.method = ivp::GaussWindows{}, .rtol = rtol, .atol = rtol})});
  }
  for (const double windows : {16.0, 20.0, 20.3}) {
    rows.push_back({fmt::format("{:.1f} windows a period", windows),
                    quiet({.method = ivp::GaussWindows{}, .h = pendulum.period() / windows})});
  }
  const double end = periods * pendulum.period();
  std::vector<ivp::Solution> last(rows.size());
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double before = cpu_seconds();
      last[i] = ivp::solve(pendulum, pendulum.start(), {0, end}, rows[i].options);
      rows[i].seconds = std::min(rows[i].seconds, cpu_seconds() - before);
      if (!last[i].report.usable()) fmt::print("{}: {}\n", rows[i].name, last[i].report.full());
    }
  }
  fmt::print("{} periods, best of {}\n{:42}{:>8}{:>8}{:>12}{:>12}{:>12}{:>12}\n", periods,
             repetitions, "", "CPU s", "ratio", "evaluations", "phase s", "energy /100", "energy");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // At (1, 0), where the pendulum stands still but for y' = -g dt.
    const double phase = last[i].end()[3] / pendulum.g0;
    fmt::print("{:42}{:8.3f}{:8.2f}{:12}{:12.1e}{:12.1e}{:12.1e}\n", rows[i].name, rows[i].seconds,
               rows[i].seconds / rows[0].seconds, last[i].report.integration.evaluations, phase,
               energy_error(pendulum, rows[i].options, end / 100),
               energy_error(pendulum, rows[i].options, end));
  }
}
