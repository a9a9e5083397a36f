// Conditions that leave a solution open, or nearly: y'' = - w^2 y between zeros has solutions of
// any size where w is a multiple of half a turn. On a mesh that does not follow them they are not
// there.

#include <cmath>

#include "bvp/solve.hpp"
#include "core/derivatives/with_f_jacobian.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

constexpr double half_circle = 3.14159265358979323846;

/// Linear where sine is 0.
struct FastTurns {
  using State = Vec<2>;
  double w = 1, sine = 0, left = 0, right = 0, steep = 0, begin = 0, end = 1;
  Interval interval() const { return {begin, end}; }
  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>& x, const T& t) const {
    using std::sin;
    const T here = 1.0 + steep * sin(t);
    return {w * x[1], -w * here * ((1 - sine) * x[0] + sine * sin(x[0]))};
  }
  Vec<2> conditions(const State& a, const State& b) const { return {a[0] - left, b[0] - right}; }
  State guess(double) const { return {0, 0}; }
};

/// The same, of a linear DAE: x3 is given by a constraint.
struct ConstrainedTurns {
  double w = 1;
  Interval interval() const { return {0, 1}; }
  Mat<3, 3> A(double) const { return Mat<3, 3>{{0, w, 0}, {-w, 0, 0}, {0, 0, -1}}; }
  Vec<3> B(double) const { return {0, 0, 1}; }
  Vec<3> q(double) const { return {0, 0, 0}; }
  Mat<1, 3> C(double) const { return {0, 0, 1}; }
  Vec<1> r(double t) const { return Vec<1>{-std::sin(t)}; }
  Mat<1, 3> C_t(double) const { return {0, 0, 0}; }
  Vec<1> r_t(double t) const { return Vec<1>{-std::cos(t)}; }
  Boundary boundary() const {
    return {MatX{{1, 0, 0}, {0, 0, 0}}, MatX{{0, 0, 0}, {1, 0, 0}}, VecX::Zero(2)};
  }
};

/// y'' + 2 y'/t = y'' + 2 y'/t of cos(w t) + (p1 - p1*) s1 y + (p2 - p2*) s2 y, bounded at 0: of p
/// nothing is seen but s1 p1 + s2 p2.
struct TwoAlike {
  using State = Vec<2>;
  double w = 1, first = 1, second = 1;
  Vec<2> p{0, 0}, truth{1, -1};
  Interval interval() const { return {0, 2}; }
  Mat<2, 2> singular_term() const { return Mat<2, 2>{{0, 0}, {0, -2}}; }
  State f(const State& x, double t) const {
    const double over_t = t > 1e-8 ? std::sin(w * t) / t : w;
    const Vec<2> off = p - truth;
    return {x[1], -w * w * std::cos(w * t) - 2 * w * over_t + 0.3 * (x[0] - std::cos(w * t)) +
                      (first * off[0] + second * off[1]) * x[0]};
  }
  VecX conditions(const State& a, const State& b) const {
    return VecX{{b[0] - std::cos(2 * w), b[1] + w * std::sin(2 * w), a[0] - 1}};
  }
  State guess(double t) const { return {0.8 * std::cos(w * t) + 0.1, -0.8 * w * std::sin(w * t)}; }
};

}  // namespace

TEST_CASE("of parameters that only act together none is claimed, however large they are found",
          "[nonlinear][conditioning]") {
  for (const double w : {0.6, 1.0, 1.7, 2.9}) {
    for (const double ratio : {0.3, -0.7, 1.1, -2.3}) {
      for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
        CAPTURE(w, ratio, tolerance);
        ProblemFamily family;
        family.p = VecX{{0.7, -0.6}};
        family.unknown = {0, 1};
        family.member = [&](const VecX& p) {
          return boundary_problem_of(TwoAlike{.w = w, .first = 0.8, .second = 0.8 * ratio, .p = p});
        };
        const Solution solution = solve(family, {.tolerance = tolerance});
        INFO(solution.report.full());
        CHECK_FALSE(solution.report.usable());
        CHECK_FALSE(solution.report.advice.empty());
      }
    }
  }
}

TEST_CASE("what conditions leave open is not claimed, whatever the mesh follows",
          "[nonlinear][conditioning]") {
  for (const double sine : {0.0, 1.0}) {
    for (const int turns : {1, 2, 3, 7, 16, 50, 333, 1000}) {
      for (const double tolerance : {1e-2, 1e-4, 1e-6, 1e-8}) {
        CAPTURE(sine, turns, tolerance);
        const FastTurns open{.w = half_circle * turns, .sine = sine};
        const Solution solution = solve(with_autodiff(open), {.tolerance = tolerance});
        INFO(solution.report.full());
        CHECK_FALSE(solution.report.usable());
        CHECK(solution.report.termination == Termination::singular_matrix);
        CHECK_FALSE(solution.report.advice.empty());
      }
    }
  }
}

TEST_CASE("what conditions leave open is not claimed where only rounding is left of them",
          "[nonlinear][conditioning]") {
  for (const double tolerance : {1e-2, 1e-8}) {
    for (const int turns : {16, 1000}) {
      CAPTURE(tolerance, turns);
      FastTurns open{.w = half_circle * turns};
      open.right = std::sin(open.w);
      const Solution solution = solve(with_autodiff(open), {.tolerance = tolerance});
      INFO(solution.report.full());
      CHECK_FALSE(solution.report.usable());
      // As small, but determined.
      open.w += 0.5;
      CHECK(solve(with_autodiff(open), {.tolerance = tolerance}).report.usable());
    }
  }
}

TEST_CASE("what conditions leave open is not claimed of linear DAEs", "[bvp][conditioning]") {
  for (const int turns : {1, 3, 16, 333, 1000}) {
    for (const double tolerance : {1e-2, 1e-6}) {
      CAPTURE(turns, tolerance);
      const Solution solution =
          solve(ConstrainedTurns{.w = half_circle * turns}, {.tolerance = tolerance});
      INFO(solution.report.full());
      CHECK_FALSE(solution.report.usable());
    }
  }
}

TEST_CASE("modes that conditions determine need not be followed", "[nonlinear][conditioning]") {
  for (const double off : {0.5, 0.1}) {
    for (const int turns : {7, 333, 1000}) {
      CAPTURE(off, turns);
      const FastTurns open{.w = half_circle * (turns + off), .sine = 1};
      const Solution solution = solve(with_autodiff(open), {.tolerance = 1e-6});
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(solution.mesh().intervals() <= 10);
      CHECK(solution.x(0.3).cwiseAbs().maxCoeff() <= 1e-6);
      CHECK(solve(ConstrainedTurns{.w = half_circle * (turns + off)}, {.tolerance = 1e-6})
                .report.usable());
    }
  }
  // Hardly, but they do.
  for (const double off : {1e-2, 1e-3}) {
    for (const int turns : {7, 333}) {
      CAPTURE(off, turns);
      const FastTurns nearly{.w = half_circle * (turns + off), .sine = 1};
      const Solution solution = solve(with_autodiff(nearly), {.tolerance = 1e-6});
      INFO(solution.report.full());
      CHECK(solution.report.usable());
      CHECK(solution.report.conditioning.boundary > 0.1 / off);
    }
  }
}

TEST_CASE("modes too fast to be followed are told", "[nonlinear][conditioning]") {
  const Solution solution =
      solve(with_autodiff(FastTurns{.w = 1e7 * half_circle}), {.tolerance = 1e-6});
  INFO(solution.report.full());
  REQUIRE_FALSE(solution.report.warnings.empty());
  CHECK(solution.report.warnings.back().find("do not follow") != std::string::npos);
}

}  // namespace daewave::bvp
