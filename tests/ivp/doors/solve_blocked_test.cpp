// Beta-blocked multistep formulas through the front door.

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/pendulum_runs.hpp"

using namespace daewave;
using namespace daewave::testing;
using ivp::Method;
using ivp::Options;
using ivp::Solution;

namespace {

const Method blocked[] = {ivp::Dcbdf{}, ivp::DcbdfBdf{}, ivp::AdamsMoulton{}, ivp::Bdf{}};

bool raised(const Method& method) {
  return std::holds_alternative<ivp::Dcbdf>(method) ||
         std::holds_alternative<ivp::AdamsMoulton>(method);
}

/// x1 = exp(-t / 4) is free; x2 = sin 6 t is forced by the constraint alone.
struct FastConstraint {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  State f(const State& x, double) const { return {-0.25 * x[0], 0}; }
  Vec<2> B(const State&, double) const { return {0, 1}; }
  Multiplier g(const State& x, double t) const { return Multiplier(x[1] - std::sin(6 * t)); }
  MatOf<double, 1, 2> G(const State&, double) const { return {0, 1}; }
  Multiplier g_t(const State&, double t) const { return Multiplier(-6 * std::cos(6 * t)); }
  Multiplier curvature(const State&, const State&, double t) const {
    return Multiplier(36 * std::sin(6 * t));
  }
};

}  // namespace

TEST_CASE("beta-blocked formulas have their order through the front door", "[solve][multistep]") {
  for (const Method& method : blocked) {
    CAPTURE(name_of(method));
    double errors[2];
    for (int i = 0; i < 2; ++i) {
      Options options{.method = method, .h = swing_end / (64 << i)};
      const Solution solution = swing(options);
      REQUIRE(solution.report.usable());
      CHECK(choice(solution, "method").value == name_of(method));
      CHECK(choice(solution, "order").value == "3");
      CHECK_FALSE(choice(solution, "order").by_user);
      CHECK(solution.ny == 1);
      CHECK(solution.report.integration.index == 3);
      errors[i] = end_error(solution);
    }
    const double order = std::log2(errors[0] / errors[1]);
    CHECK(order > (raised(method) ? 4 : 3) - 0.4);
  }
}

TEST_CASE("beta-blocked formulas follow the tolerance through the front door",
          "[solve][multistep]") {
  for (const Method& method : blocked) {
    CAPTURE(name_of(method));
    Options options{.method = method, .rtol = 1e-8, .atol = 1e-8};
    options.times = {0.1, 0.2, 0.3};
    const Solution solution = swing(options);
    REQUIRE(solution.report.usable());
    CHECK(solution.count() == 5);
    // Local errors add up, see blocked_multistep_step_test.cpp.
    const double most = 1e-7 * static_cast<double>(solution.report.integration.steps);
    CHECK(end_error(solution) < most);
    // lambda = 3 y, from which it differs by the error of its own, of one order less, over h.
    for (int i = 1; i < solution.count(); ++i) CHECK(multiplier_error(solution, i) < 1e-2);
  }
}

TEST_CASE("what constraints force to be fast is as exact between steps of what is slow",
          "[solve][multistep]") {
  for (const Method& method : blocked) {
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      for (const bool multipliers : {true, false}) {
        Options options{.method = method, .rtol = tolerance, .atol = tolerance};
        options.dense = true;
        options.multipliers = multipliers;
        const Solution solution = ivp::solve(FastConstraint{}, Vec<2>{1, 0}, {0, 2}, options);
        CAPTURE(name_of(method), tolerance, multipliers, solution.report.integration.steps);
        REQUIRE(solution.report.usable());
        double most = 0;
        for (int i = 0; i <= 1000; ++i) {
          most = std::max(most, std::abs(solution.at(0.002 * i)[1] - std::sin(0.012 * i)));
        }
        CHECK(most <= 10 * tolerance);
      }
    }
  }
}

TEST_CASE("an order and a c that are stable are taken, others refused with the reason",
          "[solve][multistep]") {
  using ivp::AdamsMoulton;
  const auto swing_by = [](const AdamsMoulton& method) {
    return swing({.method = method, .h = 0.01});
  };
  const Solution solution = swing_by({.order = 2, .c = -0.15});
  REQUIRE(solution.report.usable());
  CHECK(choice(solution, "c").value == "-0.15");
  CHECK(choice(solution, "c").by_user);
  CHECK(choice(solution, "order").by_user);
  CHECK_THROWS_WITH(swing_by({.order = 2, .c = 0.1}), contains_text("c = 0.1") &&
                                                          contains_text("sigma - tau") &&
                                                          contains_text("-0.0833"));
  CHECK_THROWS_WITH(swing_by({.order = 4}), contains_text("order = 4") &&
                                                contains_text("adams-moulton") &&
                                                contains_text("dcbdf"));
  CHECK_THROWS_WITH(swing_by({.order = 7}), contains_text("order = 7"));
  CHECK_THROWS_WITH(swing_by({.c = NAN}), contains_text("c = nan") && contains_text("finite"));
}

TEST_CASE("many steps of a low order are warned of", "[solve]") {
  const auto run = [](double rtol) {
    return ivp::solve(problems::Pendulum{}, problems::Pendulum{}.start(), {0, 4},
                      {.method = ivp::Bdf{}, .rtol = rtol, .every = 0});
  };
  const ivp::Solution few = run(1e-5), many = run(1e-11);
  REQUIRE(many.report.integration.steps > 3000);
  CHECK_THAT(many.report.full(), contains_text("steps of order 3") && contains_text("together"));
  CHECK(few.report.full().find("together") == std::string::npos);
}
