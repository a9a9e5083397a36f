// Orders of x at the nodes and of B y at the stages, for h << epsilon and for epsilon << h. With
// the exact B y as initial iterate every iterate has the exact solution, so only the discretization
// errs.                                                                 [AL1] (4.6), (4.8)

#include "bvp/solve.hpp"
#include "problems/al1.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::Errors;
using testing::observed_order;

constexpr double slow = 0.5;    // h << epsilon
constexpr double fast = 1e-10;  // epsilon << h

Errors errors_with(Scheme scheme, int stages, double epsilon, int intervals, int iterates) {
  const problems::Al1Example1 problem;
  const Solution solution = solve(
      problem, {.scheme = scheme,
                .stages = stages,
                .intervals = intervals,
                .epsilon = epsilon,
                .alpha1 = 0.0,
                .iterates = iterates,
                .By_0 = Waveform::function([problem](double t) { return problem.By_exact(t); }),
                .conditioning = false});
  INFO(solution.report.brief());
  REQUIRE(solution.report.usable());
  CHECK(solution.report.history.size() == static_cast<std::size_t>(iterates));
  return testing::errors_of(solution, problem);
}

struct Row {
  Scheme scheme;
  int stages;
  double epsilon;
  double x, By;   // Orders.
  int coarse_x;   // Intervals where the order of x shows, above the floor of rounding,
  int coarse_By;  // and that of B y.
};

/// Even numbers of intervals for gauss, odd ones for radau: no stage lies at the singular point.
int finer(Scheme scheme, int intervals) {
  return scheme == Scheme::radau ? 2 * intervals - 1 : 2 * intervals;
}

}  // namespace

TEST_CASE("x and B y converge with the orders of each scheme, in both regimes",
          "[orders][AL1-4.6]") {
  const std::vector<Row> table{
      {Scheme::gauss, 1, slow, 2, 2, 80, 160},  {Scheme::gauss, 2, slow, 4, 3, 40, 80},
      {Scheme::gauss, 3, slow, 6, 4, 6, 40},    {Scheme::gauss, 1, fast, 2, 1, 80, 160},
      {Scheme::gauss, 2, fast, 2, 1, 80, 160},  {Scheme::gauss, 3, fast, 4, 3, 20, 40},
      {Scheme::gauss, 4, fast, 4, 3, 20, 40},   {Scheme::radau, 1, slow, 1, 1, 161, 161},
      {Scheme::radau, 2, slow, 3, 3, 41, 81},   {Scheme::radau, 3, slow, 5, 4, 11, 41},
      {Scheme::radau, 1, fast, 1, 1, 161, 161}, {Scheme::radau, 2, fast, 3, 2, 41, 81},
      {Scheme::radau, 3, fast, 5, 3, 11, 41},
  };
  for (const Row& row : table) {
    for (const int iterates : {1, 3}) {
      CAPTURE(name_of(row.scheme), row.stages, row.epsilon, iterates);
      const auto at = [&](int n) {
        return errors_with(row.scheme, row.stages, row.epsilon, n, iterates);
      };
      const auto ratio = [&](int n) { return double(finer(row.scheme, n)) / n; };
      const Errors coarse = at(row.coarse_x), fine = at(finer(row.scheme, row.coarse_x));
      CAPTURE(coarse.x, fine.x);
      CHECK(observed_order(coarse.x, fine.x, ratio(row.coarse_x)) == Approx(row.x).margin(0.15));
      const Errors coarse_By = at(row.coarse_By), fine_By = at(finer(row.scheme, row.coarse_By));
      CAPTURE(coarse_By.By, fine_By.By);
      CHECK(observed_order(coarse_By.By, fine_By.By, ratio(row.coarse_By)) ==
            Approx(row.By).margin(0.15));
    }
  }
}

}  // namespace daewave::bvp
