// Newton's method for the stages of implicit steps, by itself: where it begins, what it keeps from
// step to step, when it takes a Jacobian for each stage, and what it says where it fails.

#include "ivp/one_step/stage_newton.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/time/collocation_scheme.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp::of_stage_newton {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// x' = f(x) of one unknown, watched.
struct Watched {
  std::function<double(double)> f, f_x;
  std::vector<double> at{};             ///< Where f was asked for.
  std::vector<int> of_stage{}, of_J{};  ///< The stages, -1 for the begin of a step.
  int refuses_after = 1000000, refuses_J_after = 1000000;
  double h = 0;

  bool solve(StageNewton& newton, double x, double length, double weight = 1) {
    at.clear();
    of_stage.clear();
    of_J.clear();
    h = length;
    return newton.solve(
        VecX::Constant(1, x), length, VecX::Constant(1, weight),
        [&](int j, const VecX& X, VecX& F) {
          at.push_back(X[0]);
          of_stage.push_back(j);
          F[0] = f(X[0]);
          return static_cast<int>(at.size()) <= refuses_after;
        },
        [&](int j, const VecX& X, const VecX&, MatX& J) {
          of_J.push_back(j);
          J(0, 0) = f_x(j < 0 ? x : X[0]);
          return static_cast<int>(of_J.size()) <= refuses_J_after;
        });
  }
};

Watched decay(double rate) {
  return {[rate](double x) { return -rate * x; }, [rate](double) { return -rate; }};
}

/// One that grows as x does.
Watched explosion() {
  return {[](double x) { return x * x; }, [](double x) { return 2 * x; }};
}

StageNewton newton_of(int stages, const NewtonGoal& goal = {}) {
  StageNewton newton(stage_transform(collocation(Scheme::radau, stages)), goal);
  newton.start(1);
  return newton;
}

double increment_of(const StageNewton& newton) {
  VecX out;
  newton.increment(out);
  return out[0];
}

}  // namespace

TEST_CASE("the Jacobian of a linear problem is kept, and its factors for steps of one length",
          "[collocation-step]") {
  StageNewton newton = newton_of(1);
  Watched system = decay(2);
  // Backward Euler: x1 = x / (1 + 2 h). One iteration more shows that nothing changes.
  REQUIRE(system.solve(newton, 3, 0.5));
  CHECK(increment_of(newton) == Approx(3 / 2.0 - 3).epsilon(1e-15));
  CHECK(newton.Z(0)[0] == Approx(-1.5).epsilon(1e-15));
  CHECK(system.of_J == std::vector<int>{-1});
  CHECK(newton.iterations() == 2);
  CHECK(newton.factorizations() == 1);
  newton.accept(0.5);
  REQUIRE(system.solve(newton, 1.5, 0.5));
  newton.accept(0.5);
  CHECK(system.of_J.empty());
  CHECK(newton.jacobians() == 1);
  CHECK(newton.factorizations() == 1);
  // The same but for rounding, and another.
  REQUIRE(system.solve(newton, 0.75, 0.5 * (1 + 1e-10)));
  newton.accept(0.5);
  CHECK(newton.factorizations() == 1);
  REQUIRE(system.solve(newton, 0.75, 0.5 * (1 + 1e-8)));
  CHECK(newton.factorizations() == 2);
  CHECK(newton.jacobians() == 1);
  // What is begun anew knows nothing.
  newton.start(1);
  REQUIRE(system.solve(newton, 3, 0.5 * (1 + 1e-8)));
  CHECK(newton.jacobians() == 2);
  CHECK(newton.factorizations() == 3);
}

TEST_CASE("a Jacobian is kept where changes shrink to a thousandth, and not of slower ones",
          "[collocation-step]") {
  for (const bool slow : {false, true}) {
    CAPTURE(slow);
    // J is off by so much of itself: each change is h |error| / (1 + 2 h) of the one before.
    const double off = slow ? 0.01 : 1e-3;
    Watched system{[](double x) { return -2 * x; }, [off](double) { return -2 * (1 + off); }};
    StageNewton newton = newton_of(1);
    REQUIRE(system.solve(newton, 3, 0.5));
    newton.accept(0.5);
    REQUIRE(system.solve(newton, 1.5, 0.5));
    CHECK(newton.jacobians() == (slow ? 2 : 1));
    CHECK(increment_of(newton) == Approx(-0.75).epsilon(1e-14));
  }
}

TEST_CASE("stages begin where the polynomial of the step before leads, unless that is far",
          "[collocation-step]") {
  struct Case {
    int stages;
    double ratio;
    bool near;
  };
  // With three stages steps of eight times the length, with more of twice; never back in time.
  for (const Case& one : {Case{3, 1, true}, Case{3, 8, true}, Case{3, 8.1, false}, Case{4, 2, true},
                          Case{4, 2.1, false}, Case{1, 8, true}, Case{2, -1, false}}) {
    CAPTURE(one.stages, one.ratio);
    Watched steady{[](double) { return 3.0; }, [](double) { return 0.0; }};
    StageNewton newton = newton_of(one.stages);
    const double h = 0.25, first = newton.scheme().c[0];
    REQUIRE(steady.solve(newton, 1, h));
    CHECK(steady.at[0] == 1);
    newton.accept(h);
    const double x = 1 + 3 * h, longer = one.ratio * h;
    REQUIRE(steady.solve(newton, x, longer));
    CHECK(steady.at[0] == Approx(one.near ? x + 3 * first * longer : x).epsilon(1e-13));
    CHECK(increment_of(newton) == Approx(3 * longer).epsilon(1e-13));
    // Those at hand are kept for one solve.
    const double kept = x + newton.Z(0)[0];
    newton.keep_stages();
    REQUIRE(steady.solve(newton, x, longer));
    CHECK(steady.at[0] == kept);
  }
}

TEST_CASE("the polynomial of a step is that of its ends and stages", "[collocation-step]") {
  StageNewton newton = newton_of(2);
  Watched steady{[](double) { return 3.0; }, [](double) { return 0.0; }};
  REQUIRE(steady.solve(newton, 1, 0.5));
  newton.accept(0.5);
  VecX out;
  for (const double theta : {0.0, 0.25, 1.0, 1.5}) {
    newton.interpolate(theta, out);
    CHECK(out[0] == Approx(1.5 * theta).margin(1e-14));
  }
  // Until the next one is accepted.
  REQUIRE(steady.solve(newton, 2.5, 2));
  newton.interpolate(1, out);
  CHECK(out[0] == Approx(1.5).epsilon(1e-14));
}

TEST_CASE("the error of a step is what a formula of lower order misses, filtered",
          "[collocation-step][HW2]") {
  StageNewton newton = newton_of(3, {.rounding = false, .error = 1e-6, .filters = true});
  const double rate = 5, h = 0.3;
  Watched system = decay(rate);
  REQUIRE(system.solve(newton, 1, h, 1e-3));
  const StageTransform& scheme = newton.scheme();
  double expected = h * scheme.mu_real * -rate;
  for (int j = 0; j < 3; ++j) expected += scheme.e[j] * newton.Z(j)[0];
  expected /= 1 + h * scheme.mu_real * rate;
  VecX out;
  newton.estimate(h, VecX::Constant(1, -rate), out);
  CHECK(out[0] == Approx(expected).epsilon(1e-12));
}

TEST_CASE("where one Jacobian does not do, each stage has its own for twenty steps",
          "[collocation-step]") {
  // The stages of x' = 40 - x^3 from 1/2 are near 3.4, where J is -35: at the begin it is -3/4.
  Watched system{[](double x) { return 40 - x * x * x; }, [](double x) { return -3 * x * x; }};
  StageNewton newton = newton_of(2);
  const double h = 0.5;
  double x = 0.5;
  REQUIRE(system.solve(newton, x, h));
  CHECK(newton.coupled() == 1);
  CHECK(system.of_J[0] == -1);
  CHECK(std::count(system.of_J.begin(), system.of_J.end(), 0) >= 2);
  CHECK(std::count(system.of_J.begin(), system.of_J.end(), 0) ==
        std::count(system.of_J.begin(), system.of_J.end(), 1));
  for (int i = 1; i < 20; ++i) {
    x += increment_of(newton);
    newton.accept(h);
    REQUIRE(system.solve(newton, x, h));
    CHECK(newton.coupled() == i + 1);
    // That of the begin is not used, nor asked for.
    CHECK(std::count(system.of_J.begin(), system.of_J.end(), -1) == 0);
  }
  x += increment_of(newton);
  newton.accept(h);
  REQUIRE(system.solve(newton, x, h));
  CHECK(newton.coupled() == 20);
  CHECK(system.of_J == std::vector<int>{-1});
  CHECK(x == Approx(std::cbrt(40)).epsilon(1e-10));
}

TEST_CASE("a goal without Jacobians of stages has none", "[collocation-step]") {
  Watched system{[](double x) { return 40 - x * x * x; }, [](double x) { return -3 * x * x; }};
  StageNewton newton = newton_of(2, {.rounding = true, .error = 1e-15, .coupled = false});
  CHECK_FALSE(system.solve(newton, 0.5, 0.5));
  CHECK(newton.evaluated());
  CHECK(system.of_J == std::vector<int>{-1});
  CHECK(newton.coupled() == 0);
}

TEST_CASE("large states have Jacobians of stages where a step cannot be shorter instead",
          "[collocation-step]") {
  for (const int n : {100, 101}) {
    for (const bool rounding : {false, true}) {
      CAPTURE(n, rounding);
      StageNewton newton(stage_transform(collocation(Scheme::radau, 1)),
                         {.rounding = rounding, .error = rounding ? 1e-15 : 1e-3});
      newton.start(n);
      const bool solved = newton.solve(
          VecX::Constant(n, 2), 0.5, VecX::Ones(n),
          [](int, const VecX& X, VecX& F) {
            F = 40 - X.array().cube();
            return true;
          },
          [n](int j, const VecX& X, const VecX&, MatX& J) {
            J = MatX::Zero(n, n);
            J.diagonal().setConstant(-12);
            if (j >= 0) J.diagonal() = -3 * X.array().square();
            return true;
          });
      CHECK(solved == (rounding || n == 100));
      CHECK(newton.coupled() == (solved ? 1 : 0));
    }
  }
}

TEST_CASE("what cannot be evaluated leaves the reason to the problem", "[collocation-step]") {
  for (const int calls : {0, 1, 2, 3}) {
    Watched system = decay(2);
    system.refuses_after = calls;
    StageNewton newton = newton_of(2);
    CHECK_FALSE(system.solve(newton, 1, 0.5));
    CHECK_FALSE(newton.evaluated());
    CHECK_FALSE(newton.finite());
    CHECK(newton.failure(0).empty());
    CHECK(system.at.size() == static_cast<std::size_t>(calls) + 1);
    // And is forgotten with the next step that can be.
    system.refuses_after = 1000000;
    REQUIRE(system.solve(newton, 1, 0.5));
  }
  Watched system = decay(2);
  system.refuses_J_after = 0;
  StageNewton newton = newton_of(2);
  CHECK_FALSE(system.solve(newton, 1, 0.5));
  CHECK_FALSE(newton.evaluated());
  CHECK(system.at.empty());
}

TEST_CASE("stages that are not finite, and those without a solution, are told apart",
          "[collocation-step]") {
  Watched bad{[](double) { return no_number; }, [](double) { return 1.0; }};
  StageNewton newton = newton_of(2);
  CHECK_FALSE(bad.solve(newton, 1, 0.5));
  CHECK(newton.evaluated());
  CHECK_FALSE(newton.finite());
  CHECK_THAT(newton.failure(2),
             contains_text("t = 2: Newton's method gave a value that is not finite with h = 0.5"));
  // x1 = 1 + h x1^2 has no solution for h > 1/4.
  Watched none = explosion();
  StageNewton euler = newton_of(1);
  CHECK(none.solve(euler, 1, 0.2));
  CHECK(increment_of(euler) == Approx((1 - std::sqrt(0.2)) / 0.4 - 1).epsilon(1e-13));
  CHECK_FALSE(none.solve(euler, 1, 0.3));
  CHECK(euler.evaluated());
  CHECK(euler.finite());
  CHECK_THAT(euler.failure(2), contains_text("t = 2: Newton's method d") &&
                                   contains_text("with h = 0.3; the last change was "));
  // The step accepted before stands.
  CHECK(none.solve(euler, 1, 0.2));
  CHECK(increment_of(euler) == Approx((1 - std::sqrt(0.2)) / 0.4 - 1).epsilon(1e-13));
}

TEST_CASE("what a step leaves to the next one can be taken up elsewhere", "[collocation-step]") {
  Watched system = explosion();
  StageNewton newton = newton_of(3, {.rounding = false, .error = 1e-4, .filters = true});
  REQUIRE(system.solve(newton, 1, 0.1, 1e-3));
  newton.accept(0.1);
  const double x = 1 + increment_of(newton);
  StageNewton other = newton_of(3, {.rounding = false, .error = 1e-4, .filters = true});
  other.take_up(newton.kept());
  REQUIRE(system.solve(newton, x, 0.12, 1e-3));
  const std::vector<double> at = system.at;
  const std::vector<int> of_J = system.of_J;
  REQUIRE(system.solve(other, x, 0.12, 1e-3));
  CHECK(system.at == at);
  CHECK(system.of_J == of_J);
  CHECK(increment_of(other) == increment_of(newton));
}

}  // namespace daewave::ivp::of_stage_newton
