// Derivatives of constraints that contradict the constraints, and such as only seem to.

#include "core/start/check_constraints.hpp"

#include <cmath>

#include "core/adapt/problem_of.hpp"
#include "core/derivatives/differences.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

/// x' = B y, 0 = x_1 + x_2 / 2 in units of `unit`, from terms that are no part of it.
struct Slope {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  double unit = 1, beside = 0, wrong = 0;

  State f(const State&, double) const { return State::Zero(); }
  Mat<2, 1> B(const State&, double) const { return {1, 0}; }
  Multiplier g(const State& x, double) const {
    const double terms = x[0] / unit + x[1] / (2 * unit) + beside;
    return Multiplier{terms - beside};
  }
  Mat<1, 2> G(const State&, double) const { return {1 / unit + wrong / unit, 0.5 / unit}; }
  Multiplier g_t(const State&, double) const { return Multiplier{0}; }
};

void check_at(const Slope& slope, double size) {
  check_constraint_derivatives(*problem_of(slope), Vec<2>(size, -2 * size), {0, 1});
}

}  // namespace

TEST_CASE("at states that are almost zero right derivatives are taken, wrong ones refused",
          "[refused]") {
  for (const double size : {0.0, 1e-300, 1e-87, 1e-30, 1e-16, 1e-13, 1e-10, 1e-6, 1.0}) {
    for (const double beside : {0.0, 3.0}) {
      for (const double unit : {1.0, 1e-6}) {
        CAPTURE(size, beside, unit);
        CHECK_NOTHROW(check_at({.unit = unit, .beside = beside}, size));
        for (const double wrong : {0.3, -0.3, -2.0}) {
          CAPTURE(wrong);
          CHECK_THROWS_AS(check_at({.unit = unit, .beside = beside, .wrong = wrong}, size),
                          InvalidProblem);
        }
      }
    }
  }
}

TEST_CASE("of a constraint that moves, right derivatives are taken at any time", "[refused]") {
  struct Moving {
    using State = Vec<1>;
    using Multiplier = Vec<1>;
    State f(const State&, double) const { return State::Zero(); }
    Mat<1, 1> B(const State&, double) const { return Mat<1, 1>{1.0}; }
    Multiplier g(const State& x, double t) const { return Multiplier{x[0] - std::sin(3 * t)}; }
    Mat<1, 1> G(const State&, double) const { return Mat<1, 1>{1.0}; }
    Multiplier g_t(const State&, double t) const { return Multiplier{-3 * std::cos(3 * t)}; }
  };
  const auto problem = problem_of(Moving{});
  for (const double t : {0.0, 1e3, 1e6, 1e8, 1e9, 1e10, 1e12, 1e15, 1e17, 1e300}) {
    for (const double length : {1e-3, 1.0, 1e3}) {
      CAPTURE(t, length);
      CHECK_NOTHROW(
          check_constraint_derivatives(*problem, Vec<1>(std::sin(3 * t)), {t, t + length}));
    }
  }
}

TEST_CASE("derivatives that differences have missed are not said to be given", "[refused]") {
  struct Fast {
    using State = Vec<1>;
    using Multiplier = Vec<1>;
    State f(const State&, double) const { return State::Zero(); }
    Mat<1, 1> B(const State&, double) const { return Mat<1, 1>{1.0}; }
    Multiplier g(const State& x, double t) const {
      return Multiplier{x[0] - 0.1 * std::sin(1e7 * t)};
    }
  };
  const auto problem = problem_of(with_differences(Fast{}));
  CHECK_THROWS_WITH(check_constraint_derivatives(*problem, Vec<1>(0.0), {0, 5e-7}),
                    contains_text("contradict the constraint: g_t row 1") &&
                        contains_text("g moves faster than they see") &&
                        !contains_text("derivatives given"));
}

}  // namespace daewave
