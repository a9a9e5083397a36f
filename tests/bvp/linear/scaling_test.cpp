// Units do not matter: with B -> B D_y, y -> D_y^-1 y, and C -> D_C C, r -> D_C r, where D_y and
// D_C are diagonal, the projector, x and B y stay what they were.                [AL1] H1

#include <cmath>

#include "bvp/linear/shooting_back.hpp"
#include "bvp/linear/solve.hpp"
#include "core/derivatives/linear_derivatives.hpp"
#include "problems/al1.hpp"
#include "tests/bvp/linear/random_problem.hpp"
#include "tests/catch.hpp"
#include "tests/core/singular_coefficients.hpp"

namespace daewave::bvp {
namespace {

/// Another problem in other units, one for each y and one for each constraint.
template <class P>
struct InUnits {
  P of;
  VecX of_y, of_constraint;

  Interval interval() const { return of.interval(); }
  Boundary boundary() const { return of.boundary(); }
  MatX A(double t) const { return of.A(t); }
  MatX B(double t) const { return of.B(t) * of_y.asDiagonal(); }
  VecX q(double t) const { return of.q(t); }
  MatX C(double t) const { return of_constraint.asDiagonal() * MatX(of.C(t)); }
  VecX r(double t) const { return of_constraint.cwiseProduct(VecX(of.r(t))); }
  MatX C_t(double t) const requires HasConstraintDerivatives<P> {
    return of_constraint.asDiagonal() * MatX(of.C_t(t));
  }
  VecX r_t(double t) const requires HasConstraintDerivatives<P> {
    return of_constraint.cwiseProduct(VecX(of.r_t(t)));
  }
};

/// The same in another unit of time, of which there are `time` in one of its own.
struct InTime {
  testing::RandomProblemWithDerivatives of;
  double time = 1;

  Interval interval() const { return {of.interval().begin * time, of.interval().end * time}; }
  Boundary boundary() const { return of.boundary(); }
  MatX A(double t) const { return of.A(t / time) / time; }
  MatX B(double t) const { return of.B(t / time) / time; }
  VecX q(double t) const { return of.q(t / time) / time; }
  MatX C(double t) const { return of.C(t / time); }
  VecX r(double t) const { return of.r(t / time); }
  MatX C_t(double t) const { return of.C_t(t / time) / time; }
  VecX r_t(double t) const { return of.r_t(t / time) / time; }
};

struct Units {
  Vec<2> of_y, of_constraint;
};
const std::vector<Units> units{{{1, 1}, {1e-13, 1e-13}},       {{1, 1}, {1e13, 1e13}},
                               {{1e-13, 1e-13}, {1, 1}},       {{1e13, 1e13}, {1, 1}},
                               {{1, 1}, {1e-13, 1e13}},        {{1, 1}, {1e13, 1e-13}},
                               {{1e-13, 1e13}, {1, 1}},        {{1e13, 1e-13}, {1, 1}},
                               {{1e-13, 1e13}, {1e13, 1e-13}}, {{1e13, 1e13}, {1e-13, 1}}};

/// The largest difference of x at nodes, B y at stages, and y, in the units of `plain`, between.
double gap(const Solution& plain, const Solution& scaled, const VecX& unit_of_y) {
  REQUIRE(plain.mesh().intervals() == scaled.mesh().intervals());
  double largest = 0;
  const auto add = [&largest](const VecX& a, const VecX& b) {
    largest = std::max(largest, (a - b).cwiseAbs().maxCoeff());
  };
  for (int i = 0; i < plain.mesh().intervals(); ++i) {
    const double t = plain.mesh().node(i) + 0.3 * plain.mesh().step(i);
    add(plain.x_at_node(i + 1), scaled.x_at_node(i + 1));
    for (int j = 0; j < plain.scheme().stages; ++j) {
      add(plain.By_at_stage(i, j), scaled.By_at_stage(i, j));
    }
    const auto y = plain.y(t), y_scaled = scaled.y(t);
    REQUIRE(y.has_value() == y_scaled.has_value());
    if (y) add(*y, y_scaled->cwiseProduct(unit_of_y));
  }
  return largest;
}

}  // namespace

TEST_CASE("the units of multipliers and constraints change no answer", "[scaling][AL1-H1]") {
  const testing::ManufacturedDae plain = testing::random_symmetric_dae(5, 2, 97);
  // Rounding of coefficients, times a condition of about a thousand. The first stage of lobatto
  // takes B y from a division of that by epsilon = 1e-6; alpha1 = 1 sees the rounding of C', which
  // differences have to 1e-11.
  struct Method {
    Scheme scheme;
    double alpha1, allowed;
  };
  for (const Method& method : {Method{Scheme::radau, 0, 1e-12}, Method{Scheme::lobatto, 0, 1e-8},
                               Method{Scheme::gauss, 1, 1e-10}}) {
    const Options options{
        .scheme = method.scheme, .stages = 3, .intervals = 20, .alpha1 = method.alpha1};
    const Solution expected = solve(with_differences(plain), options);
    REQUIRE(expected.report.usable());
    for (const Units& unit : units) {
      CAPTURE(name_of(method.scheme), unit.of_y.transpose(), unit.of_constraint.transpose());
      const InUnits<testing::ManufacturedDae> problem{plain, unit.of_y, unit.of_constraint};
      const Solution solution = solve(with_differences(problem), options);
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(gap(expected, solution, unit.of_y) < method.allowed);
    }
  }
}

TEST_CASE("units that are powers of two change no bit", "[scaling]") {
  const testing::ManufacturedDae plain = testing::random_symmetric_dae(5, 2, 98);
  const Solution expected = solve(plain, {.tolerance = 1e-7});
  REQUIRE(expected.report.usable());
  const Vec<2> of_y(std::ldexp(1, 300), std::ldexp(1, -200)),
      of_constraint(std::ldexp(1, -40), std::ldexp(1, 500));
  const Solution solution =
      solve(InUnits<testing::ManufacturedDae>{plain, of_y, of_constraint}, {.tolerance = 1e-7});
  REQUIRE(solution.report.usable());
  CHECK(gap(expected, solution, of_y) == 0);
}

TEST_CASE("a problem with everything left open is solved in any unit", "[scaling]") {
  const problems::Al1Example1 plain;
  const Solution expected = solve(plain);
  for (const double factor : {1e-13, 1e-6, 1e6, 1e13}) {
    for (const bool of_constraint : {true, false}) {
      CAPTURE(factor, of_constraint);
      const VecX unit = VecX::Constant(1, factor), one = VecX::Ones(1);
      const InUnits<problems::Al1Example1> problem{plain, of_constraint ? one : unit,
                                                   of_constraint ? unit : one};
      const Solution solution = solve(problem);
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      REQUIRE(solution.report.singular_points.size() == expected.report.singular_points.size());
      CHECK(solution.report.singular_points[0].t == Approx(0.5));
      CHECK(gap(expected, solution, problem.of_y) < 1e-9);
    }
  }
}

TEST_CASE("the unit of time changes no answer", "[scaling]") {
  // In milliseconds constraints that were to decay within a unit were stiff: iterates of the first
  // and the third of these did not settle.
  for (const unsigned seed : {0u, 2u, 8u}) {
    const testing::RandomCase drawn = testing::random_case(seed);
    const Solution expected = solve(InTime{drawn.problem}, {.tolerance = drawn.tolerance});
    REQUIRE(expected.report.usable());
    for (const double time : {1e-6, 1e-3, 1e3, 1e6}) {
      const InTime problem{drawn.problem, time};
      const Solution solution = solve(problem, {.tolerance = drawn.tolerance});
      CAPTURE(seed, time, solution.report.full());
      REQUIRE(solution.report.usable());
      // B y is another number in another unit, and its tolerance another part of it.
      CHECK(solution.mesh().intervals() < 1.5 * expected.mesh().intervals());
      for (const double part : {0.0, 0.3, 0.7, 1.0}) {
        const double t = part * drawn.problem.length;
        const VecX x = solution.x(part * problem.interval().end);
        CHECK((x - drawn.problem.x_exact(t)).cwiseAbs().maxCoeff() < 2 * drawn.tolerance);
      }
    }
  }
}

TEST_CASE("stages at singular points are passed in any units", "[scaling][singular]") {
  for (const testing::SingularKind& kind : testing::singular_kinds(0.5)) {
    const auto plain = testing::singular_dae(kind, {0, 1});
    // The last stage of an interval lies at t = 1/2.
    const Options options{.scheme = Scheme::radau, .stages = 3, .intervals = 20, .epsilon = 1e-9};
    const Solution expected = solve(plain, options);
    REQUIRE(expected.report.usable());
    for (const Units& unit : units) {
      CAPTURE(kind.name, unit.of_y.transpose(), unit.of_constraint.transpose());
      const Solution solution =
          solve(InUnits<testing::ManufacturedDae>{plain, unit.of_y, unit.of_constraint}, options);
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      REQUIRE(solution.report.singular_points.size() == 1);
      CHECK(solution.report.singular_points[0].t == Approx(0.5));
      CHECK_THAT(solution.report.singular_points[0].kind, contains_text(kind.name));
      CHECK_THAT(solution.report.singular_points[0].passed_by, contains_text("symmetric limit"));
      // Limits are good to about 1e-9 of P.
      double largest = 0;
      for (int i = 0; i <= 20; ++i) {
        const VecX difference = solution.x_at_node(i) - expected.x_at_node(i);
        largest = std::max(largest, difference.cwiseAbs().maxCoeff());
      }
      CHECK(largest < 1e-8);
    }
  }
}

TEST_CASE("shooting back meets constraints whose units are far apart", "[scaling][shooting]") {
  const testing::ManufacturedDae plain = testing::random_symmetric_dae(5, 2, 99);
  const Options options{.scheme = Scheme::radau, .stages = 3, .intervals = 20, .epsilon = 1e-3};
  const ShootingBack expected = solve_with_shooting_back(plain, options);
  REQUIRE(expected.redone.report.usable());
  for (const Units& unit : units) {
    CAPTURE(unit.of_y.transpose(), unit.of_constraint.transpose());
    const InUnits<testing::ManufacturedDae> problem{plain, unit.of_y, unit.of_constraint};
    const ShootingBack result = solve_with_shooting_back(problem, options);
    INFO(result.backward.report.full());
    REQUIRE(result.redone.report.usable());
    CHECK(gap(expected.redone, result.redone, unit.of_y) < 1e-11);
  }
}

}  // namespace daewave::bvp
