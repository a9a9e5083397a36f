// Whole runs by BDF with projection, by the time loop: output, events, energy, reports, refusals.

#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/solve_multistep.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/ivp/rolling_on_circle.hpp"

namespace daewave::ivp {
namespace {

using problems::Pendulum;

Solution swing(const Interval& span, const Options& options) {
  const Pendulum pendulum;
  check(options);
  return solve_bdf(pendulum, pendulum.z_exact(span.begin), span, options,
                   Monitors{.energy = [pendulum](double, const Vec<4>& z) {
                     return pendulum.energy(z.head<2>(), z.tail<2>());
                   }});
}

double largest_error(const Solution& solution) {
  const Pendulum pendulum;
  double most = 0;
  for (int i = 0; i < solution.count(); ++i) {
    const double t = solution.t[static_cast<std::size_t>(i)];
    most = std::max(most, (solution.state(i) - VecX(pendulum.z_exact(t))).cwiseAbs().maxCoeff());
  }
  return most;
}

}  // namespace

TEST_CASE("states and multipliers are given out at steps and between them", "[bdf]") {
  const Pendulum pendulum;
  Options options{.rtol = 1e-8, .atol = 1e-8, .dense = true};
  for (double t = 0.1; t < 2; t += 0.1) options.times.push_back(t);
  for (auto form : {Multistep::Form::eliminated, Multistep::Form::index_1}) {
    options.multistep.form = form;
    const Solution solution = swing({0, 2}, options);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.count() == 21);
    CHECK(largest_error(solution) < 1e-5);
    for (int i = 0; i < solution.count(); ++i) {
      const double t = solution.t[static_cast<std::size_t>(i)];
      CHECK(solution.multiplier(i)[0] == Approx(pendulum.y_exact(t)[0]).margin(1e-4));
    }
    for (double t : {0.03, 0.777, 1.9}) {
      CHECK((solution.at(t) - VecX(pendulum.z_exact(t))).norm() < 1e-5);
    }
    CHECK(solution.report.integration.drift_position <= 1e-12);
    CHECK(solution.report.integration.drift_velocity <= 1e-12);
  }
}

TEST_CASE("an event is found by the polynomial of the formula", "[bdf]") {
  const Pendulum pendulum;
  Options options{.rtol = 1e-9, .atol = 1e-9};
  Event bottom{.name = "bottom",
               .function = [](double, const VecX& z) { return z[0]; },
               .then = Event::Then::stop};
  options.events.push_back(bottom);
  const Solution solution = swing({0, 5}, options);
  REQUIRE(solution.occurrences.size() == 1);
  CHECK(solution.occurrences[0].t == Approx(pendulum.period() / 4).epsilon(1e-6));
  CHECK(solution.t.back() == solution.occurrences[0].t);
}

TEST_CASE("the energy is kept where it is asked for", "[bdf][Eich-2.2]") {
  Options options{.rtol = 1e-5, .atol = 1e-5};
  const Solution free = swing({0, 10}, options);
  options.projection.energy = true;
  const Solution kept = swing({0, 10}, options);
  REQUIRE(kept.report.usable());
  CHECK(free.report.integration.energy_change > 1e-5);
  CHECK(kept.report.integration.energy_change <= 1e-12);
  CHECK(kept.report.integration.drift_position <= 1e-12);
}

TEST_CASE("fixed steps have the order asked for, backward too, with a shorter last step", "[bdf]") {
  for (double end : {0.95, -0.95}) {
    Options options{.h = 0.01};
    options.multistep.order = 3;
    const Solution coarse = swing({0, end}, options);
    options.h = 0.005;
    const Solution fine = swing({0, end}, options);
    REQUIRE(fine.report.usable());
    CHECK(fine.report.integration.steps == 190);
    CHECK(std::log2(largest_error(coarse) / largest_error(fine)) == Approx(3).margin(0.3));
    options.h = 0.04;  // 23.75 steps.
    const Solution shorter = swing({0, end}, options);
    CHECK(shorter.t.back() == end);
    CHECK(shorter.report.integration.steps == 24);
    CHECK(largest_error(shorter) < 0.1);
  }
}

TEST_CASE("the report tells order and projection, and who chose them", "[bdf]") {
  Options options{.rtol = 1e-6};
  const Solution open = swing({0, 0.5}, options);
  CHECK_THAT(open.report.explain(),
             contains_text("up to 6") && contains_text("projection.onto = both"));
  options.multistep.order = 4;
  options.projection.onto = Projection::Onto::nothing;
  const Solution chosen = swing({0, 0.5}, options);
  CHECK_THAT(chosen.report.explain(),
             contains_text("up to 4  (given)") && contains_text("nothing"));
}

TEST_CASE("a problem of index 1 is solved with its unknowns, or without", "[bdf]") {
  const RollingOnCircle<> rolling;
  for (auto form : {Multistep::Form::eliminated, Multistep::Form::index_1}) {
    Options options{.rtol = 1e-8, .atol = 1e-8};
    options.multistep.form = form;
    const Solution solution =
        solve_bdf(rolling, rolling.start(), rolling.start_algebraic(), {0, 1}, options, Monitors{});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK((solution.end() - VecX(rolling.z_exact(1))).norm() < 1e-6);
    CHECK((solution.multiplier(solution.count() - 1) - VecX(rolling.w_exact(1))).norm() < 1e-5);
    CHECK(solution.report.integration.drift_position <= 1e-12);
  }
}

TEST_CASE("what does not go with a BDF is refused by name", "[bdf]") {
  const auto refused = [](Options options, const std::string& what) {
    CAPTURE(what);
    CHECK_THROWS_WITH((check(options), choose_method({}, options)), contains_text(what));
  };
  Options options{.method = Method::bdf_projection};
  CHECK_NOTHROW(choose_method({}, options));
  Options with = options;
  with.multistep.order = 7;
  refused(with, "multistep.order = 7: must be between 1 and 6");
  with.multistep.order = 0;
  refused(with, "multistep.order = 0");
  with = options;
  with.stepper = Stepper::dop853;
  refused(with, "stepper = dop853 with method = bdf-projection");
  with = options;
  with.control = Control{};
  refused(with, "control");
  with = options;
  with.multistep.c = 0.1;
  refused(with, "multistep.c = 0.1 with method = bdf-projection: is of adams-moulton");
  with = options;
  with.multistep.blocking = Blocking::term;
  refused(with, "multistep.blocking = term with method = bdf-projection");
  with = options;
  with.multistep.control_multiplier = true;
  refused(with, "multistep.control_multiplier = true with method = bdf-projection: is of dcbdf");
  with.method = Method::dcbdf;
  with.h = 0.1;
  refused(with, "with a fixed h no error is controlled");
  with = Options{.method = Method::s_both2};
  with.multistep.order = 3;
  refused(with, "multistep.order = 3");
  with.multistep.order.reset();
  with.multistep.form = Multistep::Form::index_1;
  refused(with, "multistep.form");
  Options energetic{.method = Method::bdf_projection};
  energetic.projection.energy = true;
  const RollingOnCircle<> rolling;
  CHECK_THROWS_WITH(
      solve_bdf(rolling, rolling.start(), rolling.start_algebraic(), {0, 1}, energetic, Monitors{}),
      contains_text("projection.energy = true") && contains_text("energy(q, v)"));
}

}  // namespace daewave::ivp
