// The first mesh, where a solution to start from or fixed nodes have a say in it.

#include "bvp/nonlinear/first_mesh.hpp"

#include <cmath>
#include <memory>

#include "bvp/mesh/fixed_nodes.hpp"
#include "core/error.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// exp(-((t - 0.3) / width)^2) as a solution on a uniform mesh; its slope is carried.
CollocationCurve peak(double width, int intervals) {
  const Mesh mesh = uniform_mesh(0, 1, intervals);
  const Collocation scheme = collocation(Scheme::gauss, 4);
  const auto s = [width](double t) { return (t - 0.3) / width; };
  const auto x = [s](double t) { return std::exp(-s(t) * s(t)); };
  CollocationValues values;
  values.x.resize(1, intervals + 1);
  values.slopes.resize(1, 4 * intervals);
  for (int i = 0; i <= intervals; ++i) values.x(0, i) = x(mesh.node(i));
  for (int i = 0; i < 4 * intervals; ++i) {
    const double t = mesh.node(i / 4) + scheme.c[i % 4] * mesh.step(i / 4);
    values.slopes(0, i) = -2 * s(t) / width * x(t);
  }
  values.carried.setZero(1, 4 * intervals);
  return {mesh, scheme, values};
}

NonlinearProblem with_start(CollocationCurve curve) {
  NonlinearProblem problem;
  problem.interval = {0, 1};
  problem.scheme = collocation(Scheme::gauss, 4);
  problem.start = std::make_shared<CurveAround>(
      std::make_shared<const CollocationCurve>(std::move(curve)), MeshShare());
  return problem;
}

Options taken(const NonlinearProblem& problem, Options options) {
  take_first_mesh(problem, options);
  return options;
}

}  // namespace

TEST_CASE("a solution to start from gives a mesh as fine as it asks for, and where it does",
          "[nonlinear][mesh]") {
  const NonlinearProblem problem = with_start(peak(0.02, 200));
  const Mesh loose = taken(problem, {.tolerance = 1e-3}).mesh.value();
  const Mesh strict = taken(problem, {.tolerance = 1e-7}).mesh.value();
  CHECK(loose.intervals() < strict.intervals());
  CHECK(strict.intervals() < 100);
  CHECK(strict.largest_step() > 4 * strict.smallest_step());
  CHECK(strict.step(strict.locate(0.3)) < 0.02);
  // No fewer than a difference needs; one that is small already is taken as it is.
  CHECK(taken(with_start(peak(5, 400)), {.tolerance = 1e-3}).mesh->intervals() >= 5);
  const Mesh few = uniform_mesh(0, 1, 9);
  CHECK(taken(with_start(peak(5, 9)), {.tolerance = 1e-3}).mesh->nodes() == few.nodes());
  CHECK(taken(with_start(peak(5, 12)), {.tolerance = 1e-3}).mesh->intervals() < 12);
}

TEST_CASE("a mesh, or a number of intervals, that is given is taken", "[nonlinear][mesh]") {
  NonlinearProblem problem = with_start(peak(0.02, 400));
  const Options counted = taken(problem, {.intervals = 17});
  CHECK_FALSE(counted.mesh);
  CHECK(counted.intervals == 17);
  const Mesh given({0, 0.2, 0.9, 1});
  CHECK(taken(problem, {.mesh = given}).mesh->nodes() == given.nodes());
  problem.fixed_nodes = {0.45};
  const Options both = taken(problem, {.intervals = 10});
  CHECK_FALSE(both.intervals);
  CHECK(nodes_among({0.45}, *both.mesh).size() == 1);
  CHECK(both.mesh->intervals() >= 10);
  CHECK(both.mesh->intervals() <= 11);
  CHECK_FALSE(both.tolerance);
  CHECK(taken(problem, {.mesh = given}).mesh->nodes() == std::vector<double>{0, 0.2, 0.45, 0.9, 1});
  // What is refined is refined still.
  problem.start.reset();
  CHECK(taken(problem, {}).tolerance == plain_tolerance({}));
  CHECK(taken(problem, {}).mesh->intervals() <= 11);
  problem.fixed_nodes.clear();
  CHECK_FALSE(taken(problem, {}).mesh);
}

TEST_CASE("fixed nodes are those inside, those asked for, and jumps of a solution to start from",
          "[nonlinear][mesh]") {
  CHECK(fixed_nodes_of({.fixed_nodes = {0.2, 0.7}}, {0, 1}, {0.5}) ==
        std::vector<double>{0.2, 0.5, 0.7});
  CHECK_THROWS_AS(fixed_nodes_of({.fixed_nodes = {1.2}}, {0, 1}, {}), InvalidOption);
  CHECK_THROWS_AS(fixed_nodes_of({.fixed_nodes = {0.2, 0.4}, .max_intervals = 2}, {0, 1}, {}),
                  InvalidOption);
  // Slopes jump at 0.5, not at 0.25.
  CollocationCurve curve = testing::straight(uniform_mesh(0, 1, 4), 1, 0);
  CollocationValues values = curve.values();
  values.slopes(0, 2) = values.slopes(0, 3) = -3;
  Solution from = testing::made_up({curve.mesh(), curve.scheme(), values});
  from.fixed_nodes = {0.25, 0.5};
  CHECK(fixed_nodes_of({.from = from}, {0, 1}, {}) == std::vector<double>{0.5});
  CHECK(fixed_nodes_of({.from = from}, {0, 2}, {}).empty());
}

}  // namespace daewave::bvp
