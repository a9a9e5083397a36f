// Beta-blocked multistep formulas through the front door.

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/pendulum_runs.hpp"

using namespace daewave;
using namespace daewave::testing;
using ivp::Blocking;
using ivp::Method;
using ivp::Options;
using ivp::Solution;

namespace {

const Method blocked[] = {Method::dcbdf, Method::dcbdf_bdf, Method::adams_moulton, Method::bdf};

bool raised(Method method) { return method == Method::dcbdf || method == Method::adams_moulton; }

}  // namespace

TEST_CASE("beta-blocked formulas have their order through the front door", "[solve][multistep]") {
  for (Method method : blocked) {
    CAPTURE(name_of(method));
    double errors[2];
    for (int i = 0; i < 2; ++i) {
      Options options{.method = method, .h = swing_end / (64 << i)};
      const Solution solution = swing(options);
      REQUIRE(solution.report.usable());
      CHECK(choice(solution, "method").value == name_of(method));
      CHECK(choice(solution, "multistep.order").value == "3");
      CHECK_FALSE(choice(solution, "multistep.order").by_user);
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
  for (Method method : blocked) {
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
  Options options{.method = Method::adams_moulton, .h = 0.01};
  options.multistep.order = 2;
  options.multistep.c = -0.15;
  const Solution solution = swing(options);
  REQUIRE(solution.report.usable());
  CHECK(choice(solution, "multistep.c").value == "-0.15");
  CHECK(choice(solution, "multistep.c").by_user);
  CHECK(choice(solution, "multistep.order").by_user);
  options.multistep.c = 0.1;
  CHECK_THROWS_WITH(swing(options), contains_text("multistep.c = 0.1") &&
                                        contains_text("sigma - tau") && contains_text("-0.0833"));
  options.multistep.c = {};
  options.multistep.order = 4;
  CHECK_THROWS_WITH(swing(options), contains_text("multistep.order = 4") &&
                                        contains_text("adams-moulton") && contains_text("dcbdf"));
  options.multistep.order = 7;
  CHECK_THROWS_WITH(swing(options), contains_text("multistep.order = 7"));
  options.multistep.order = {};
  options.multistep.c = NAN;
  CHECK_THROWS_WITH(swing(options), contains_text("multistep.c") && contains_text("finite"));
}

TEST_CASE("what does not go with a beta-blocked formula is refused", "[solve][multistep]") {
  Options options{.method = Method::dcbdf, .stepper = ivp::Stepper::dop853};
  CHECK_THROWS_WITH(swing(options),
                    contains_text("stepper = dop853") && contains_text("method = dcbdf"));
  options.stepper = {};
  options.multistep.c = -0.25;
  CHECK_THROWS_WITH(swing(options),
                    contains_text("multistep.c = -0.25") && contains_text("adams-moulton"));
  options.multistep.c = {};
  options.method = Method::bdf;
  options.multistep.blocking = Blocking::term;
  CHECK_THROWS_WITH(swing(options), contains_text("multistep.blocking = term"));
  options.method = Method::s_both2;
  CHECK_THROWS_WITH(swing(options),
                    contains_text("multistep.blocking = term") && contains_text("s-both2"));
  options.multistep.blocking = Blocking::multiplier;
  options.multistep.c = -0.25;
  CHECK_THROWS_WITH(swing(options), contains_text("multistep.c = -0.25"));
}
