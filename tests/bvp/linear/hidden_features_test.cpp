// Coefficients that jump, or have a feature between all stages of the first meshes, are not taken
// for what the stages see.

#include <algorithm>
#include <cmath>

#include "bvp/solve.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x1' = a x1 + q1, x2 = cos t; the solution is given, and q follows from it.
struct Given {
  double c;
  Interval interval() const { return {0, 1}; }
  virtual double x1(double t) const = 0;
  virtual double slope(double t) const = 0;
  virtual double By2(double t) const = 0;
  virtual double a(double) const { return -1; }
  virtual ~Given() = default;

  Mat<2, 2> A(double t) const { return Mat<2, 2>{{a(t), 0}, {1, 0}}; }
  Vec<2> B(double) const { return {0, 1}; }
  Mat<1, 2> C(double) const { return {0, 1}; }
  Vec<1> r(double t) const { return Vec<1>(-std::cos(t)); }
  Mat<1, 2> C_t(double) const { return {0, 0}; }
  Vec<1> r_t(double t) const { return Vec<1>(std::sin(t)); }
  Vec<2> q(double t) const { return {slope(t) - a(t) * x1(t), -std::sin(t) - x1(t) + By2(t)}; }
  Boundary boundary() const {
    return initial_conditions(MatX(Mat<1, 2>(1, 0)), VecX::Constant(1, x1(0)));
  }
  VecX x_exact(double t) const { return VecX{{x1(t), std::cos(t)}}; }
  VecX By_exact(double t) const { return VecX{{0, By2(t)}}; }
};

/// A peak exp(-((t - c) / d)^2) in x1 or in B y.
struct Peak : Given {
  double d = 1e-3;
  bool in_By = false;
  double peak(double t) const { return std::exp(-(t - c) / d * ((t - c) / d)); }
  double x1(double t) const override { return std::sin(t) + (in_By ? 0 : peak(t)); }
  double slope(double t) const override {
    return std::cos(t) - (in_By ? 0 : 2 * (t - c) / (d * d) * peak(t));
  }
  double By2(double t) const override { return std::exp(-t) + (in_By ? peak(t) : 0); }
};

/// q jumps; also A; also q of x2, and with it B y.
struct Jump : Given {
  bool of_A = false, of_By = false;
  double height = 7;
  double x1(double t) const override { return std::sin(t) + (t < c ? 0 : height * (t - c)); }
  double slope(double t) const override { return std::cos(t) + (t < c ? 0 : height); }
  double By2(double t) const override { return std::exp(-t) + (of_By && t >= c ? height : 0); }
  double a(double t) const override { return of_A && t >= c ? -4 : -1; }
};

/// Largest errors anywhere, relative to 1 + the largest value, in units of the tolerance.
template <class P>
double excess(const P& problem, const Solution& solution, double tolerance) {
  double x = 0, By = 0, x_size = 1, By_size = 1;
  for (int i = 0; i <= 300; ++i) {
    // The neighbourhood of c, but for c itself: B y has two values where q jumps.
    const double near = problem.c + (i - 150.5) * 2e-5;
    for (const double t : {i / 300.0, std::clamp(near, 0.0, 1.0)}) {
      if (std::abs(t - problem.c) < 1e-10) continue;
      const VecX x_here = problem.x_exact(t), By_here = problem.By_exact(t);
      x = std::max(x, (solution.x(t) - x_here).cwiseAbs().maxCoeff());
      By = std::max(By, (solution.By(t) - By_here).cwiseAbs().maxCoeff());
      x_size = std::max(x_size, 1 + x_here.cwiseAbs().maxCoeff());
      By_size = std::max(By_size, 1 + By_here.cwiseAbs().maxCoeff());
    }
  }
  return std::max(x / x_size, By / By_size) / tolerance;
}

}  // namespace

TEST_CASE("a peak between all stages of the first meshes is seen and met", "[bvp][hidden]") {
  for (const bool in_By : {false, true}) {
    for (const double d : {1e-3, 3e-4}) {
      for (const double tolerance : {1e-4, 1e-6}) {
        for (const double c : {0.1034, 0.7071}) {
          Peak problem;
          problem.c = c;
          problem.d = d;
          problem.in_By = in_By;
          const Solution solution = solve(problem, {.tolerance = tolerance});
          INFO("width " << d << " at " << c << (in_By ? " in B y" : " in x") << " to " << tolerance
                        << ": " << solution.report.brief());
          REQUIRE(solution.report.usable());
          CHECK(excess(problem, solution, tolerance) <= 10);
        }
      }
    }
  }
}

TEST_CASE("a peak that was not there at first is met down to rounding", "[bvp][hidden]") {
  for (const double d : {1e-3, 3e-4}) {
    for (const double tolerance : {1e-9, 1e-10, 3e-11}) {
      for (int i = 0; i < 12; ++i) {
        Peak problem;
        problem.c = std::fmod(0.05 + 0.6180339887 * i, 0.96) + 0.02;
        problem.d = d;
        const Solution solution = solve(problem, {.tolerance = tolerance});
        INFO("width " << d << " at " << problem.c << " to " << tolerance << ": "
                      << solution.report.brief());
        REQUIRE(solution.report.usable());
        CHECK(excess(problem, solution, tolerance) <= 1);
        CHECK(solution.mesh().intervals() < 1000);
      }
    }
  }
}

TEST_CASE("jumps of q and A at any place are found, and met", "[bvp][hidden]") {
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau}) {
    for (const int what : {0, 1, 2}) {
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        for (const double c : {0.1, 1.0 / 3, 0.5, 0.97}) {
          Jump problem;
          problem.c = c;
          problem.of_A = what >= 1;
          problem.of_By = what == 2;
          const Solution solution = solve(problem, {.tolerance = tolerance, .scheme = scheme});
          INFO(name_of(scheme) << ", jump " << what << " at " << c << " to " << tolerance << ": "
                               << solution.report.brief());
          REQUIRE(solution.report.usable());
          CHECK(excess(problem, solution, tolerance) <= 10);
          CHECK(solution.mesh().intervals() < 3000);
        }
      }
    }
  }
}

TEST_CASE("finer samples are asked for by an option", "[bvp][hidden]") {
  Peak problem;
  problem.c = 0.7071234;
  problem.d = 2e-5;
  const Solution solution = solve(problem, {.tolerance = 1e-6, .samples = 40000});
  INFO(solution.report.brief());
  REQUIRE(solution.report.usable());
  CHECK(excess(problem, solution, 1e-6) <= 10);
  CHECK_THROWS_AS(solve(problem, {.samples = 0}), InvalidOption);
}

}  // namespace daewave::bvp
