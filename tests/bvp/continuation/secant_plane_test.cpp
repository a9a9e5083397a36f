// Points beside two solutions, lengths between them, and planes across their secant.

#include "bvp/continuation/secant_plane.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bvp/continuation/predicted.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x = size (1 + t) and `carried` on [0, end], with one parameter.
Solution line(double size, double carried, double parameter, int intervals = 4, double end = 1) {
  const Mesh mesh = uniform_mesh(0, end, intervals);
  Solution solution = testing::made_up(testing::straight(mesh, size, carried));
  solution.parameters = VecX{{parameter}};
  return solution;
}

}  // namespace

TEST_CASE("what is predicted lies on the line through both, on the mesh of the second",
          "[continuation]") {
  const Solution next = predicted(line(1, 5, 0.1, 3), line(2, 4, 0.3, 7), 0.5);
  CHECK(next.mesh().intervals() == 7);
  CHECK(next.x(0.6)[0] == Approx(2.5 * 1.6));
  CHECK(next.slope(0.6)[0] == Approx(2.5));
  CHECK(next.multiplier(0.6)[0] == Approx(3.5));
  CHECK(next.parameters[0] == Approx(0.4));
  CHECK(predicted(line(1, 5, 0.1), line(2, 4, 0.3), 0).x(0.6)[0] == Approx(2 * 1.6));
  CHECK(predicted(line(1, 5, 0.1), line(2, 4, 0.3), -1).x(0.6)[0] == Approx(1.6));
  // Another interval: part by part. x of the first at 0.6 of its interval is 1 + 0.6 * 2.
  const Solution longer = predicted(line(1, 5, 0.1, 3, 2), line(2, 4, 0.3, 7), 1);
  CHECK(longer.x(0.6)[0] == Approx(2 * 2 * 1.6 - 2.2));
}

TEST_CASE("lengths are means over the interval and of components, and of the parameter",
          "[continuation]") {
  const Solution a = line(1, 0, 0.2), b = line(3, 0, 0.5), c = line(2, 0, 0.9);
  const VecX sizes{{7.0}};
  // The mean of (1 + t)^2 is 7/3.
  CHECK(product(b, a, c, a, sizes) == Approx(2 * 1 * 7.0 / 3 / 49));
  // On [0, 3] it is 7: a mean does not become more with the interval.
  const auto longer = [](double size) { return line(size, 0, 0, 5, 3); };
  CHECK(product(longer(3), longer(1), longer(2), longer(1), sizes) == Approx(2 * 1 * 7.0 / 49));
  const BranchMetric metric(0, 0.5);
  CHECK(metric.product_of(b, a, c, a, sizes) == Approx(14.0 / 3 / 49 + 0.6 * 1.4));
  CHECK(metric.distance(b, a, sizes) == Approx(std::sqrt(28.0 / 3 / 49 + 0.36)));
  CHECK(metric.value_of(c) == 0.9);
}

TEST_CASE("points on the plane are across the secant, with their parameter unknown",
          "[continuation]") {
  ProblemFamily family;
  family.member = [](const VecX& p) {
    BoundaryProblem problem;
    problem.interval = {0, 1};
    problem.conditions = [p](const VecX& left, const VecX&) { return VecX(left - p); };
    return problem;
  };
  family.p = VecX{{0.2}};
  const Solution a = line(1, 0, 0.2), b = line(3, 0, 0.5), guess = line(4, 0, 0.65);
  const VecX sizes{{7.0}};
  const BranchMetric metric(0, 0.5);
  const ProblemFamily plane = on_plane(family, metric, guess, a, b, sizes);
  CHECK(plane.unknown == std::vector<int>{0});
  CHECK(plane.p[0] == 0.65);
  const double length = metric.distance(b, a, sizes);
  const auto off = [&](double size, double parameter) {
    const BoundaryProblem problem = plane.member(VecX{{parameter}});
    // Simpson's rule is exact for what is quadratic.
    const auto at = [&](double t) { return problem.integrand(VecX{{size * (1 + t)}}, t)[0]; };
    Observed of;
    of.integrals = VecX{{(at(0) + 4 * at(0.5) + at(1)) / 6}};
    return problem.further_conditions(of)[0];
  };
  CHECK(std::abs(off(4, 0.65)) < 1e-14);
  CHECK(off(5, 0.65) == Approx(2 * 7.0 / 3 / 49 / length));
  CHECK(off(4, 0.75) == Approx(0.2 * 0.6 / length));
  // Conditions and integrals that the problem has already come first.
  family.member = [member = family.member](const VecX& p) {
    BoundaryProblem problem = member(p);
    problem.integrand = [](const VecX& x, double) { return VecX{{x[0], 2 * x[0]}}; };
    problem.further_conditions = [](const Observed& of) { return VecX{{of.integrals.sum()}}; };
    return problem;
  };
  const BoundaryProblem more = on_plane(family, metric, guess, a, b, sizes).member(VecX{{0.65}});
  const VecX integrand = more.integrand(VecX{{4.0}}, 0);
  REQUIRE(integrand.size() == 3);
  CHECK(integrand[1] == 8);
  CHECK(std::abs(integrand[2]) < 1e-14);
  Observed of;
  of.integrals = VecX{{1, 2, 0.25}};
  CHECK(more.further_conditions(of) == VecX{{3, 0.25}});
}

TEST_CASE("planes that are asked in turns, at the same times or at others, are each what they are",
          "[continuation]") {
  ProblemFamily family;
  family.member = [](const VecX&) {
    BoundaryProblem problem;
    problem.interval = {0, 1};
    return problem;
  };
  family.p = VecX{{0.2}};
  const VecX sizes{{7.0}};
  const BranchMetric metric(0, 0.5);
  // Many more times than are kept; each plane in the place of one that is gone.
  for (int k = 0; k < 3; ++k) {
    const Solution a = line(1, 0, 0.2), b = line(3 + k, 0, 0.5);
    const double length = metric.distance(b, a, sizes);
    std::vector<BoundaryProblem> planes;
    for (const double guess : {4.0 + k, 6.0 + k}) {
      const Solution at = line(guess, 0, 0.65);
      planes.push_back(on_plane(family, metric, at, a, b, sizes).member(VecX{{0.65}}));
    }
    double off = 0;
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i <= 5000; ++i) {
        const double t = i / 5000.0;
        for (int plane = 0; plane < 2; ++plane) {
          const double guess = (4.0 + 2 * plane + k) * (1 + t), secant = (2 + k) * (1 + t);
          const double found = planes[static_cast<std::size_t>(plane)].integrand(VecX{{2.0}}, t)[0];
          off = std::max(off, std::abs(found - (2 - guess) * secant / 49 / length));
        }
      }
    }
    CHECK(off < 1e-13);
  }
}

}  // namespace daewave::bvp
