#include "bvp/linear/conditioning.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "bvp/solve.hpp"
#include "problems/lin.hpp"
#include "tests/bvp/growing_mode.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

template <class P>
ConditioningReport conditioning_of(const P& problem, int intervals) {
  const Solution solution =
      solve(problem, {.scheme = Scheme::gauss, .stages = 3, .intervals = intervals});
  REQUIRE(solution.report.usable());
  REQUIRE(solution.report.conditioning.available);
  return solution.report.conditioning;
}

/// e u'' = -(2 + c) u' + u + q, u = c = cos pi t, given at both ends, beside a constraint that has
/// no part in it. A layer at the begin amplifies what u is off there by 1 / e, in u'.
struct StiffBesideConstraint {
  double e = 1e-6;
  static constexpr double pi = std::numbers::pi;

  Interval interval() const { return {-1, 1}; }
  static double c(double t) { return std::cos(pi * t); }
  static double s(double t) { return std::sin(pi * t); }
  Mat<3, 3> A(double t) const {
    Mat<3, 3> rows;
    rows << 0, 1, 0, 1 / e, -(2 + c(t)) / e, 0, 0, 0, -1;
    return rows;
  }
  Vec<3> B(double) const { return {0, 0, 1}; }
  Vec<3> q(double t) const {
    return {0, (-(1 + e * pi * pi) * c(t) - (2 + c(t)) * pi * s(t)) / e, 0};
  }
  Mat<1, 3> C(double) const { return {0, 0, 1}; }
  Vec<1> r(double) const { return Vec<1>::Zero(); }
  Mat<1, 3> C_t(double) const { return Mat<1, 3>::Zero(); }
  Vec<1> r_t(double) const { return Vec<1>::Zero(); }
  Boundary boundary() const {
    return {MatX{{1, 0, 0}, {0, 0, 0}}, MatX{{0, 0, 0}, {1, 0, 0}}, VecX{{-1, -1}}};
  }
  double error(const Solution& solution) const {
    double most = 0;
    for (int i = 0; i <= 2000; ++i) {
      const double t = std::min(1.0, -1 + i * 1e-3);
      const VecX x = solution.x(t);
      most = std::max({most, std::abs(x[0] - c(t)) / 2, std::abs(x[1] + pi * s(t)) / (1 + pi)});
    }
    return most;
  }
};

/// x1' = -x1 + x2 + sin t, x2' = x2 + 1 from x1 = x2 = 1 at the begin, beside x1 + x3 + cos t = 0.
struct GrowthFromBegin {
  double end = 60;

  Interval interval() const { return {0, end}; }
  Mat<3, 3> A(double) const { return Mat<3, 3>{{-1, 1, 0}, {0, 1, 0}, {0, 0, 0}}; }
  Vec<3> B(double) const { return {0, 0, 1}; }
  Vec<3> q(double t) const { return {std::sin(t), 1, 0}; }
  Mat<1, 3> C(double) const { return {1, 0, 1}; }
  Vec<1> r(double t) const { return Vec<1>{std::cos(t)}; }
  Mat<1, 3> C_t(double) const { return Mat<1, 3>::Zero(); }
  Vec<1> r_t(double t) const { return Vec<1>{-std::sin(t)}; }
  Boundary boundary() const {
    return {MatX{{1, 0, 0}, {0, 1, 0}}, MatX::Zero(2, 3), VecX::Ones(2)};
  }
};

}  // namespace

TEST_CASE("stiff rows leave the others no rounding but their own", "[conditioning]") {
  for (const double e : {1e-4, 1e-6}) {
    for (const double tolerance : {1e-6, 1e-8}) {
      const StiffBesideConstraint problem{e};
      const Solution solution = solve(problem, {.tolerance = tolerance});
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(problem.error(solution) <= tolerance);
      CHECK(solution.report.error.x >= 0.1 * problem.error(solution));
    }
  }
}

TEST_CASE("what rounding becomes is told, and a tolerance below it is given up", "[conditioning]") {
  // What rounding is differs by a digit from mesh to mesh, and none of them may go on for that.
  for (const double e : {5e-8, 1e-7, 1.1e-7, 1.3e-7, 2e-7}) {
    const StiffBesideConstraint problem{e};
    const Solution solution = solve(problem, {.tolerance = 1e-10});
    INFO(solution.report.full());
    CHECK(solution.report.termination == Termination::tolerance_not_met);
    CHECK_THAT(solution.report.message, contains_text("rounding alone is amplified to"));
    CHECK(solution.report.conditioning.rounding > 1e-10);
    CHECK(solution.mesh().intervals() < 1000);
  }
  // Where every mode is held where it decays, there is little of it.
  CHECK(conditioning_of(problems::Lin{10}, 100).rounding < 1e-13);
}

TEST_CASE(
    "a mode held where it grows from is given up early by every scheme, with its conditioning",
    "[conditioning]") {
  for (const Scheme scheme : {Scheme::radau, Scheme::gauss}) {
    for (const double rate : {30.0, 60.0, -45.0}) {
      auto problem = testing::growing_mode(rate, 1);
      if (rate > 0) std::swap(problem.B0, problem.B1);
      CAPTURE(name_of(scheme), rate);
      const Solution solution = solve(problem, {.tolerance = 1e-6, .scheme = scheme});
      INFO(solution.report.full());
      CHECK(solution.report.termination == Termination::tolerance_not_met);
      CHECK(solution.mesh().intervals() < 1000);
      CHECK_THAT(solution.report.message,
                 contains_text("rounding alone is amplified to") && contains_text("(conditioning"));
      CHECK_THAT(solution.report.advice, contains_text("boundary conditions that determine"));
      CHECK(std::log(solution.report.conditioning.boundary) == Approx(std::abs(rate)).margin(2));
    }
  }
  // As much as rounding leaves of the tolerance is met.
  auto mild = testing::growing_mode(15, 1);
  std::swap(mild.B0, mild.B1);
  for (const Scheme scheme : {Scheme::radau, Scheme::gauss}) {
    CHECK(solve(mild, {.tolerance = 1e-6, .scheme = scheme}).report.usable());
  }
}

TEST_CASE("where errors of the begin are amplified without end that is told, not another mesh",
          "[conditioning]") {
  for (const double horizon : {60.0, 80.0, 100.0}) {
    const GrowthFromBegin problem{horizon};
    const Solution solution = solve(problem, {.tolerance = 1e-6, .scheme = Scheme::gauss});
    CAPTURE(horizon);
    INFO(solution.report.full());
    CHECK(solution.report.termination == Termination::tolerance_not_met);
    CHECK_THAT(solution.report.message, contains_text("errors are amplified by "));
    CHECK_THAT(solution.report.advice, contains_text("conditions at the end of the interval"));
    CHECK(solution.mesh().intervals() < 2000);
    // What is advised helps.
    CHECK(solve(problem, {.tolerance = 1e-6, .scheme = Scheme::radau}).report.usable());
  }
}

TEST_CASE("growing and decaying modes of long horizons are counted", "[conditioning]") {
  // One mode grows like e^t at least once around; two decay, and so does the constraint.
  const ConditioningReport report = conditioning_of(problems::Lin{100}, 1000);
  CHECK(report.growing == 1);
  CHECK(report.decaying == 3);
  CHECK(report.neutral == 0);
  CHECK(report.fastest_growth == Approx(1).margin(0.2));
  const ConditioningReport blocks = conditioning_of(problems::LinBlocks{40, 2}, 400);
  CHECK(blocks.growing == 2);
  CHECK(blocks.decaying == 6);
  // Well conditioned, although the initial value problem amplifies by e^100.
  CHECK(report.boundary < 100);
  CHECK(report.forcing < 100);
}

TEST_CASE("a mode of known rate has its growth exponent and its condition numbers",
          "[conditioning]") {
  for (const double rate : {2.0, 5.0}) {
    const ConditioningReport report = conditioning_of(testing::growing_mode(rate, 4), 200);
    CAPTURE(rate);
    CHECK(report.growing == 1);
    // Gauss with alpha1 = 0 and epsilon << h turns the sign of the constraint mode in every step.
    CHECK(report.neutral == 1);
    // The start in general position costs a constant of about one over the interval of length 4.
    CHECK(report.fastest_growth == Approx(rate).margin(0.25));
    // x1(end) moved by one moves nothing more than that; x2(0) moved by one decays like exp(-t),
    // of which x1 sees at most 1 / (rate + 1).
    CHECK(report.boundary == Approx(1).epsilon(0.05));
    // At most the integral of exp(-rate t), and of exp(-t) within the constraint mode.
    CHECK(report.forcing < 1.5);
    CHECK(report.forcing > 0);
  }
}

TEST_CASE("a growing mode held at the wrong end shows in the condition number", "[conditioning]") {
  auto held_left = testing::growing_mode(2, 4);
  held_left.B0.swap(held_left.B1);
  const ConditioningReport report = conditioning_of(held_left, 200);
  CHECK(report.boundary == Approx(std::exp(8.0)).epsilon(0.05));
}

TEST_CASE("mode growth of a product of diagonal blocks is that of its entries", "[conditioning]") {
  const int n = 3, intervals = 30;
  BabdMatrix matrix(n, intervals);
  const double rates[] = {0.5, -0.2, -3};
  for (int i = 0; i < intervals; ++i) {
    for (int r = 0; r < n; ++r) {
      matrix.S(i)[r * n + r] = 2 * std::exp(rates[r]);
      matrix.R(i)[r * n + r] = -2;
    }
  }
  const ModeGrowth growth = mode_growth(matrix);
  REQUIRE(growth.logarithms.size() == n);
  // The start in general position costs a constant.
  for (int r = 0; r < n; ++r) CHECK(growth.logarithms[r] == Approx(30 * rates[r]).margin(3));
  CHECK(growth.largest == Approx(15).margin(3));
  // Nothing grows at the end, but something did on the way.
  for (int i = 15; i < intervals; ++i) matrix.S(i)[0] = 2 * std::exp(-0.7);
  CHECK(mode_growth(matrix).logarithms[0] < 2);
  CHECK(mode_growth(matrix).largest == Approx(7.5).margin(2));
}

TEST_CASE("conditioning may be left out", "[conditioning]") {
  const Solution solution = solve(problems::Lin{10}, {.intervals = 50, .conditioning = false});
  CHECK_FALSE(solution.report.conditioning.available);
  CHECK(solution.report.full().find("conditioning:") == std::string::npos);
}

}  // namespace daewave::bvp
