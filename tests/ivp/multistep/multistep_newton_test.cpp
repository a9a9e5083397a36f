// Newton's method of one step of a blocked formula, by itself: how long it iterates, when
// derivatives and factors are taken anew, and what it says where it fails.

#include "ivp/multistep/multistep_newton.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "tests/catch.hpp"

namespace daewave::ivp::of_multistep_newton {
namespace {

/// x' = rate x whose derivative is said to be `said`, without constraints; watched.
struct Straight final : IndexTwoSystem {
  double rate, said;
  bool knows = true;
  int evaluations = 0, refuses_after = 1000000;

  Straight(double is, double is_said) : rate(is), said(is_said) {}
  int nx() const override { return 1; }
  int nl() const override { return 0; }
  bool evaluate(double, const VecX& x, VecX& f, MatX&, VecX&) override {
    f[0] = rate * x[0];
    return ++evaluations <= refuses_after;
  }
  bool has_jacobian() const override { return knows; }
  bool jacobian(double, const VecX&, double part, const VecX&, MatX& slope_x, MatX&) override {
    slope_x(0, 0) = part * said;
    return true;
  }
  bool underlying(double, const VecX&, VecX&, VecX&) override { return true; }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return "refused"; }
};

/// x' = (1, 2) - (1, 1) lambda, 0 = at (x1 + x2 - 4).
struct Together final : IndexTwoSystem {
  double at = 1;

  int nx() const override { return 2; }
  int nl() const override { return 1; }
  bool evaluate(double, const VecX& x, VecX& f, MatX& B, VecX& c) override {
    f << 1, 2;
    B << 1, 1;
    c[0] = at * (x.sum() - 4);
    return true;
  }
  bool underlying(double, const VecX&, VecX&, VecX&) override { return true; }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return "refused"; }
};

/// One step after another from x = 1.
struct Run {
  IndexTwoSystem& system;
  MultistepNewton newton;
  MultistepPast past;
  VecX D, L, weight;
  MultistepEquation equation;

  Run(IndexTwoSystem& of, bool to_rounding, double weight_of_x = 1)
      : system(of), newton(of, to_rounding) {
    const int nx = of.nx(), nl = of.nl();
    newton.start();
    past.start(nx, nl);
    past.next().x.setOnes();
    past.keep_next();
    weight.setConstant(nx, weight_of_x);
    equation = {.t = 2.5, .h = 0.5, .gamma = 1, .part = 1, .constant = VecX::Zero(nx)};
    L.setZero(nl);
  }
  bool solve(double gamma = 1) {
    equation.gamma = gamma;
    D.setZero(system.nx());
    return newton.solve(equation, weight, past, D, L);
  }
};

}  // namespace

TEST_CASE("a linear step is solved by one change, and one that shows it", "[multistep]") {
  Straight system(-2, -2);
  Run run(system, false);
  REQUIRE(run.solve());
  CHECK(run.D[0] == Approx(-2.0 / 3).epsilon(1e-14));
  CHECK(run.past.next().x[0] == Approx(1.0 / 3).epsilon(1e-14));
  CHECK(run.newton.f()[0] == Approx(-2.0 / 3).epsilon(1e-14));
  CHECK(system.evaluations == 3);  // Those, and at the solution.
  CHECK(run.newton.jacobians() == 1);
  CHECK(run.newton.factorizations() == 1);
  // Of a second change a twentieth of the first is expected: 0.05 / 0.95 of 2/3, in units of x.
  for (const double weight : {30.0, 40.0}) {
    system.evaluations = 0;
    run.weight.setConstant(weight);
    REQUIRE(run.solve());
    CHECK(system.evaluations == (weight < 35 ? 3 : 2));
  }
  CHECK(run.newton.jacobians() == 1);
}

TEST_CASE("factors serve for steps whose gamma differs by a fiftieth", "[multistep]") {
  Straight system(-2, -2);
  Run run(system, false);
  REQUIRE(run.solve());
  for (const double gamma : {1.019, 0.981, 1.0}) {
    REQUIRE(run.solve(gamma));
    CHECK(run.D[0] == Approx(-2 * gamma / (1 + 2 * gamma)).epsilon(1e-3));
  }
  CHECK(run.newton.factorizations() == 1);
  REQUIRE(run.solve(1.021));
  CHECK(run.newton.factorizations() == 2);
  // Within a fiftieth of the last factors.
  REQUIRE(run.solve(1.041));
  CHECK(run.newton.factorizations() == 2);
  REQUIRE(run.solve(1));
  CHECK(run.newton.factorizations() == 3);
  CHECK(run.newton.jacobians() == 1);
  run.newton.start();
  REQUIRE(run.solve(1));
  CHECK(run.newton.factorizations() == 4);
  CHECK(run.newton.jacobians() == 2);
}

TEST_CASE("derivatives serve for steps whose changes shrink to a fifth", "[multistep]") {
  // With gamma = 1 each change is (rate - said) / (1 - said) of the one before.
  for (const bool slow : {false, true}) {
    Straight system(-2, slow ? -1.45 : -1.55);
    Run run(system, false, 1e-3);
    REQUIRE(run.solve());
    CHECK(run.D[0] == Approx(-2.0 / 3).epsilon(1e-5));
    REQUIRE(run.solve());
    CHECK(run.newton.jacobians() == (slow ? 2 : 1));
  }
}

TEST_CASE("iterations that are slow end, and are tried with derivatives of each of them",
          "[multistep]") {
  // With `said` 0 each change is `rate` of the one before; three times more, where derivatives of
  // an iteration are the same.
  struct Case {
    double rate;
    int of_step, of_iteration;
  };
  for (const Case& one : {Case{-0.85, 15, 15}, Case{-0.95, 3, 15}, Case{-1.9, 3, 15},
                          Case{-2.1, 2, 15}, Case{-1001, 2, 2}}) {
    CAPTURE(one.rate);
    Straight system(one.rate, 0);
    Run run(system, false, 1e-3);
    CHECK_FALSE(run.solve());
    CHECK(system.evaluations == one.of_step + one.of_iteration);
    CHECK(run.newton.jacobians() == 1 + one.of_iteration);
    CHECK(run.newton.finite());
    CHECK_THAT(run.newton.failure(),
               contains_text("t = 2: Newton's method does not converge with h = 0.5; the last "
                             "change was ") &&
                   contains_text(" of the one before"));
    // The next one begins anew.
    system.said = one.rate;
    REQUIRE(run.solve());
    CHECK(run.newton.failure().empty());
  }
}

TEST_CASE("to rounding a step is solved to the last digits", "[multistep]") {
  for (const double said : {-2.0, -1.8, -1.0}) {
    CAPTURE(said);
    Straight system(-2, said);
    Run run(system, true, std::numeric_limits<double>::quiet_NaN());
    if (said == -1.0) {
      // Half of the error is left each time: 2^-15, and derivatives of each iteration are no other.
      CHECK_FALSE(run.solve());
      continue;
    }
    REQUIRE(run.solve());
    CHECK(run.D[0] == Approx(-2.0 / 3).epsilon(1e-15));
  }
}

TEST_CASE("derivatives of a step are taken by differences where they are not known",
          "[multistep]") {
  Straight system(-2, 0);
  system.knows = false;
  Run run(system, false);
  REQUIRE(run.solve());
  CHECK(run.D[0] == Approx(-2.0 / 3).epsilon(1e-7));
  // At the first x, with x moved and there again; then at the second, and at the solution.
  CHECK(system.evaluations == 5);
  CHECK(run.newton.jacobians() == 1);
}

TEST_CASE("multipliers of a step keep its constraint", "[multistep]") {
  Together system;
  Run run(system, false, 1e-3);
  run.equation.constant = VecX{{0.25, 0.0}};
  REQUIRE(run.solve(0.5));
  // D + s = gamma (f - B lambda), D1 + D2 = 2.
  CHECK(run.D.sum() == Approx(2).epsilon(1e-9));
  const double lambda = (0.5 * 3 - 0.25 - 2) / (2 * 0.5);
  CHECK(run.L[0] == Approx(lambda).epsilon(1e-6));
  CHECK(run.D[0] == Approx(0.5 * (1 - lambda) - 0.25).epsilon(1e-6));
  CHECK(run.newton.B()(1, 0) == 1);
  // What a perturbation changes: what B and c_x let through of it, and what they take.
  VecX e{{3.0, 1.0}}, change(1);
  run.newton.filter(e, change);
  CHECK(e[0] == Approx(1).epsilon(1e-6));
  CHECK(e[1] == Approx(-1).epsilon(1e-6));
  CHECK(change[0] == Approx(2 / 0.5).epsilon(1e-6));
  // In f alone part counts.
  run.equation.part = 0.5;
  run.newton.start();
  REQUIRE(run.solve(0.5));
  CHECK(run.L[0] == Approx((0.25 * 3 - 0.25 - 2) / (2 * 0.5)).epsilon(1e-6));
}

TEST_CASE("what a step cannot be solved with is told", "[multistep]") {
  for (const int calls : {0, 1, 2}) {
    Straight refusing(-2, -2);
    refusing.refuses_after = calls;
    Run run(refusing, false);
    CHECK_FALSE(run.solve());
    CHECK(refusing.evaluations == calls + 1);
    CHECK_FALSE(run.newton.finite());
    CHECK(run.newton.failure() == "refused");
  }
  Together nowhere;
  nowhere.at = 0;
  Run singular(nowhere, false);
  CHECK_FALSE(singular.solve());
  CHECK(singular.newton.finite());
  CHECK_THAT(singular.newton.failure(),
             contains_text("t = 2: the matrix of Newton's method is singular, h = 0.5; the "
                           "constraints are dependent there"));
  Straight infinite(std::numeric_limits<double>::infinity(), 0);
  Run far(infinite, false);
  CHECK_FALSE(far.solve());
  CHECK_FALSE(far.newton.finite());
  CHECK_THAT(far.newton.failure(), contains_text("t = 2: Newton's method gives a number that is "
                                                 "not finite, h = 0.5"));
}

}  // namespace daewave::ivp::of_multistep_newton
