// Constraints that become dependent on the way: where that is found, and that solutions pass there.

#include <cmath>
#include <numbers>
#include <string>

#include "bvp/nonlinear/dependent_points.hpp"
#include "bvp/solve.hpp"
#include "core/adapt/problem_of.hpp"
#include "problems/boundary_motion.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::bvp {
namespace {

constexpr double half_turn = std::numbers::pi;

/// The slider-crank on its branch phi2 = 2 half_turn - phi1, which has one degree of freedom:
///   (2/3 + 2 sin^2 phi) phi'' = -2 sin phi cos phi phi'^2 - g cos phi.
struct OneAngle {
  using State = Vec<2>;
  double from = 1.2, to = 2, seconds = 1;
  Interval interval() const { return {0, seconds}; }
  State f(const State& x, double) const {
    const double s = std::sin(x[0]), c = std::cos(x[0]);
    return {x[1], -(2 * s * c * x[1] * x[1] + 9.81 * c) / (2.0 / 3 + 2 * s * s)};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - from, right[0] - to};
  }
  State guess(double t) const { return {from + (to - from) * t / seconds, (to - from) / seconds}; }
};

/// Relative to 1 + the largest value of each component, at 401 times.
double error_of(const Solution& motion, const Solution& angle, double seconds) {
  const problems::SliderCrank crank;
  VecX most = VecX::Zero(12), size = VecX::Ones(12);
  for (int i = 0; i <= 400; ++i) {
    const double t = seconds * i / 400;
    const VecX x = angle.x(t);
    const VecX exact = crank.state(x[0], x[1]);
    most = most.cwiseMax((motion.x(t) - exact).cwiseAbs());
    size = size.cwiseMax(VecX::Ones(12) + exact.cwiseAbs());
  }
  return most.cwiseQuotient(size).maxCoeff();
}

}  // namespace

TEST_CASE("the slider-crank comes upright on nodes and beside them, and through", "[nonlinear]") {
  struct Way {
    double from, to, seconds;
  };
  for (const Way& way : {Way{half_turn / 4, 3 * half_turn / 4, 1}, Way{1, half_turn - 1, 1},
                         Way{1.2, half_turn - 1.2, 1}, Way{1.2, 2, 1}, Way{0.8, 1.9, 1},
                         Way{1.75 * half_turn, 1.35 * half_turn, 0.8}, Way{1.9, 1.3, 0.7}}) {
    OneAngle reduced{.from = way.from, .to = way.to, .seconds = way.seconds};
    const Solution angle = solve(reduced, {.tolerance = 1e-11});
    REQUIRE(angle.report.usable());
    problems::CrankBetween crank;
    crank.first_angle = way.from;
    crank.last_angle = way.to;
    crank.seconds = way.seconds;
    const bool through = way.from > way.to;
    for (const double tolerance : through ? std::vector{1e-6} : std::vector{1e-4, 1e-8}) {
      CAPTURE(way.from, way.to, tolerance);
      const Solution motion = solve(crank, {.tolerance = tolerance});
      INFO(motion.report.full());
      REQUIRE(motion.report.usable());
      CHECK(error_of(motion, angle, way.seconds) <= tolerance);
      // B y turns fast where the crank is upright; x does not.
      CHECK(motion.mesh().intervals() <= 300);
      if (tolerance > 1e-7) continue;
      const Solution x_alone = solve(crank, {.tolerance = tolerance, .control_multiplier = false});
      CHECK(x_alone.mesh().intervals() <= 60);
    }
  }
}

TEST_CASE("where constraints become dependent is found along a guess", "[nonlinear]") {
  const problems::CrankBetween crank;
  const auto equations = problem_of(static_cast<const problems::SliderCrank&>(crank));
  const auto guess = [&](double t) -> VecX { return crank.guess(t); };
  const auto found = dependent_points(*equations, {0, 1}, guess, 100);
  REQUIRE(found.size() == 1);
  CHECK(found[0].t == Approx((half_turn / 2 - 1.2) / 0.8).epsilon(1e-6));
  CHECK(found[0].pivot < 1e-5);
  CHECK(found[0].width > 1e-3);
  CHECK(found[0].width < 0.1);
  // Twice around, by as many samples.
  const auto around = [&](double t) -> VecX {
    return crank.state(0.1 + 4 * half_turn * t, 4 * half_turn);
  };
  const auto four = dependent_points(*equations, {0, 1}, around, 100);
  REQUIRE(four.size() == 4);
  for (int i = 0; i < 4; ++i) {
    CHECK(four[i].t ==
          Approx((half_turn / 2 + i * half_turn - 0.1) / (4 * half_turn)).epsilon(1e-6));
  }
  // A zero of higher order (G B = (t - 1/2)^2 and more) is one point too.
  const problems::Al2Example63Boundary flat;
  const auto index_2 = problem_of(static_cast<const problems::Al2Example63&>(flat));
  const auto one = dependent_points(
      *index_2, {0, 1}, [&](double t) -> VecX { return flat.guess(t); }, 101);
  REQUIRE(one.size() == 1);
  CHECK(one[0].t == Approx(0.5).epsilon(1e-6));
  CHECK(dependent_points(
            *problem_of(problems::Pendulum{}), {0, 1},
            [](double t) -> VecX {
              return Vec<4>{std::cos(t), std::sin(t), -std::sin(t), std::cos(t)};
            },
            100)
            .empty());
}

TEST_CASE("a variant that divides by G B is not tried where that is singular", "[nonlinear]") {
  const Solution crank = solve(problems::CrankBetween{}, {.tolerance = 1e-6});
  REQUIRE(crank.report.usable());
  CHECK(crank.carries_By());
  REQUIRE_FALSE(crank.report.warnings.empty());
  CHECK_THAT(crank.report.warnings.back(), contains_text("dependent at t = 0.463"));
  // Where it is asked for it is taken, and says what comes of it.
  const Solution asked =
      solve(problems::CrankBetween{}, {.tolerance = 1e-9, .variant = Variant::baumgarte_form});
  CHECK_FALSE(asked.report.usable());
}

namespace {

/// x1' = cos t + b (cos t - y), 0 = x1 - sin t, and x2' = -x2: y = cos t, and G B = b comes down to
/// `least` of its largest.
struct NearlyDependent {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  double least = 0;
  Interval interval() const { return {0, 1}; }
  double b(double t) const { return least + (1 - least) * (2 * t - 1) * (2 * t - 1); }
  State f(const State& x, double t) const { return {std::cos(t) + b(t) * std::cos(t), -x[1]}; }
  Mat<2, 1> B(const State&, double t) const { return {b(t), 0}; }
  Multiplier g(const State& x, double t) const { return Multiplier(x[0] - std::sin(t)); }
  Mat<1, 2> G(const State&, double) const { return {1, 0}; }
  Multiplier g_t(const State&, double t) const { return Multiplier(-std::cos(t)); }
  Vec<1> conditions(const State& left, const State&) const { return Vec<1>(left[1] - 1); }
  State guess(double t) const { return {std::sin(t), std::exp(-t)}; }
};

}  // namespace

TEST_CASE(
    "constraints whose smallest pivot is a millionth of the largest are divided by, and no "
    "less",
    "[nonlinear]") {
  const auto is_divided_by = [](double least) {
    const Solution solution = solve(NearlyDependent{least}, {.tolerance = 1e-3});
    CAPTURE(least, solution.report.full());
    CHECK(solution.report.usable());
    bool refused = false;
    for (const std::string& warning : solution.report.warnings) {
      refused =
          refused || warning.find("constraints become dependent at t = 0.5") != std::string::npos;
    }
    CHECK(refused == solution.carries_By());
    return !refused;
  };
  for (const double least : {1e-3, 1e-5, 3e-6, 1.1e-6}) CHECK(is_divided_by(least));
  for (const double least : {0.9e-6, 3e-7, 1e-8, 0.0}) CHECK_FALSE(is_divided_by(least));
}

namespace {

/// q'' = -y on the circle: of index 3, stated as if its index were 2.
struct CircleOfFirstOrder {
  using State = Vec<4>;
  using Multiplier = Vec<1>;
  bool moves = false;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[2], x[3], 0, 0}; }
  Mat<4, 1> B(const State& x, double) const { return {0, 0, x[0], x[1]}; }
  Multiplier g(const State& x, double) const {
    return Multiplier(0.5 * (x[0] * x[0] + x[1] * x[1] - 1));
  }
  Mat<1, 4> G(const State& x, double) const { return {x[0], x[1], 0, 0}; }
  Multiplier g_t(const State&, double) const { return Multiplier(0); }
  Vec<3> conditions(const State& left, const State& right) const {
    return {left[0] - 1, left[2], right[0]};
  }
  State guess(double t) const {
    if (!moves) return State::Zero();  // Where G vanishes.
    return {std::cos(t), std::sin(t), -std::sin(t), std::cos(t)};
  }
};

}  // namespace

TEST_CASE("an index that is higher than is said is told as such", "[nonlinear]") {
  for (const Variant variant : {Variant::direct, Variant::singular}) {
    const Solution told = solve(CircleOfFirstOrder{.moves = true}, {.variant = variant});
    CAPTURE(name_of(variant), told.report.full());
    CHECK_FALSE(told.report.usable());
    CHECK_THAT(told.report.message, contains_text("the index is higher than 2"));
    CHECK_THAT(told.report.advice, contains_text("index 3"));
    // Of a guess at which G vanishes nothing is known.
    const Solution unknown = solve(CircleOfFirstOrder{}, {.variant = variant});
    CHECK_FALSE(unknown.report.usable());
    CHECK_THAT(unknown.report.message, !contains_text("the index is higher"));
  }
}

}  // namespace daewave::bvp
