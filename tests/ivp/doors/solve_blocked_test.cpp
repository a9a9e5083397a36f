// Beta-blocked multistep formulas through the front door.

#include <cmath>
#include <string>

#include "core/error.hpp"
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
