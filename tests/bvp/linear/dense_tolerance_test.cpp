// A tolerance holds anywhere in the interval, not only where the equations were satisfied.

#include <algorithm>

#include "bvp/solve.hpp"
#include "problems/linear_catalogue.hpp"
#include "tests/catch.hpp"

using namespace daewave;

TEST_CASE("dense output of every problem of the catalogue keeps the tolerance", "[bvp][dense]") {
  for (const problems::LinearEntry& entry : problems::linear_entries()) {
    const problems::LinearProblem problem = problems::make(entry);
    for (double tolerance : {1e-4, 1e-6, 1e-8}) {
      const bvp::Solution solution = bvp::solve(problem.dae, {.tolerance = tolerance});
      INFO(entry.name << " to " << tolerance << ": " << solution.report.brief());
      REQUIRE(solution.report.usable());
      const double begin = solution.mesh().begin(), length = solution.mesh().end() - begin;
      VecX x_gap = VecX::Zero(solution.nx()), By_gap = x_gap, x_size = x_gap, By_size = x_gap;
      // Points in irregular places of the intervals: a multiple of the golden ratio, modulo 1.
      for (int i = 1; i <= 5000; ++i) {
        const double place = 0.6180339887498949 * i;
        const double t = begin + length * (place - static_cast<int>(place));
        const VecX x = problem.x_exact(t), By = problem.By_exact(t);
        x_gap = x_gap.cwiseMax((solution.x(t) - x).cwiseAbs());
        By_gap = By_gap.cwiseMax((solution.By(t) - By).cwiseAbs());
        x_size = x_size.cwiseMax(x.cwiseAbs());
        By_size = By_size.cwiseMax(By.cwiseAbs());
      }
      // The tolerance is relative to 1 + the largest value of the component.
      CHECK((x_gap.array() / (1 + x_size.array())).maxCoeff() <= tolerance);
      CHECK((By_gap.array() / (1 + By_size.array())).maxCoeff() <= tolerance);
    }
  }
}
