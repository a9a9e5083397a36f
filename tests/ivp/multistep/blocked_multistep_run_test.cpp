// Runs of beta-blocked multistep formulas: error control, events, mechanical systems, failures,
// reports.

#include "ivp/doors/solve_blocked_multistep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/start/problem_start.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/solve.hpp"
#include "problems/pendulum.hpp"
#include "problems/truck.hpp"
#include "problems/velocity_pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/core/small_mechanisms.hpp"
#include "tests/ivp/blocked_runs.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {

TEST_CASE("errors follow the tolerance where steps are controlled", "[multistep]") {
  const VelocityPendulum pendulum{.begin = 0, .length = 6};
  for (const BlockedFormula& formula : all_formulas()) {
    if (formula.order() < 3) continue;  // Thousands of steps.
    std::vector<double> errors;
    long steps = 0;
    for (double tolerance : {1e-4, 1e-6, 1e-8}) {
      const auto system = index_two_of(pendulum, 0);
      Options options{.rtol = tolerance, .atol = tolerance};
      BlockedMultistepStep step(*system, formula, Tolerance(options, 4));
      const Solution solution = integrate(step, VecX(pendulum.start()), {0, 6}, options);
      CAPTURE(text_of(formula), tolerance, solution.report.full());
      REQUIRE(solution.report.usable());
      Errors most;
      for (int i = 0; i < solution.count(); ++i) {
        most =
            most.with(error_of(pendulum, solution.t[i], solution.state(i), solution.multiplier(i)));
      }
      CHECK(solution.report.integration.steps > steps);
      steps = solution.report.integration.steps;
      // Local errors have the same sign for long and add up: of a weight of 2 tolerance and a root
      // mean square over 4 entries, enlarged by the motion.
      CHECK(most.x < 10.0 * static_cast<double>(steps) * tolerance);
      errors.push_back(most.x);
    }
    CAPTURE(text_of(formula), errors[0], errors[1], errors[2]);
    CHECK(errors[2] < errors[0] / 100);
  }
}

TEST_CASE("lambda is that of the motion in a piece as short as one may be", "[multistep]") {
  const problems::Pendulum pendulum;
  const DaeProblemPtr problem = problem_of(pendulum);
  const std::vector<Method> methods{Bdf{}, Dcbdf{.order = 5}, DcbdfBdf{.order = 5}, AdamsMoulton{}};
  for (const Method& method : methods) {
    for (const double gap : {1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12}) {
      Options options{.method = method, .rtol = 1e-6, .atol = 1e-6};
      options.restart_times = {0.5, 0.5 + gap};
      const Solution solution = solve(*problem, pendulum.start(), {0, 0.6}, options);
      REQUIRE(solution.report.usable());
      double error = 0;
      for (int i = 0; i < solution.count(); ++i) {
        const double lambda = pendulum.y_exact(solution.t[static_cast<std::size_t>(i)])[0];
        error = std::max(error, std::abs(solution.multiplier(i)[0] - lambda));
      }
      CAPTURE(name_of(method), gap);
      CHECK(error < 0.02);  // Of 14; 4e4 where what is left of D is divided by the last step.
    }
  }
}

TEST_CASE("the error of lambda follows the tolerance where it is controlled", "[multistep]") {
  const VelocityPendulum pendulum{.begin = 0, .length = 3};
  const double largest = 3;  // 3 sin phi, lambda of a pendulum with g = 1 let go at phi = 0.
  const auto errors = [&](const BlockedFormula& formula, double tolerance, bool controlled) {
    const auto system = index_two_of(pendulum, 0);
    const Options options{.rtol = tolerance, .atol = tolerance};
    BlockedMultistepStep step(*system, formula, Tolerance(options, 4), true, {}, controlled);
    const Solution solution = integrate(step, VecX(pendulum.start()), {0, 3}, options);
    CAPTURE(text_of(formula), tolerance, solution.report.full());
    REQUIRE(solution.report.usable());
    // Steps are rejected now and then, not again and again.
    CHECK(solution.report.integration.rejected < 60);
    Errors most;
    for (int i = 0; i < solution.count(); ++i) {
      most =
          most.with(error_of(pendulum, solution.t[i], solution.state(i), solution.multiplier(i)));
    }
    return most;
  };
  for (const BlockedFormula& formula : all_formulas()) {
    if (formula.k < 3) continue;  // h^k: thousands of steps.
    for (double tolerance : {1e-4, 1e-6}) {
      const Errors free = errors(formula, tolerance, false);
      const Errors kept = errors(formula, tolerance, true);
      CAPTURE(text_of(formula), tolerance, free.lambda, kept.lambda, kept.x);
      // The estimate is right to a factor of five, as observed; what x errs is added by lambda(x),
      // whose derivatives are at most 2 |v| = 3 and g = 1.
      CHECK(kept.lambda < 5 * tolerance * (1.1 * largest + 1) + 4 * kept.x);
      CHECK(kept.lambda < free.lambda);
    }
  }
}

TEST_CASE("errors are seen where B hardly turns, and by each formula", "[multistep]") {
  // The truck: tau (B lambda) and B tau lambda are nearly the same, what is left is (rho, sigma).
  const problems::Truck truck{.pace = 15, .t_end = 1};
  const auto system = index_two_of(truck, 0);
  UnderlyingSolution reference(*system);
  REQUIRE(reference.start(0, VecX(truck.start())));
  REQUIRE(reference.go_to(1, 0.01));
  const VecX end = reference.x();
  for (const BlockedMultistep& method :
       std::vector<BlockedMultistep>{Dcbdf{}, DcbdfBdf{}, AdamsMoulton{}, Bdf{}}) {
    CAPTURE(method.index());
    const Options options{.rtol = 1e-6, .atol = 1e-6};
    const Solution solution =
        solve_blocked_multistep(*system, VecX(truck.start()), {0, 1}, method, options);
    REQUIRE(solution.report.usable());
    const double most = 1e-5 * static_cast<double>(solution.report.integration.steps);
    CHECK((solution.end() - end).cwiseAbs().maxCoeff() < most);
  }
}

TEST_CASE("steps grow no faster than is stable, from a first one that is far too short",
          "[multistep]") {
  const VelocityPendulum pendulum{.begin = 0, .length = 6};
  const auto system = index_two_of(pendulum, 0);
  Options options{.rtol = 1e-7, .atol = 1e-7, .first_step = 1e-6};
  BlockedMultistepStep step(*system, stable(MultistepFamily::dcbdf, 3), Tolerance(options, 4));
  const Solution solution = integrate(step, VecX(pendulum.start()), {0, 6}, options);
  REQUIRE(solution.report.usable());
  const double most = largest_step_ratio(step.formula());
  for (int i = 2; i < solution.count(); ++i) {
    const double ratio =
        (solution.t[i] - solution.t[i - 1]) / (solution.t[i - 1] - solution.t[i - 2]);
    CHECK(ratio < 1.02 * most);  // The last one may be longer by a hundredth.
  }
  CHECK(solution.report.integration.largest_step > 1e3 * solution.report.integration.smallest_step);
}

TEST_CASE("a first step is found by few evaluations, from rest too, and its values are kept",
          "[multistep]") {
  const VelocityPendulum pendulum{.begin = 0, .length = 6};
  const problems::Truck truck{.pace = 15, .t_end = 1};  // At rest until it meets the hump.
  const auto check_first = [](IndexTwoSystem& system, const VecX& x, const BlockedFormula& formula,
                              double tolerance, double span) {
    Options options{.rtol = tolerance, .atol = tolerance};
    BlockedMultistepStep step(system, formula, Tolerance(options, system.nx()));
    REQUIRE(step.start(0, x));
    const double h = step.first_step(1, span);
    CAPTURE(text_of(formula), tolerance, h, step.evaluations());
    REQUIRE(h > 0);
    // Some trials, each of up to 9 nodes with up to 4 steps of 12 evaluations: 700 are observed.
    CHECK(step.evaluations() < 1000);
    const long before = step.evaluations();
    CHECK(step.attempt(h) <= 1);
    CHECK(step.evaluations() == before);
    REQUIRE(step.accept());
  };
  for (const BlockedFormula& formula : all_formulas()) {
    for (const double tolerance : {1e-5, 1e-8}) {
      const auto swings = index_two_of(pendulum, 0);
      check_first(*swings, VecX(pendulum.start()), formula, tolerance, 6);
      const auto rests = index_two_of(truck, 0);
      check_first(*rests, VecX(truck.start()), formula, tolerance, 1);
    }
  }
}

TEST_CASE("events are located, and dense output is kept", "[multistep]") {
  const VelocityPendulum pendulum{.begin = 0, .length = 3};
  Options options{.rtol = 1e-9, .atol = 1e-9, .dense = true};
  options.events = {{.name = "lowest", .function = [](double, const VecX& x) { return x[0]; }}};
  const auto system = index_two_of(pendulum, 0);
  const Solution solution =
      solve_blocked_multistep(*system, VecX(pendulum.start()), {0, 3}, Dcbdf{.order = 4}, options);
  REQUIRE(solution.report.usable());
  REQUIRE(solution.occurrences.size() == 1);
  // Local errors of 1e-9 add up, as above.
  const double most = 1e-8 * static_cast<double>(solution.report.integration.steps);
  // A quarter of the period, passed with a speed of more than 1.
  CHECK(std::abs(solution.occurrences[0].t - problems::Pendulum{.g0 = 1}.period() / 4) < most);
  for (double t : {0.001, 0.1, 1.234, 2.9}) {
    CHECK((solution.at(t) - VecX(pendulum.z_exact(t))).cwiseAbs().maxCoeff() < most);
  }
}

TEST_CASE("time may go back", "[multistep]") {
  const VelocityPendulum pendulum;
  const VecX end = pendulum.z_exact(3);
  for (const bool fixed : {true, false}) {
    Options options{.rtol = 1e-9, .atol = 1e-9};
    if (fixed) options.h = 1.0 / 128;
    const auto system = index_two_of(pendulum, 3);
    const Solution solution = solve_blocked_multistep(*system, end, {3, 1}, Dcbdf{}, options);
    REQUIRE(solution.report.usable());
    CHECK((solution.end() - VecX(pendulum.start())).cwiseAbs().maxCoeff() < 1e-6);
  }
}

TEST_CASE("mechanical systems are solved at the level of velocities", "[multistep]") {
  const problems::Pendulum pendulum{.g0 = 1, .t_end = 2};
  const auto error = [&](int steps) {
    const auto system = index_two_of(pendulum, 0);
    Options options{.h = 2.0 / steps};
    const Solution solution =
        solve_blocked_multistep(*system, VecX(pendulum.start()), {0, 2}, Dcbdf{}, options);
    REQUIRE(solution.report.usable());
    // 0 = G v holds to rounding; 0 = g drifts as x errs.
    CHECK(solution.report.integration.drift_velocity < 1e-13);
    CHECK(solution.report.integration.drift_position > 0);
    Errors errors;
    for (int i = 0; i < solution.count(); ++i) {
      const double t = solution.t[i];
      errors =
          errors.with({(solution.state(i) - VecX(pendulum.z_exact(t))).cwiseAbs().maxCoeff(),
                       (solution.multiplier(i) - VecX(pendulum.y_exact(t))).cwiseAbs().maxCoeff()});
    }
    return errors;
  };
  const Errors coarse = error(128), fine = error(256);
  CHECK(order(coarse.x, fine.x) == Approx(4).margin(0.2));
  CHECK(order(coarse.lambda, fine.lambda) == Approx(3).margin(0.2));
}

TEST_CASE("constraints on velocities have multipliers below those of positions", "[multistep]") {
  const DaeProblemPtr skate = problem_of(testing::Skate::Derivatives{});
  VecX start(8);
  start << 0.3, 0.5, 0, 0.8, 0.4, 0, 0, 0.7;
  const StartRepair repair = repair_start(*skate, start, 0.5, 1e-12);
  REQUIRE(repair.ok);
  const auto system = index_two_system_of(*skate, start, 0.5);
  REQUIRE(system->nl() == 2);
  UnderlyingSolution reference(*system);
  REQUIRE(reference.start(0.5, start));
  REQUIRE(reference.go_to(1.5, 0.01));
  VecX lambda;
  REQUIRE(reference.multiplier(lambda));
  const VecX x = reference.x();
  const auto error = [&](int steps) -> Errors {
    const Solution solution =
        solve_blocked_multistep(*system, start, {0.5, 1.5}, AdamsMoulton{}, {.h = 1.0 / steps});
    REQUIRE(solution.report.usable());
    return {(solution.end() - x).cwiseAbs().maxCoeff(),
            (solution.multiplier(solution.count() - 1) - lambda).cwiseAbs().maxCoeff()};
  };
  const Errors coarse = error(64), fine = error(128);
  CHECK(order(coarse.x, fine.x) == Approx(4).margin(0.3));
  CHECK(order(coarse.lambda, fine.lambda) == Approx(3).margin(0.3));
}

namespace {

/// The pendulum with derivatives by hand.
class WithJacobian : public IndexTwoSystem {
 public:
  explicit WithJacobian(IndexTwoSystem& plain) : plain_(plain) {}

  int nx() const override { return plain_.nx(); }
  int nl() const override { return plain_.nl(); }
  bool evaluate(double t, const VecX& x, VecX& f, MatX& B, VecX& c) override {
    return plain_.evaluate(t, x, f, B, c);
  }
  bool underlying(double t, const VecX& x, VecX& slope, VecX& lambda) override {
    return plain_.underlying(t, x, slope, lambda);
  }
  Drift drift(double t, const VecX& x) override { return plain_.drift(t, x); }
  std::string failure() const override { return plain_.failure(); }

  bool has_jacobian() const override { return true; }
  bool jacobian(double, const VecX& x, double part, const VecX& lambda, MatX& slope_x,
                MatX& c_x) override {
    slope_x.setZero();
    slope_x(0, 2) = slope_x(1, 3) = part;
    slope_x(2, 0) = slope_x(3, 1) = -lambda[0];
    c_x << x[2], x[3], x[0], x[1];
    ++asked;
    return true;
  }
  int asked = 0;

 private:
  IndexTwoSystem& plain_;
};

/// Not to be evaluated after some time.
struct EndingPendulum : VelocityPendulum {
  State f(const State& x, double t) const {
    State slope = VelocityPendulum::f(x, t);
    if (t > 1.5) slope[3] = std::numeric_limits<double>::quiet_NaN();
    return slope;
  }
};

/// x1' = x2 - (1 - t) y, x2' = cos t, 0 = x1 - sin t: y is not determined from t = 1 on.
struct Vanishing {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  State f(const State& x, double t) const { return {x[1], std::cos(t)}; }
  Vec<2> B(const State&, double t) const { return {t < 1 ? 1 - t : 0.0, 0}; }
  Multiplier g(const State& x, double t) const { return Multiplier{x[0] - std::sin(t)}; }
  Mat<1, 2> G(const State&, double) const { return {1, 0}; }
  Multiplier g_t(const State&, double t) const { return Multiplier{-std::cos(t)}; }
};

}  // namespace

TEST_CASE("derivatives by hand give the same, with fewer evaluations", "[multistep]") {
  const VelocityPendulum pendulum;
  const auto plain = index_two_of(pendulum, 1);
  WithJacobian known(*plain);
  const Options options{.h = 1.0 / 64};
  const auto solve = [&](IndexTwoSystem& system) {
    return solve_blocked_multistep(system, VecX(pendulum.start()), {1, 3}, Dcbdf{}, options);
  };
  const Solution by_differences = solve(*plain), by_hand = solve(known);
  CHECK(known.asked > 0);
  CHECK((by_hand.end() - by_differences.end()).cwiseAbs().maxCoeff() < 1e-13);
  CHECK(by_hand.report.integration.evaluations < by_differences.report.integration.evaluations);
}

TEST_CASE("what cannot be evaluated ends the run with a reason, and what came before is there",
          "[multistep]") {
  const EndingPendulum pendulum;
  for (const bool fixed : {true, false}) {
    Options options;
    if (fixed) options.h = 0.01;
    const auto system = index_two_of(pendulum, 1);
    const Solution solution =
        solve_blocked_multistep(*system, VecX(pendulum.start()), {1, 3}, Dcbdf{}, options);
    CHECK_FALSE(solution.report.usable());
    CHECK(solution.report.termination == Termination::diverged);
    CHECK_THAT(solution.report.message, contains_text("f, row 4, is not finite"));
    CHECK(solution.t.back() == Approx(1.5).margin(0.011));
    CHECK(solution.states.size() == 4 * solution.t.size());
  }
}

TEST_CASE("constraints that become dependent end the run with a reason", "[multistep]") {
  const Vanishing problem;
  const auto system = index_two_of(problem, VecX::Zero(2), 0);
  const Solution solution =
      solve_blocked_multistep(*system, VecX::Zero(2), {0, 2}, Dcbdf{}, {.h = 1.0 / 64});
  CHECK(solution.report.termination == Termination::diverged);
  CHECK_THAT(solution.report.message, contains_text("singular") && contains_text("dependent"));
  CHECK(solution.t.back() == Approx(1).margin(0.02));
  // And at the start.
  const auto late = index_two_of(problem, VecX::Zero(2), 1.5);
  const Solution none =
      solve_blocked_multistep(*late, VecX{{std::sin(1.5), 0}}, {1.5, 2}, Dcbdf{}, {.h = 1.0 / 64});
  CHECK(none.report.termination == Termination::diverged);
  CHECK_THAT(none.report.message, contains_text("dependent"));
}

TEST_CASE("a run of a formula reports what was used", "[multistep]") {
  const VelocityPendulum pendulum;
  const auto system = index_two_of(pendulum, 1);
  const Options options{.h = 0.1};
  const Solution solution = solve_blocked_multistep(*system, VecX(pendulum.start()), {1, 3},
                                                    AdamsMoulton{.order = 2}, options);
  const std::string text = solution.report.explain();
  CHECK_THAT(text, contains_text("order           = 2") &&
                       contains_text("c               = -0.145833") &&
                       contains_text("starting values"));
  CHECK_THROWS_AS(solve_blocked_multistep(*system, VecX(pendulum.start()), {1, 3},
                                          AdamsMoulton{.order = 4}, options),
                  InvalidOption);
}

}  // namespace daewave::ivp
