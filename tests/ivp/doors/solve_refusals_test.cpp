// What the front door refuses: numbers that do not go together, starts off the constraints.

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/pendulum_runs.hpp"
#include "tests/problems/compiled_wheelset.hpp"

using namespace daewave;
using namespace daewave::testing;
using ivp::Options;
using ivp::Solution;
using ivp::Stepper;
using problems::Pendulum;

TEST_CASE("numbers that do not go together are refused with the way out", "[solve]") {
  const auto refused = [](const std::string& what, auto change) {
    Options options;
    change(options);
    CAPTURE(what);
    CHECK_THROWS_AS(swing(options), InvalidOption);
    CHECK_THROWS_WITH(swing(options), contains_text(what));
  };
  const auto refused_by = [&](const std::string& what, const ivp::Formula& formula) {
    refused(what, [&](Options& options) { options.method = ivp::Automatic{formula}; });
  };
  refused_by("stages = 4 with stepper = dop853", {Stepper::dop853, 4});
  refused_by("stages = 4: dop853 has stages of its own", {.stages = 4});
  refused_by("stages = 2 with stepper = gauss: only an odd number", {Stepper::gauss, 2});
  refused_by("stages", {Stepper::radau, 99});
  refused("h: must be given with method = symmetric-projection",
          [](Options& options) { options.method = ivp::SymmetricProjection{}; });
  refused("gamma", [](Options& options) { options.method = ivp::StabilizedOde{}; });
  refused("alpha1 = 0 and alpha0 = 0 with method = baumgarte",
          [](Options& options) { options.method = ivp::Baumgarte{}; });
  refused("atol_each has 3 entries", [](Options& options) { options.atol_each = {1, 1, 1}; });
  refused("times[0] = 3: must be in [0, 0.5]", [](Options& options) { options.times = {3}; });
  refused("h = 0.01 with epsilon = 0.001: heun is stable for h <= 2 epsilon", [](Options& options) {
    options.method = ivp::Srm{.epsilon = 1e-3};
    options.h = 0.01;
  });
  refused("h = 3 with alpha1 = 0.5 and alpha2 = 1: constraints are damped", [](Options& options) {
    options.method = ivp::Srm{.alpha1 = 0.5};
    options.h = 3;
  });
  refused("second_step = half-fresh", [](Options& options) {
    options.method = ivp::SBoth2{.second_step = ivp::SecondStep::half_fresh};
  });
  for (const Interval span : {Interval{0, 0}, Interval{0, NAN}, Interval{-INFINITY, 0}}) {
    CHECK_THROWS_WITH(swing_from({1, 0, 0, 0}, span, {}),
                      contains_text("span = [") && contains_text("two different ends"));
  }
}

TEST_CASE("a start off the constraints is refused, or moved", "[solve]") {
  const Pendulum pendulum;
  const Vec<4> off(1.1, 0, 0.3, 0);
  CHECK_THROWS_AS(swing_from(off, {0, 1}, {}), InvalidProblem);
  CHECK_THROWS_WITH(swing_from(off, {0, 1}, {}), contains_text("|g| = 0.105 in row 1") &&
                                                     contains_text("0.33 in row 1") &&
                                                     contains_text("repair_start = true"));
  const Solution solution = swing_from(off, {0, 1}, {.repair_start = true});
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  CHECK_THAT(solution.report.warnings.at(0),
             contains_text("position by 0.1") && contains_text("velocity by 0.3"));
  CHECK((solution.state(0) - pendulum.start()).norm() < 1e-12);
  const Vec<4> nowhere(NAN, 0, 0, 0);
  for (bool repair : {false, true}) {
    CHECK_THROWS_WITH(swing_from(nowhere, {0, 1}, {.repair_start = repair}),
                      contains_text("not finite") && contains_text("start"));
  }
  // G = q^T = 0 is no direction to move into.
  CHECK_THROWS_AS(swing_from({0, 0, 0, 0}, {0, 1}, {.repair_start = true}), InvalidProblem);
}

TEST_CASE("a start is consistent up to start_tolerance", "[solve]") {
  // |g| is d to first order, |G v| is d.
  for (const double d : {1e-8, 1e-4}) {
    for (const double more : {0.99, 1.01}) {
      for (const Vec<4>& start : {Vec<4>(1 + more * d, 0, 0, 0), Vec<4>(1, 0, more * d, 0)}) {
        CAPTURE(d, more);
        Options options{.rtol = 1e-3};
        if (d != 1e-8) options.start_tolerance = d;
        if (more < 1) {
          CHECK_NOTHROW(swing_from(start, {0, 0.1}, options));
        } else {
          CHECK_THROWS_AS(swing_from(start, {0, 0.1}, options), InvalidProblem);
        }
      }
    }
  }
}

TEST_CASE("a start of another size than the state is refused, wherever its size is known",
          "[solve]") {
  VecX three(3);
  three << 1, 0, 0;
  CHECK_THROWS_WITH(ivp::solve(with_autodiff(problems::Pendulum{}), three, {0, 1}),
                    contains_text("3 entries") && contains_text("has 4"));
  const problems::Wheelset wheelset;
  const VecX z = wheelset.start(), w = wheelset.start_algebraic();
  const VecX shorter = z.head(z.size() - 1), longer = VecX::Zero(w.size() + 1);
  CHECK_THROWS_WITH(ivp::solve(wheelset, shorter, w, {0, 1}),
                    contains_text(std::to_string(shorter.size()) + " entries"));
  CHECK_THROWS_WITH(ivp::solve(wheelset, z, longer, {0, 1}),
                    contains_text("w has " + std::to_string(longer.size()) + " entries"));
}
