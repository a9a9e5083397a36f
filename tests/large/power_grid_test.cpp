// A grid of buses: sparse steps on an unsymmetric matrix, linear and not.

#include <cmath>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "large/network/power_grid.hpp"
#include "sparse/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using network::PowerGrid;

namespace {

sparse::Solution solved(const PowerGrid& grid, double h) {
  auto solution =
      sparse::solve(grid, grid.start(), {0, 0.6}, {.h = h, .epsilon = 1e-6, .iterates = 2});
  REQUIRE(solution.report.usable());
  return solution;
}

}  // namespace

TEST_CASE("a power grid is of order 2, currents of its sources too", "[network]") {
  for (const double cubic : {0.0, 2.0}) {
    const PowerGrid grid({.side = 5, .cubic_load = cubic, .generator_distance = 9});
    const auto a = solved(grid, 0.01), b = solved(grid, 0.005), c = solved(grid, 0.0025);
    CHECK(std::log2(largest_size(a.x - b.x) / largest_size(b.x - c.x)) == Approx(2).margin(0.3));
    CHECK(std::log2(largest_size(a.y - b.y) / largest_size(b.y - c.y)) == Approx(2).margin(0.5));
    CHECK(c.report.integration.drift_position < 1e-8);
    const int factorized = c.report.linear_solve.factorizations;
    CHECK((cubic == 0 ? factorized == 2 : factorized >= 240));
    CHECK(c.report.linear_solve.analyses == 1);
  }
}

TEST_CASE("currents at each bus of a power grid add up to zero", "[network]") {
  const PowerGrid grid({.side = 5, .cubic_load = 1, .generator_distance = 9});
  const double h = 1e-3;
  VecX before, at, after;
  sparse::Options options{.h = h, .epsilon = 1e-6, .every = 1};
  VecX y, force;
  options.sink = [&](double t, const VecX& x, const VecX& multiplier) {
    if (std::abs(t - 0.1) < h / 2) before = x;
    if (std::abs(t - 0.1 - h) < h / 2) {
      at = x;
      y = multiplier;
    }
    if (std::abs(t - 0.1 - 2 * h) < h / 2) after = x;
  };
  REQUIRE(sparse::solve(grid, grid.start(), {0, 0.2}, options).report.usable());
  grid.f(at, 0.1 + h, force);
  sparse::SparseMatrix G;
  grid.G(at, 0, G);
  const VecX open = grid.M() * ((after - before) / (2 * h)) - force + G.transpose() * y;
  CHECK(largest_size(open) < 1e-3 * largest_size(force));
}

TEST_CASE("switches that close a loop leave the voltages as they are", "[network]") {
  const auto with =
      solved(PowerGrid({.side = 5, .generator_distance = 9, .coupler_loop = true}), 0.01);
  CHECK(with.x[0] == Approx(with.x[6]));
  CHECK(with.x[0] == Approx(with.x[5]));
  CHECK_THROWS_WITH(PowerGrid({.side = 5, .generator_distance = 6, .coupler_loop = true}),
                    contains_text("contradict"));
  CHECK_THROWS_AS(PowerGrid({.side = 1}), InvalidOption);
}
