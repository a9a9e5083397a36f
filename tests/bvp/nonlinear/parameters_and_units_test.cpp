// Unknown parameters and components in any units: what is found does not depend on how large a
// number is that says it.

#include <cmath>
#include <numbers>

#include "bvp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

template <class Make>
ProblemFamily unknown(const VecX& guess, Make make) {
  ProblemFamily family;
  family.member = [make](const VecX& p) { return boundary_problem_of(make(p)); };
  family.p = guess;
  for (int i = 0; i < guess.size(); ++i) family.unknown.push_back(i);
  return family;
}

/// y'' = - k y with zeros at 0 and L, and y'(0) = 1: k = (pi / L)^2.
struct Rod {
  static constexpr double half_turn = std::numbers::pi;
  using State = Vec<2>;
  double length = 1, k = 1;
  Interval interval() const { return {0, length}; }
  State f(const State& x, double) const { return {x[1], -k * x[0]}; }
  VecX conditions(const State& left, const State& right) const {
    return VecX{{left[0], right[0], left[1] - 1}};
  }
  State guess(double t) const {
    return {length / half_turn * std::sin(half_turn * t / length),
            std::cos(half_turn * t / length)};
  }
};

/// z' = Z' + A (z - Z) of x = unit z, where Z = (cos t, sin 2t, exp -t); conditions couple all of
/// them, in units of their own.
struct CoupledInUnits {
  using State = Vec<3>;
  Vec<3> unit{1, 1, 1};
  Interval interval() const { return {0, 1}; }
  static State Z(double t) { return {std::cos(t), std::sin(2 * t), std::exp(-t)}; }
  State f(const State& x, double t) const {
    const Mat<3, 3> A{{0.5, -0.9, 0.3}, {-1, 0.6, 0.2}, {0.7, 0.3, -0.8}};
    const State rate(-std::sin(t), 2 * std::cos(2 * t), -std::exp(-t));
    const State off = x.cwiseQuotient(unit) - Z(t);
    return unit.cwiseProduct(State(rate + A * off));
  }
  VecX conditions(const State& left, const State& right) const {
    const Mat<3, 3> B0{{0.8, -0.4, 0.5}, {0, -1, -0.5}, {-0.9, -0.2, 0.4}};
    const Mat<3, 3> B1{{0.9, -0.1, -0.5}, {-0.3, -0.7, -0.7}, {0.5, 0.9, 0.2}};
    return B0 * (left.cwiseQuotient(unit) - Z(0)) + B1 * (right.cwiseQuotient(unit) - Z(1));
  }
  State guess(double) const { return State::Zero(); }
};

/// (u, w / s) = Z(t) where p is 2, which each equation and, of three random ones, each condition is
/// about, in units in which w is s.
struct SmallBeside {
  using State = Vec<2>;
  double s = 1, p = 2;
  Interval interval() const { return {0, 1}; }
  static State Z(double t) { return {std::sin(6 * t + 5), std::sin(7 * t + 3.6)}; }
  State in_units(const State& z) const { return {z[0], s * z[1]}; }
  State f(const State& x, double t) const {
    const Mat<2, 2> A{{0.7, -2.1}, {5.4, -0.04}};
    const State off = State(x[0], x[1] / s) - Z(t);
    const State rate(6 * std::cos(6 * t + 5), 7 * std::cos(7 * t + 3.6));
    return in_units(rate + A * off + (p - 2) * std::cos(t) * State(0.7, 1.1));
  }
  VecX conditions(const State& left, const State& right) const {
    const Mat<3, 2> B0{{1.1, -1.6}, {-0.3, -0.6}, {-0.2, 0.6}},
        B1{{-0.5, 0.9}, {-1.2, 0.2}, {-0.4, 0.1}};
    return B0 * (State(left[0], left[1] / s) - Z(0)) + B1 * (State(right[0], right[1] / s) - Z(1));
  }
  State guess(double t) const { return in_units(Z(t) + State(0.1, -0.1)); }
};

/// y = cos t where p is its true value.
struct SmallParameter {
  using State = Vec<1>;
  double p = 0, truth = 1e-6;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double t) const {
    return State{-std::sin(t) - (x[0] - std::cos(t)) + (p / truth - 1) * std::cos(t)};
  }
  VecX conditions(const State& left, const State& right) const {
    return Vec<2>(left[0] - 1, right[0] - std::cos(1));
  }
  State guess(double) const { return State{0}; }
};

}  // namespace

TEST_CASE("eigenvalues are found in any unit of length", "[nonlinear][families]") {
  for (const double length : {1e3, 1.0, 1e-2, 1e-4, 5e-5, 1e-5, 1e-6}) {
    for (const double off : {0.9, 1.001, 1.05}) {
      const double k = std::pow(Rod::half_turn / length, 2);
      const ProblemFamily family = unknown(
          VecX{{off * k}}, [length](const VecX& p) { return Rod{.length = length, .k = p[0]}; });
      const Solution solution = solve(family, {.tolerance = 1e-6});
      CAPTURE(length, off, solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(solution.parameters[0] == Approx(k).epsilon(1e-5));
    }
  }
}

TEST_CASE("components of any units are found beside each other", "[nonlinear]") {
  for (const double small : {1.0, 1e-6, 1e-9}) {
    for (const double large : {1.0, 1e6, 1e9}) {
      for (const double tolerance : {1e-3, 1e-6}) {
        const CoupledInUnits problem{.unit = {small, 1, large}};
        const Solution solution = solve(problem, {.tolerance = tolerance});
        CAPTURE(small, large, tolerance, solution.report.full());
        REQUIRE(solution.report.usable());
        for (const double t : {0.0, 0.4, 1.0}) {
          const VecX off = solution.x(t).cwiseQuotient(problem.unit) - CoupledInUnits::Z(t);
          CHECK(off.cwiseAbs().maxCoeff() < 2 * tolerance);
        }
      }
    }
  }
}

TEST_CASE("a parameter is found of equations one of which is in units that are small beside others",
          "[nonlinear][families]") {
  // Of a component below the tolerance, which says nothing of what it tells of the parameter.
  for (const double s : {1.0, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e8, 1e12}) {
    for (const double guess : {2.2, -1.0}) {
      for (const double tolerance : {1e-3, 1e-6}) {
        const ProblemFamily family =
            unknown(VecX{{guess}}, [s](const VecX& p) { return SmallBeside{.s = s, .p = p[0]}; });
        const Solution solution = solve(family, {.tolerance = tolerance});
        CAPTURE(s, guess, tolerance, solution.report.full());
        REQUIRE(solution.report.usable());
        CHECK(solution.parameters[0] == Approx(2).epsilon(10 * tolerance));
        CHECK(std::abs(solution.x(0.4)[0] - SmallBeside::Z(0.4)[0]) < 10 * tolerance);
      }
    }
  }
}

TEST_CASE("a small parameter is found from guesses of any size", "[nonlinear][families]") {
  for (const double guess : {0.0, 1e-8, 9e-7, 1.1e-6, 2e-6, 5e-6, 2e-5, 1.1e-3}) {
    const ProblemFamily family =
        unknown(VecX{{guess}}, [](const VecX& p) { return SmallParameter{.p = p[0]}; });
    const Solution solution = solve(family, {.tolerance = 1e-6});
    CAPTURE(guess, solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.parameters[0] == Approx(1e-6).epsilon(1e-4));
  }
}

}  // namespace daewave::bvp
