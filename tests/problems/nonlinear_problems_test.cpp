// What each nonlinear problem says of itself is true. Those that are checked are listed in
// tests/problems/any_problem.cpp.

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <functional>
#include <random>
#include <vector>

#include "tests/catch.hpp"
#include "tests/problems/any_problem.hpp"

namespace daewave::problems {
namespace {

std::vector<const AnyProblem*> nonlinear_problems() {
  std::vector<const AnyProblem*> all;
  for (const Problems* some : {&multibody_problems(), &index_2_problems()}) {
    for (const auto& problem : *some) all.push_back(problem.get());
  }
  return all;
}

/// Points near the start, at times inside the interval.
std::vector<Point> points_near_start(const AnyProblem& problem) {
  std::mt19937 random(20);
  std::uniform_real_distribution<double> unit(-1, 1);
  const VecX start = problem.start();
  const Interval span = problem.interval();
  std::vector<Point> points;
  for (int i = 0; i < 8; ++i) {
    VecX z = start;
    for (double& entry : z) entry += 0.2 * unit(random);
    points.push_back(problem.point(z, span.begin + span.length() * (0.5 + 0.4 * unit(random))));
  }
  return points;
}

/// Fourth-order central difference with d = 1e-3: d^4 / 30 of the fifth derivative, and rounding /
/// d: about 1e-12 for functions that vary on a scale of one.
VecX slope(const std::function<VecX(double)>& f, double s) {
  const double d = 1e-3;
  return (8 * (f(s + d) - f(s - d)) - (f(s + 2 * d) - f(s - 2 * d))) / (12 * d);
}
constexpr double by_differences = 1e-10;

double size_of(const MatX& A) { return 1 + (A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0); }
double gap(const MatX& A, const MatX& B) {
  REQUIRE(A.rows() == B.rows());
  REQUIRE(A.cols() == B.cols());
  return (A - B).cwiseAbs().maxCoeff() / size_of(B);
}

/// v' and the multiplier from the equations of motion and g'' = 0.
VecX acceleration(const AnyProblem& problem, const Point& at) {
  const Values of = problem.one_by_one(at);
  const auto nq = of.G.cols(), ny = of.G.rows();
  MatX matrix = MatX::Zero(nq + ny, nq + ny);
  matrix.topLeftCorner(nq, nq) = of.M;
  matrix.topRightCorner(nq, ny) = of.G.transpose();
  matrix.bottomLeftCorner(ny, nq) = of.G;
  VecX right(nq + ny);
  right << of.f, -of.curvature;
  const VecX solution = matrix.fullPivLu().solve(right);
  return solution.head(nq);
}

/// The nearest point that satisfies 0 = g and 0 = G v + g_t.
Point consistent(const AnyProblem& problem, Point at) {
  const auto correction = [](const MatX& G, const VecX& residual) {
    const MatX GGt = G * G.transpose();
    const VecX mu = GGt.ldlt().solve(residual);
    return VecX(G.transpose() * mu);
  };
  for (int i = 0; i < 20; ++i) {
    at.x -= correction(problem.G(at.x, at.t), problem.g(at.x, at.t));
  }
  const MatX G = problem.G(at.x, at.t);
  const VecX residual = G * at.v + problem.g_t(at.x, at.t);
  at.v -= correction(G, residual);
  return at;
}

}  // namespace

TEST_CASE("a nonlinear problem says its name, interval and a consistent start", "[problems]") {
  for (const AnyProblem* problem : nonlinear_problems()) {
    CAPTURE(problem->name());
    CHECK_FALSE(problem->name().empty());
    CHECK(problem->interval().length() > 0);
    const VecX z = problem->start();
    const Point start = problem->point(z, problem->interval().begin);
    CHECK(problem->g(start.x, start.t).cwiseAbs().maxCoeff() < 1e-12);
    if (problem->multibody()) {
      const VecX residual = problem->G(start.x, start.t) * start.v + problem->g_t(start.x, start.t);
      CHECK(residual.cwiseAbs().maxCoeff() < 1e-12);
    }
    if (const auto exact = problem->z_exact(start.t)) CHECK(gap(*exact, z) < 1e-15);
  }
}

TEST_CASE("G and g_t are the derivatives of g", "[problems]") {
  for (const AnyProblem* problem : nonlinear_problems()) {
    for (const Point& at : points_near_start(*problem)) {
      CAPTURE(problem->name(), at.t);
      const MatX G = problem->G(at.x, at.t);
      for (int j = 0; j < at.x.size(); ++j) {
        const auto g = [&](double s) {
          return problem->g(at.x + s * VecX::Unit(at.x.size(), j), at.t);
        };
        CHECK(gap(slope(g, 0), G.col(j)) < by_differences);
      }
      const auto g = [&](double t) { return problem->g(at.x, t); };
      CHECK(gap(slope(g, at.t), problem->g_t(at.x, at.t)) < by_differences);
    }
  }
}

TEST_CASE("apply_transposed is the transpose of apply", "[problems]") {
  for (const AnyProblem* problem : nonlinear_problems()) {
    for (const Point& at : points_near_start(*problem)) {
      CAPTURE(problem->name(), at.t);
      const MatX matrix = problem->G(at.x, at.t), by_rows = problem->G_by_rows(at.x, at.t);
      for (int i = 0; i < matrix.rows(); ++i) {
        CHECK(gap(by_rows.row(i), matrix.row(i)) < 1e-15);
      }
    }
  }
}

TEST_CASE("curvature is what G v' lacks of g''", "[problems]") {
  for (const auto& problem : multibody_problems()) {
    for (const Point& at : points_near_start(*problem)) {
      CAPTURE(problem->name(), at.t);
      const auto velocity_residual = [&](double s) {
        const VecX x = at.x + s * at.v;
        return VecX(problem->G(x, at.t + s) * at.v + problem->g_t(x, at.t + s));
      };
      CHECK(gap(slope(velocity_residual, 0), problem->one_by_one(at).curvature) < by_differences);
    }
  }
}

TEST_CASE("M is symmetric and positive definite", "[problems]") {
  for (const auto& problem : multibody_problems()) {
    for (const Point& at : points_near_start(*problem)) {
      CAPTURE(problem->name(), at.t);
      const MatX M = problem->one_by_one(at).M;
      CHECK(M == M.transpose());
      CHECK(M.llt().info() == Eigen::Success);
    }
  }
}

TEST_CASE("terms are what the single functions say", "[problems]") {
  for (const auto& problem : multibody_problems()) {
    for (const Point& at : points_near_start(*problem)) {
      CAPTURE(problem->name(), at.t);
      const Values terms = problem->together(at), single = problem->one_by_one(at);
      // A handful of operations in another order.
      CHECK(gap(terms.M, single.M) < 1e-14);
      CHECK(gap(terms.f, single.f) < 1e-14);
      CHECK(gap(terms.G, single.G) < 1e-14);
      CHECK(gap(terms.g, single.g) < 1e-14);
      CHECK(gap(terms.g_t, single.g_t) < 1e-14);
      CHECK(gap(terms.curvature, single.curvature) < 1e-14);
    }
  }
}

TEST_CASE("terms of the constraints alone are those of all terms", "[problems]") {
  for (const auto& problem : multibody_problems()) {
    for (const Point& at : points_near_start(*problem)) {
      const auto alone = problem->of_constraints(at);
      if (!alone) continue;
      CAPTURE(problem->name(), at.t);
      const Values terms = problem->together(at);
      // The same operations, which a compiler may fuse in one place only.
      CHECK(gap(alone->G, terms.G) < 1e-15);
      CHECK(gap(alone->g, terms.g) < 1e-15);
      CHECK(gap(alone->g_t, terms.g_t) < 1e-15);
    }
  }
}

TEST_CASE("the exact solution satisfies the equations", "[problems]") {
  for (const AnyProblem* problem : nonlinear_problems()) {
    const Interval span = problem->interval();
    for (int i = 0; i < 20; ++i) {
      const double t = span.begin + span.length() * (i + 0.37) / 20;
      const auto z = problem->z_exact(t);
      if (!z) break;
      CAPTURE(problem->name(), t);
      // t + d is rounded to 1e-16 of t, which differences divide by d.
      const double rounding = 1e-12 * t;
      const VecX rate = slope([&](double s) { return *problem->z_exact(s); }, t);
      const Point at = problem->point(*z, t);
      CHECK(problem->g(at.x, t).cwiseAbs().maxCoeff() < 1e-14);
      if (!problem->multibody()) {
        CHECK(gap(problem->f(at) - problem->By_exact(t), rate) < by_differences);
        continue;
      }
      const Values of = problem->one_by_one(at);
      const Point slopes = problem->point(rate, t);
      const VecX velocity = of.G * at.v;
      CHECK((velocity + of.g_t).cwiseAbs().maxCoeff() < 1e-14 * size_of(velocity));
      CHECK(gap(slopes.x, at.v) < by_differences + rounding);
      const auto y = problem->y_exact(t);
      REQUIRE(y);
      const VecX force = of.G.transpose() * *y, inertia = of.M * slopes.v;
      CHECK(gap(of.f - force, inertia) < by_differences + rounding);
    }
  }
}

TEST_CASE("B y of the exact solution is B times y", "[problems]") {
  for (const auto& problem : index_2_problems()) {
    const Interval span = problem->interval();
    for (int i = 0; i < 20; ++i) {
      const double t = span.begin + span.length() * (i + 0.37) / 20;
      CAPTURE(problem->name(), t);
      const VecX By = problem->By_exact(t);
      const auto z = problem->z_exact(t);
      REQUIRE(z);
      const MatX B = problem->B(*z, t);
      if (const auto y = problem->y_exact(t)) {
        CHECK(gap(B * *y, By) < 1e-14);
      } else {  // y is unbounded: B y lies in the range of B at least.
        const MatX BtB = B.transpose() * B;
        const VecX BtBy = B.transpose() * By, found = BtB.ldlt().solve(BtBy);
        CHECK(gap(B * found, By) < 1e-13);
      }
    }
  }
}

TEST_CASE("the equations of motion conserve the energy", "[problems]") {
  for (const auto& problem : multibody_problems()) {
    for (const Point& near : points_near_start(*problem)) {
      if (!problem->energy(near.x, near.v)) break;
      const Point at = consistent(*problem, near);
      const VecX a = acceleration(*problem, at);
      double power = 0, size = 0;
      for (int j = 0; j < at.x.size(); ++j) {
        const VecX e = VecX::Unit(at.x.size(), j);
        const auto by_position = [&](double s) {
          return VecX(VecX::Constant(1, *problem->energy(at.x + s * e, at.v)));
        };
        const auto by_velocity = [&](double s) {
          return VecX(VecX::Constant(1, *problem->energy(at.x, at.v + s * e)));
        };
        const double gain = slope(by_position, 0)[0] * at.v[j];
        const double work = slope(by_velocity, 0)[0] * a[j];
        power += gain + work;
        size += std::abs(gain) + std::abs(work);
      }
      CAPTURE(problem->name());
      CHECK(size > 0);
      // The energy is rounded to 1e-15 of itself, which differences divide by 1e-3.
      const double rounding = 1e-12 * std::abs(*problem->energy(at.x, at.v)) *
                              (at.v.cwiseAbs().sum() + a.cwiseAbs().sum());
      CHECK(std::abs(power) < 1e-9 * size + rounding);
      CHECK(rounding < 1e-4 * size);
    }
  }
}

}  // namespace daewave::problems
