// Whole runs by BDF with projection, by the time loop: output, events, energy, reports, refusals.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/solve_multistep.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/doors/led_by.hpp"
#include "tests/ivp/rolling_on_circle.hpp"
#include "tests/ivp/struct_doors.hpp"

namespace daewave::ivp {
namespace {

using problems::Pendulum;

Solution swing(const Interval& span, const Options& options, const BdfProjection& method = {}) {
  const Pendulum pendulum;
  check(options);
  return solve_bdf(pendulum, pendulum.z_exact(span.begin), span, method, options,
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

/// A block that is thrown along a vertical guide, x = 0.
struct ThrownBlock {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double g0 = 9.81;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -g0}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>(q[0]);
  }
};

/// A pendulum of that length as functions of many points, of which derivatives are not known.
DaeProblemPtr pendulum_by_differences(double length, bool dear) {
  return testing::led_by(
      [length](double x, double y, double) { return (x * x + y * y - length * length) / 2; }, dear);
}

}  // namespace

TEST_CASE("a pendulum whose G is by differences swings in any unit of length",
          "[bdf][differences][units]") {
  const auto steps = [](double length, bool dear) {
    const double speed = std::sqrt(9.81 * length);
    Options options{.rtol = 1e-8};
    options.atol_each = {1e-8 * length, 1e-8 * length, 1e-8 * speed, 1e-8 * speed};
    const Solution swung =
        solve_bdf(*pendulum_by_differences(length, dear), VecX{{length, 0, 0, 0}},
                  {0, 10 * length / speed}, BdfProjection{}, options, {});
    INFO(swung.report.full());
    CHECK(swung.report.usable());
    return static_cast<double>(swung.report.integration.steps);
  };
  for (const bool dear : {true, false}) {
    const double of_one = steps(1, dear);
    for (const double length : {1e-9, 1e-6, 1e3, 1e4, 1e6, 1e9}) {
      CAPTURE(length, dear);
      CHECK(steps(length, dear) == Approx(of_one).epsilon(0.1));
    }
  }
}

TEST_CASE("a parabola is followed at order two in few steps, to the tolerance", "[bdf]") {
  const auto block = with_autodiff(ThrownBlock{});
  const double g0 = ThrownBlock{}.g0;
  for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8}) {
    const Options options{.rtol = tolerance, .atol = tolerance};
    for (const double up : {0.0, 7.0}) {
      const Vec<4> start(0, 0, 0, up);
      CAPTURE(tolerance, up);
      const auto is_followed = [&](const Solution& solution) {
        INFO(solution.report.full());
        CHECK(solution.report.usable());
        CHECK(solution.report.integration.steps < 60);
        const double end = 3 * up - 4.5 * g0;
        CHECK(std::abs(solution.end()[1] - end) < 10 * tolerance * (1 + std::abs(end)));
      };
      is_followed(solve_bdf(block, start, {0, 3}, BdfProjection{}, options, {}));
      is_followed(solve_bdf(block, start, {0, 3}, BdfProjectedInvariants{}, options, {}));
    }
  }
}

TEST_CASE("states and multipliers are given out at steps and between them", "[bdf]") {
  const Pendulum pendulum;
  Options options{.rtol = 1e-8, .atol = 1e-8, .dense = true};
  for (double t = 0.1; t < 2; t += 0.1) options.times.push_back(t);
  for (auto form : {MultiplierForm::eliminated, MultiplierForm::index_1}) {
    const Solution solution = swing({0, 2}, options, {.form = form});
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
  const Options options{.rtol = 1e-5, .atol = 1e-5};
  const Solution free = swing({0, 10}, options);
  const Solution kept = swing({0, 10}, options, {.energy = true});
  REQUIRE(kept.report.usable());
  CHECK(free.report.integration.energy_change > 1e-5);
  CHECK(kept.report.integration.energy_change <= 1e-12);
  CHECK(kept.report.integration.drift_position <= 1e-12);
}

TEST_CASE("fixed steps have the order asked for, backward too, with a shorter last step", "[bdf]") {
  for (double end : {0.95, -0.95}) {
    const BdfProjection third{.order = 3};
    const Solution coarse = swing({0, end}, {.h = 0.01}, third);
    const Solution fine = swing({0, end}, {.h = 0.005}, third);
    REQUIRE(fine.report.usable());
    CHECK(fine.report.integration.steps == 190);
    CHECK(std::log2(largest_error(coarse) / largest_error(fine)) == Approx(3).margin(0.3));
    const Solution shorter = swing({0, end}, {.h = 0.04}, third);  // 23.75 steps.
    CHECK(shorter.t.back() == end);
    CHECK(shorter.report.integration.steps == 24);
    CHECK(largest_error(shorter) < 0.1);
  }
}

TEST_CASE("the report tells order and projection, and who chose them", "[bdf]") {
  const Options options{.rtol = 1e-6};
  const Solution open = swing({0, 0.5}, options);
  CHECK_THAT(open.report.explain(), contains_text("up to 6") && contains_text("onto  = both"));
  const Solution chosen = swing({0, 0.5}, options, {.order = 4, .onto = Onto::nothing});
  CHECK_THAT(chosen.report.explain(),
             contains_text("up to 4  (given)") && contains_text("nothing"));
}

TEST_CASE("a problem of index 1 is solved with its unknowns, or without", "[bdf]") {
  const RollingOnCircle<> rolling;
  for (auto form : {MultiplierForm::eliminated, MultiplierForm::index_1}) {
    const Options options{.rtol = 1e-8, .atol = 1e-8};
    const Solution solution = solve_bdf(rolling, rolling.start(), rolling.start_algebraic(), {0, 1},
                                        BdfProjection{.form = form}, options, Monitors{});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK((solution.end() - VecX(rolling.z_exact(1))).norm() < 1e-6);
    CHECK((solution.multiplier(solution.count() - 1) - VecX(rolling.w_exact(1))).norm() < 1e-5);
    CHECK(solution.report.integration.drift_position <= 1e-12);
  }
}

TEST_CASE("what does not go with a BDF is refused by name", "[bdf]") {
  const auto refused = [](const Options& options, const std::string& what) {
    CAPTURE(what);
    CHECK_THROWS_WITH((check(options), choose_method({}, options)), contains_text(what));
  };
  CHECK_NOTHROW(choose_method({}, {.method = BdfProjection{}}));
  refused({.method = BdfProjection{.order = 7}}, "order = 7: must be between 1 and 6");
  refused({.method = BdfProjection{.order = 0}}, "order = 0");
  refused({.method = BdfProjection{}, .control = Control{}}, "control");
  refused({.method = Dcbdf{.control_multiplier = true}, .h = 0.1},
          "with a fixed h no error is controlled");
  const RollingOnCircle<> rolling;
  CHECK_THROWS_WITH(solve_bdf(rolling, rolling.start(), rolling.start_algebraic(), {0, 1},
                              BdfProjection{.energy = true}, {}, Monitors{}),
                    contains_text("energy = true") && contains_text("energy(q, v)"));
}

}  // namespace daewave::ivp
