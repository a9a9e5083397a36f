// Every nonlinear problem, unasked: what it says of itself is true. A new one is a line in
// `NonlinearProblems`, and one in `instances` where its members choose between cases.

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <random>
#include <tuple>
#include <vector>

#include "core/problem/dae.hpp"
#include "core/problem/terms.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/andrews.hpp"
#include "problems/chain.hpp"
#include "problems/pendulum.hpp"
#include "problems/scissors.hpp"
#include "problems/slider_crank.hpp"
#include "problems/truck.hpp"
#include "problems/velocity_pendulum.hpp"
#include "tests/catch.hpp"

namespace daewave::problems {
namespace {

using MultibodyProblems = std::tuple<Al2Example64, SliderCrank, Andrews, AcprCase1, AcprCase2,
                                     Pendulum, Truck, Chain, ChainOf<3>, Scissors>;
using Index2Problems =
    std::tuple<Al2Example31, Al2Example61, Al2Example62, Al2Example63, VelocityPendulum>;
using NonlinearProblems =
    decltype(std::tuple_cat(std::declval<MultibodyProblems>(), std::declval<Index2Problems>()));

template <class P>
std::vector<P> instances() {
  return {P{}};
}
template <>
std::vector<AcprCase2> instances() {
  return {AcprCase2{}, AcprCase2{.omega = 1.7}};
}
template <>
std::vector<Chain> instances() {
  return {Chain{.rods = 1}, Chain{.rods = 2}, Chain{.rods = 5}};
}
template <>
std::vector<Scissors> instances() {
  return {Scissors(1), Scissors(2), Scissors(4)};
}
template <>
std::vector<Pendulum> instances() {
  return {Pendulum{.g0 = 1, .t_end = 7}, Pendulum::of_period(5)};
}
template <>
std::vector<Truck> instances() {
  return {Truck{}, Truck{.pace = 15, .moment = ChassisMoment::as_published}};
}
template <>
std::vector<SliderCrank> instances() {
  return {SliderCrank{}, SliderCrank{.from = SliderCrankStart::turning},
          SliderCrank{.L = 0.7, .m = 2, .g0 = 1.6}};
}

/// Points near the start, at times inside the interval: (x, v, t); v is empty for index 2.
struct Point {
  VecX x, v;
  double t = 0;
};

template <class P>
std::vector<Point> points_near_start(const P& problem) {
  std::mt19937 random(20);
  std::uniform_real_distribution<double> unit(-1, 1);
  const VecX start = problem.start();
  std::vector<Point> points;
  for (int i = 0; i < 8; ++i) {
    VecX z = start;
    for (double& entry : z) entry += 0.2 * unit(random);
    const int nx = static_cast<int>(SemiExplicitDae<P> ? z.size() : z.size() / 2);
    points.push_back(
        {z.head(nx), z.tail(z.size() - nx),
         problem.interval().begin + problem.interval().length() * (0.5 + 0.4 * unit(random))});
  }
  return points;
}

/// Fourth-order central difference with d = 1e-3: d^4 / 30 of the fifth derivative, and rounding /
/// d: about 1e-12 for functions that vary on a scale of one.
template <class F>
VecX slope(F f, double s) {
  const double d = 1e-3;
  return (8 * (VecX(f(s + d)) - VecX(f(s - d))) - (VecX(f(s + 2 * d)) - VecX(f(s - 2 * d)))) /
         (12 * d);
}
constexpr double by_differences = 1e-10;

double size_of(const MatX& A) { return 1 + (A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0); }
double gap(const MatX& A, const MatX& B) {
  REQUIRE(A.rows() == B.rows());
  REQUIRE(A.cols() == B.cols());
  return (A - B).cwiseAbs().maxCoeff() / size_of(B);
}

/// A Jacobian of any type as a matrix, column by column.
template <class P, class Jacobian>
MatX dense(const P& problem, const Jacobian& G, const Point& at) {
  using X = ConfigurationOf<P>;
  const int nx = static_cast<int>(at.x.size());
  typename P::Multiplier column = problem.g(X(at.x), at.t);
  MatX all(column.size(), nx);
  for (int j = 0; j < nx; ++j) {
    apply(G, X(VecX::Unit(nx, j)), column);
    all.col(j) = column;
  }
  return all;
}

template <class P>
MatX jacobian(const P& problem, const Point& at) {
  return dense(problem, problem.G(ConfigurationOf<P>(at.x), at.t), at);
}

/// Acceleration and multiplier from the equations of motion and g'' = 0.
template <class P>
std::pair<VecX, VecX> motion(const P& problem, const Point& at) {
  using X = typename P::Position;
  const X q = at.x, v = at.v;
  const MatX G = jacobian(problem, at);
  const int nq = static_cast<int>(G.cols()), ny = static_cast<int>(G.rows());
  MatX matrix = MatX::Zero(nq + ny, nq + ny);
  matrix.topLeftCorner(nq, nq) = problem.M(q) * MatX::Identity(nq, nq);
  matrix.topRightCorner(nq, ny) = G.transpose();
  matrix.bottomLeftCorner(ny, nq) = G;
  VecX right(nq + ny);
  right << problem.f(q, v, at.t), -problem.curvature(q, v, at.t);
  const VecX solution = matrix.fullPivLu().solve(right);
  return {solution.head(nq), solution.tail(ny)};
}

/// The nearest point that satisfies 0 = g and 0 = G v + g_t.
template <class P>
Point consistent(const P& problem, Point at) {
  using X = typename P::Position;
  for (int i = 0; i < 20; ++i) {
    const MatX G = jacobian(problem, at);
    at.x -= G.transpose() * (G * G.transpose()).ldlt().solve(VecX(problem.g(X(at.x), at.t)));
  }
  const MatX G = jacobian(problem, at);
  const VecX residual = G * at.v + VecX(problem.g_t(X(at.x), at.t));
  at.v -= G.transpose() * (G * G.transpose()).ldlt().solve(residual);
  return at;
}

template <class P>
concept HasExactBy = requires(const P& problem, double t) {
  problem.By_exact(t);
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("a nonlinear problem says its name, interval and a consistent start",
                        "[problems]", NonlinearProblems) {
  for (const TestType& problem : instances<TestType>()) {
    CAPTURE(problem.name());
    CHECK_FALSE(problem.name().empty());
    CHECK(problem.interval().length() > 0);
    const VecX z = problem.start();
    const int nx = static_cast<int>(SemiExplicitDae<TestType> ? z.size() : z.size() / 2);
    const Point start{z.head(nx), z.tail(z.size() - nx), problem.interval().begin};
    const ConfigurationOf<TestType> x = start.x;
    CHECK(problem.g(x, start.t).cwiseAbs().maxCoeff() < 1e-12);
    if constexpr (Multibody<TestType>) {
      const VecX residual = jacobian(problem, start) * start.v + VecX(problem.g_t(x, start.t));
      CHECK(residual.cwiseAbs().maxCoeff() < 1e-12);
    }
    if constexpr (HasExactState<TestType>) {
      CHECK(gap(problem.z_exact(start.t), z) < 1e-15);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("G and g_t are the derivatives of g", "[problems]", NonlinearProblems) {
  using X = ConfigurationOf<TestType>;
  for (const TestType& problem : instances<TestType>()) {
    for (const Point& at : points_near_start(problem)) {
      CAPTURE(problem.name(), at.t);
      const MatX G = jacobian(problem, at);
      for (int j = 0; j < at.x.size(); ++j) {
        const auto g = [&](double s) {
          return problem.g(X(at.x + s * VecX::Unit(at.x.size(), j)), at.t);
        };
        CHECK(gap(slope(g, 0), G.col(j)) < by_differences);
      }
      const auto g = [&](double t) { return problem.g(X(at.x), t); };
      CHECK(gap(slope(g, at.t), problem.g_t(X(at.x), at.t)) < by_differences);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("apply_transposed is the transpose of apply", "[problems]",
                        NonlinearProblems) {
  using X = ConfigurationOf<TestType>;
  for (const TestType& problem : instances<TestType>()) {
    for (const Point& at : points_near_start(problem)) {
      const auto G = problem.G(X(at.x), at.t);
      const MatX matrix = dense(problem, G, at);
      typename TestType::Multiplier lambda = problem.g(X(at.x), at.t);
      X out = at.x;
      for (int i = 0; i < matrix.rows(); ++i) {
        lambda.setZero();
        lambda[i] = 1;
        apply_transposed(G, lambda, out);
        CHECK(gap(out, matrix.row(i).transpose()) < 1e-15);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("curvature is what G v' lacks of g''", "[problems]", MultibodyProblems) {
  using X = ConfigurationOf<TestType>;
  for (const TestType& problem : instances<TestType>()) {
    for (const Point& at : points_near_start(problem)) {
      CAPTURE(problem.name(), at.t);
      const auto velocity_residual = [&](double s) {
        const Point moved{at.x + s * at.v, at.v, at.t + s};
        return VecX(jacobian(problem, moved) * at.v + VecX(problem.g_t(X(moved.x), moved.t)));
      };
      CHECK(gap(slope(velocity_residual, 0), problem.curvature(X(at.x), X(at.v), at.t)) <
            by_differences);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("M is symmetric and positive definite", "[problems]", MultibodyProblems) {
  for (const TestType& problem : instances<TestType>()) {
    for (const Point& at : points_near_start(problem)) {
      const int nq = static_cast<int>(at.x.size());
      const MatX M = problem.M(typename TestType::Position(at.x)) * MatX::Identity(nq, nq);
      CHECK(M == M.transpose());
      CHECK(M.llt().info() == Eigen::Success);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("terms are what the single functions say", "[problems]",
                        MultibodyProblems) {
  using X = typename TestType::Position;
  for (const TestType& problem : instances<TestType>()) {
    MultibodyTerms<TestType> terms;
    for (const Point& at : points_near_start(problem)) {
      CAPTURE(problem.name(), at.t);
      const X q = at.x, v = at.v;
      evaluate(problem, q, v, at.t, terms);
      const MatX I = MatX::Identity(q.size(), q.size());
      // A handful of operations in another order.
      CHECK(gap(terms.M * I, problem.M(q) * I) < 1e-14);
      CHECK(gap(terms.f, problem.f(q, v, at.t)) < 1e-14);
      CHECK(gap(dense(problem, terms.G, at), jacobian(problem, at)) < 1e-14);
      CHECK(gap(terms.position, problem.g(q, at.t)) < 1e-14);
      CHECK(gap(terms.g_t, problem.g_t(q, at.t)) < 1e-14);
      CHECK(gap(terms.curvature, problem.curvature(q, v, at.t)) < 1e-14);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("terms of the constraints alone are those of all terms", "[problems]",
                        MultibodyProblems) {
  if constexpr (HasConstraintTerms<TestType>) {
    for (const TestType& problem : instances<TestType>()) {
      MultibodyTerms<TestType> terms, alone;
      for (const Point& at : points_near_start(problem)) {
        CAPTURE(problem.name(), at.t);
        const typename TestType::Position q = at.x, v = at.v;
        evaluate(problem, q, v, at.t, terms);
        problem.constraint_terms(q, at.t, alone);
        // The same operations, which a compiler may fuse in one place only.
        CHECK(gap(dense(problem, alone.G, at), dense(problem, terms.G, at)) < 1e-15);
        CHECK(gap(alone.position, terms.position) < 1e-15);
        CHECK(gap(alone.g_t, terms.g_t) < 1e-15);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("the exact solution satisfies the equations", "[problems]",
                        NonlinearProblems) {
  if constexpr (HasExactState<TestType>) {
    for (const TestType& problem : instances<TestType>()) {
      for (int i = 0; i < 20; ++i) {
        const double t = problem.interval().begin + problem.interval().length() * (i + 0.37) / 20;
        CAPTURE(problem.name(), t);
        // t + d is rounded to 1e-16 of t, which differences divide by d.
        const double rounding = 1e-12 * t;
        const VecX rate = slope([&](double s) { return problem.z_exact(s); }, t);
        const VecX z = problem.z_exact(t);
        if constexpr (SemiExplicitDae<TestType>) {
          CHECK(problem.g(problem.z_exact(t), t).cwiseAbs().maxCoeff() < 1e-14);
          CHECK(gap(problem.f(problem.z_exact(t), t) - problem.By_exact(t), rate) < by_differences);
        } else {
          const int nq = static_cast<int>(z.size() / 2);
          const Point at{z.head(nq), z.tail(nq), t};
          const typename TestType::Position q = at.x, v = at.v;
          const MatX G = jacobian(problem, at);
          CHECK(problem.g(q, t).cwiseAbs().maxCoeff() < 1e-14);
          const VecX velocity = G * v, g_t = problem.g_t(q, t);
          CHECK((velocity + g_t).cwiseAbs().maxCoeff() < 1e-14 * size_of(velocity));
          CHECK(gap(rate.head(nq), v) < by_differences + rounding);
          const VecX force = G.transpose() * problem.y_exact(t);
          CHECK(gap(problem.f(q, v, t) - force, problem.M(q) * rate.tail(nq)) <
                by_differences + rounding);
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("B y of the exact solution is B times y", "[problems]", Index2Problems) {
  for (const TestType& problem : instances<TestType>()) {
    for (int i = 0; i < 20; ++i) {
      const double t = problem.interval().begin + problem.interval().length() * (i + 0.37) / 20;
      const VecX By = problem.By_exact(t);
      const MatX B = problem.B(problem.z_exact(t), t);
      if constexpr (HasExactMultiplier<TestType>) {
        CHECK(gap(B * problem.y_exact(t), By) < 1e-14);
      } else {  // y is unbounded: B y lies in the range of B at least.
        const VecX y = (B.transpose() * B).ldlt().solve(B.transpose() * By);
        CHECK(gap(B * y, By) < 1e-13);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("the equations of motion conserve the energy", "[problems]",
                        MultibodyProblems) {
  if constexpr (HasEnergy<TestType>) {
    using X = typename TestType::Position;
    for (const TestType& problem : instances<TestType>()) {
      for (const Point& near : points_near_start(problem)) {
        const Point at = consistent(problem, near);
        const VecX a = motion(problem, at).first;
        double power = 0, size = 0;
        for (int j = 0; j < at.x.size(); ++j) {
          const VecX e = VecX::Unit(at.x.size(), j);
          const auto by_position = [&](double s) {
            return VecX::Constant(1, problem.energy(X(at.x + s * e), X(at.v)));
          };
          const auto by_velocity = [&](double s) {
            return VecX::Constant(1, problem.energy(X(at.x), X(at.v + s * e)));
          };
          const double gain = slope(by_position, 0)[0] * at.v[j];
          const double work = slope(by_velocity, 0)[0] * a[j];
          power += gain + work;
          size += std::abs(gain) + std::abs(work);
        }
        CAPTURE(problem.name());
        CHECK(size > 0);
        // The energy is rounded to 1e-15 of itself, which differences divide by 1e-3.
        const double rounding = 1e-12 * std::abs(problem.energy(X(at.x), X(at.v))) *
                                (at.v.cwiseAbs().sum() + a.cwiseAbs().sum());
        CHECK(std::abs(power) < 1e-9 * size + rounding);
        CHECK(rounding < 1e-4 * size);
      }
    }
  }
}

}  // namespace daewave::problems
