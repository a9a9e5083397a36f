// Large sparse problems: what a step takes from one size to the next, and sequential regularization
// beside the projection method at equal error. Seconds are those of the processor, least of some
// runs taken in turns.
//
//   daewave_bench_large [CELLS] [RUNS]

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

#include "core/not_finite.hpp"
#include "large/flow/flow_catalogue.hpp"
#include "large/flow/pressure_correction.hpp"
#include "large/network/power_grid.hpp"
#include "sparse/solve.hpp"

namespace {

using namespace daewave;

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

struct Measured {
  int cells = 0;
  double seconds = 1e300, error = 0, bytes = 0, entries = 0;
  long steps = 0;
};

/// One run, which is kept where it is the fastest so far.
template <class Solve>
void measure(Measured& best, const flow::FlowProblem& problem, const Solve& solve) {
  const double begin = processor_seconds();
  const sparse::Solution solution = solve();
  const double seconds = processor_seconds() - begin;
  best.seconds = std::min(best.seconds, seconds);
  best.error = largest_size(solution.x - problem.exact_x(solution.t));
  best.bytes = solution.bytes;
  best.entries = solution.factor_entries;
  best.steps = solution.report.integration.steps;
}

/// Seconds of `of` at an error, on the line through its neighbours in logarithms.
double seconds_at(const std::vector<Measured>& of, double error) {
  std::size_t k = 0;
  while (k + 2 < of.size() && of[k + 1].error > error) ++k;
  const double slope =
      std::log(of[k + 1].seconds / of[k].seconds) / std::log(of[k + 1].error / of[k].error);
  return of[k].seconds * std::exp(slope * std::log(error / of[k].error));
}

void flows(int most, int runs) {
  std::vector<Measured> srm, projection;
  for (int cells = 16; cells <= most; cells *= 2) {
    const flow::NamedFlow flow =
        flow::make(*flow::find_flow("taylor-green"), {{"cells", static_cast<double>(cells), ""}});
    const flow::FlowProblem& problem = flow.problem;
    const sparse::Options options{.h = problem.default_h(), .epsilon = 1e-3, .iterates = 1};
    Measured one{.cells = cells}, other{.cells = cells};
    for (int r = 0; r < runs; ++r) {
      measure(one, problem,
              [&] { return sparse::solve(problem, problem.start(), flow.interval, options); });
      measure(other, problem, [&] {
        return flow::solve_by_projection(problem, problem.start(), flow.interval, options);
      });
    }
    srm.push_back(one);
    projection.push_back(other);
  }
  std::printf(
      "taylor-green        srm, one iterate               projection            at equal error\n");
  std::printf(
      "cells  unknowns     error   s/step    MB           error   s/step        srm / "
      "projection\n");
  for (std::size_t k = 0; k < srm.size(); ++k) {
    const Measured &a = srm[k], &b = projection[k];
    std::printf("%5d  %8d  %8.2e  %.1e  %4.1f        %8.2e  %.1e        %.2f\n", a.cells,
                3 * a.cells * a.cells - 2 * a.cells, a.error,
                a.seconds / static_cast<double>(a.steps), a.bytes / 1e6, b.error,
                b.seconds / static_cast<double>(b.steps),
                a.seconds / seconds_at(projection, a.error));
  }
}

void grids(int runs) {
  std::printf("power grid: unknowns, seconds of a step, bytes for each unknown\n");
  for (const int side : {19, 38, 76, 152}) {
    const network::PowerGrid grid({.side = side});
    double best = 1e300, bytes = 0;
    long steps = 1;
    for (int r = 0; r < runs; ++r) {
      const double begin = processor_seconds();
      const auto solution =
          sparse::solve(grid, grid.start(), {0, 0.5}, {.h = 0.0025, .epsilon = 1e-6});
      best = std::min(best, processor_seconds() - begin);
      bytes = solution.bytes;
      steps = solution.report.integration.steps;
    }
    std::printf("  %6d  %.2e  %.0f\n", grid.nx(), best / static_cast<double>(steps),
                bytes / grid.nx());
  }
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app{"Large sparse problems: time of a step by size, and beside the projection method"};
  int most = 64, runs = 3;
  app.add_option("cells", most, "Of a side, at most")
      ->check(CLI::Range(32, 4096))
      ->capture_default_str();
  app.add_option("runs", runs, "Of each, of which the least counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI11_PARSE(app, count, arguments);
  flows(most, runs);
  grids(runs);
}
