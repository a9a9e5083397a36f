// Stages that lie on a node are evaluated at the node, to the last bit: two intervals share them,
// and coefficients need not exist outside the interval.

#include <algorithm>
#include <cmath>
#include <random>

#include "bvp/linear/shooting_back.hpp"
#include "bvp/solve.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/catch.hpp"
#include "tests/core/manufactured_dae.hpp"

namespace daewave::bvp {
namespace {

/// Steps around zero, where node + step is not always the next node.
Mesh random_mesh(Interval span, int intervals, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> position(span.begin, span.end);
  std::vector<double> nodes{span.begin, span.end};
  for (int i = 1; i < intervals; ++i) nodes.push_back(position(random));
  std::sort(nodes.begin(), nodes.end());
  return Mesh(std::move(nodes));
}

int inexact_steps(const Mesh& mesh) {
  int count = 0;
  for (int i = 0; i < mesh.intervals(); ++i) {
    count += mesh.node(i) + mesh.step(i) != mesh.node(i + 1);
  }
  return count;
}

const Interval span{-0.1, 0.3};

/// Coefficients that are not a number outside the interval.
testing::ManufacturedDae guarded() {
  testing::ManufacturedDae problem = testing::random_symmetric_dae(4, 2, 97, span);
  problem.A_of = [good = problem.A_of](double t) {
    return t < span.begin || t > span.end ? MatX(MatX::Constant(4, 4, NAN)) : good(t);
  };
  return problem;
}

}  // namespace

TEST_CASE("a stage on a node has the t of the node on any mesh", "[stages]") {
  const testing::ManufacturedDae problem = guarded();
  int inexact = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const Mesh mesh = random_mesh(span, 20, seed);
    inexact += inexact_steps(mesh);
    for (const Scheme scheme : {Scheme::lobatto, Scheme::radau}) {
      const Solution solution = solve(problem, {.scheme = scheme, .stages = 3, .mesh = mesh});
      CAPTURE(name_of(scheme), seed);
      REQUIRE(solution.report.usable());
      for (int i = 0; i < mesh.intervals(); ++i) {
        REQUIRE(solution.stage_time(i, 2) == mesh.node(i + 1));
      }
      // Steps of 0.1 at most and order four or five: 1e-4 times the derivatives.
      CHECK(testing::errors_of(solution, problem).x < 1e-4);
    }
  }
  CHECK(inexact > 0);
}

TEST_CASE("shooting back asks for nothing outside the interval", "[stages][shooting]") {
  const testing::ManufacturedDae problem = guarded();
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Solution forward = solve(problem, {.scheme = Scheme::radau,
                                             .stages = 2,
                                             .mesh = random_mesh(span, 20, seed),
                                             .epsilon = 1e-6});
    REQUIRE(forward.has_values());
    CHECK_NOTHROW(shoot_back(forward));
  }
}

}  // namespace daewave::bvp
