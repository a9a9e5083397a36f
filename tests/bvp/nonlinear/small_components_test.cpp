// Small components that others see enlarged: errors in them that are nothing by their own size are
// errors of the others.

#include <algorithm>
#include <cmath>

#include "bvp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x1' = -5 (x1 - X1) + K (x2 - X2) + X1' and x2' = -3 (x2 - X2) + X2' with X1 = cos 3t and
/// X2 = (|t - c| + |t - d|) / K, both given at t = 0.
struct Enlarged {
  using State = Vec<2>;
  double K = 1, c = 0.3, d = 0.6;
  State X(double t) const { return {std::cos(3 * t), (std::abs(t - c) + std::abs(t - d)) / K}; }
  State f(const State& x, double t) const {
    const double off = x[1] - X(t)[1], slope = (t > c ? 1 : -1) + (t > d ? 1 : -1);
    return {-5 * (x[0] - std::cos(3 * t)) + K * off - 3 * std::sin(3 * t), -3 * off + slope / K};
  }
  Interval interval() const { return {0, 1}; }
  Vec<2> conditions(const State& left, const State&) const { return left - X(0); }
};

/// The same beside a constraint 0 = x3 - sin t: x3' = x1 - y.
struct EnlargedDae {
  Enlarged of;
  double x3(double t) const { return std::sin(t); }
  Interval interval() const { return {0, 1}; }
  Mat<3, 3> A(double) const { return Mat<3, 3>{{-5, of.K, 0}, {0, -3, 0}, {1, 0, 0}}; }
  Vec<3> B(double) const { return {0, 0, 1}; }
  Vec<3> q(double t) const {
    const Vec<2> rates = of.f(Vec<2>::Zero(), t);
    return {rates[0], rates[1], 0};
  }
  Mat<1, 3> C(double) const { return {0, 0, 1}; }
  Vec<1> r(double t) const { return Vec<1>{-x3(t)}; }
  Boundary boundary() const {
    const Vec<2> begin = of.X(0);
    return {MatX{{1, 0, 0}, {0, 1, 0}}, MatX::Zero(2, 3), VecX{{begin[0], begin[1]}}};
  }
};

template <class Problem>
double error_of(const Solution& solution, const Problem& exact) {
  double most = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double t = i / 1000.0;
    const VecX off = (solution.x(t).head(2) - exact.X(t)).cwiseAbs();
    most = std::max(most, std::max(off[0] / 2, off[1]));
  }
  return most;
}

std::vector<Enlarged> enlarged() {
  std::vector<Enlarged> all;
  for (const double K : {1.0, 1e3, 1e5, 1e6, 1e8}) {
    for (int i = 0; i < 12; ++i) {
      const double part = i / 12.0;
      all.push_back({K, 0.06 + 0.7 * part, 0.93 - 0.8 * std::fmod(7 * part + 0.03, 1.0)});
    }
  }
  return all;
}

}  // namespace

TEST_CASE("jumps in a small component that another one sees enlarged are found", "[nonlinear]") {
  for (const Enlarged& problem : enlarged()) {
    for (const double tolerance : {2e-4, 2e-6, 3e-8}) {
      CAPTURE(problem.K, problem.c, problem.d, tolerance);
      const Solution solution = solve(problem, {.tolerance = tolerance});
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(error_of(solution, problem) <= tolerance);
    }
  }
}

TEST_CASE("and where there is a constraint beside them", "[nonlinear]") {
  for (const Enlarged& problem : enlarged()) {
    for (const double tolerance : {2e-4, 2e-6}) {
      CAPTURE(problem.K, problem.c, problem.d, tolerance);
      const Solution solution = solve(EnlargedDae{problem}, {.tolerance = tolerance});
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(error_of(solution, problem) <= tolerance);
      CHECK(solution.report.intervals < 100);  // K is no rate.
    }
  }
}

}  // namespace daewave::bvp
