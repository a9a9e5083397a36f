#include "ivp/run/integrate.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/explicit_runs.hpp"

namespace daewave::ivp {

namespace {

/// z' = z^2, z = 1 / (1 - t); explodes at t = 1.
struct Explosion : PlainSystem {
  bool rhs(double, const VecX& z, VecX& slope) override {
    slope = z.cwiseProduct(z);
    return true;
  }
};

/// Cannot be evaluated from t = 0.6 on.
struct Wall : Oscillator {
  bool rhs(double t, const VecX& z, VecX& slope) override {
    return t < 0.6 && Oscillator::rhs(t, z, slope);
  }
};

/// Throws from t = 0.6 on.
struct Thrower : Oscillator {
  bool rhs(double t, const VecX& z, VecX& slope) override {
    if (t >= 0.6) throw std::runtime_error("table ends at 0.6");
    return Oscillator::rhs(t, z, slope);
  }
};

}  // namespace

TEST_CASE("what is valid when f throws is given out, with what it said", "[steppers]") {
  Thrower system;
  for (Stepper stepper : {Stepper::dopri5, Stepper::dop853, Stepper::rk4}) {
    for (const long every : {0L, 1L, 7L}) {
      for (const bool dense : {false, true}) {
        CAPTURE(name_of(stepper), every, dense);
        Options options;
        options.every = every;
        options.dense = dense;
        if (stepper == Stepper::rk4) options.h = 0.01;
        const Solution solution = run(system, stepper, Oscillator::exact(0), {0, 1}, options);
        CHECK(solution.report.termination == Termination::stopped);
        CHECK_FALSE(solution.report.usable());
        CHECK_THAT(solution.report.message, contains_text("table ends at 0.6"));
        CHECK_FALSE(solution.report.advice.empty());
        REQUIRE(solution.count() >= 2);
        const double reached = solution.t.back();
        CHECK(reached == solution.report.integration.reached);
        CHECK(reached <= 0.6);
        CHECK(reached > 0.1);
        CHECK((solution.end() - Oscillator::exact(reached)).norm() < 1e-4);
        if (dense) CHECK((solution.at(reached / 2) - Oscillator::exact(reached / 2)).norm() < 1e-4);
      }
    }
  }
}

TEST_CASE("what the sink throws is its caller's", "[steppers]") {
  Oscillator system;
  for (const long at : {0L, 3L}) {
    Options options;
    options.sink = [at](const Output& out) -> bool {
      if (out.step == at) throw std::out_of_range("full");
      return true;
    };
    CHECK_THROWS_AS(run(system, Stepper::dopri5, Oscillator::exact(0), {0, 1}, options),
                    std::out_of_range);
  }
}

TEST_CASE("a step that becomes too small says where, and what is valid is kept", "[steppers]") {
  Explosion system;
  for (Stepper stepper : {Stepper::dopri5, Stepper::dop853}) {
    const Solution solution = run(system, stepper, Vec<1>(1), {0, 2}, Options{});
    INFO(solution.report.full());
    CHECK_FALSE(solution.report.usable());
    const bool expected = solution.report.termination == Termination::step_too_small ||
                          solution.report.termination == Termination::diverged;
    CHECK(expected);
    CHECK_THAT(solution.report.message, contains_text("t = 1"));
    CHECK_FALSE(solution.report.advice.empty());
    CHECK(solution.report.integration.reached == Approx(1).epsilon(1e-4));
    CHECK(solution.t.back() == solution.report.integration.reached);
    CHECK(solution.end().allFinite());
  }
}

namespace {

/// z' = 0, and what a step of h has for an error is said by a function.
template <class Error>
class Judged final : public Step {
 public:
  explicit Judged(Error error_of) : error_of_(error_of) {}

  bool start(double t, const VecX& z) override {
    t_ = t;
    z_ = z;
    return true;
  }
  double attempt(double h) override {
    h_ = h;
    return error_of_(t_, h);
  }
  bool accept() override {
    t_ += h_;
    return true;
  }
  double t() const override { return t_; }
  const VecX& state() const override { return z_; }
  void interpolate(double, VecX& z) override { z = z_; }
  bool multiplier(VecX& y) override {
    y.setZero(1);
    return true;
  }
  Drift drift() override { return {}; }
  int error_order() const override { return 4; }
  std::string failure() const override { return {}; }
  long evaluations() const override { return 0; }

 private:
  Error error_of_;
  double t_ = 0, h_ = 0;
  VecX z_;
};

/// The number after `text` in a message.
double number_after(const std::string& message, const std::string& text) {
  const auto place = message.find(text);
  REQUIRE(place != std::string::npos);
  return std::stod(message.substr(place + text.size()));
}

}  // namespace

TEST_CASE("a step too small is told with the error of the attempt that it belongs to",
          "[steppers]") {
  std::vector<double> lengths, errors;
  const auto error_of = [&](double t, double h) {
    lengths.push_back(h);
    errors.push_back(t < 0.5 ? 0.5 : 40 + static_cast<double>(errors.size()));
    return errors.back();
  };
  Judged<decltype(error_of)> step(error_of);
  const Solution solution = integrate(step, Vec<1>(1), {0, 1}, Options{.largest_step = 0.1});
  const std::string& message = solution.report.message;
  INFO(message);
  CHECK(solution.report.termination == Termination::step_too_small);
  // Three digits are printed.
  CHECK(number_after(message, "a step of h = ") == Approx(lengths.back()).epsilon(0.01));
  CHECK(number_after(message, " had ") == Approx(errors.back()).epsilon(0.01));
  CHECK(number_after(message, "the next, h = ") < lengths.back());
  CHECK(number_after(message, "at t = ") == Approx(solution.t.back()));
}

TEST_CASE("a first step lost in rounding has no error to tell of", "[steppers]") {
  Oscillator system;
  Options options;
  options.first_step = 1e-20;
  const Solution solution = run(system, Stepper::dopri5, Vec<2>(0, 1), {1, 2}, options);
  CHECK(solution.report.termination == Termination::step_too_small);
  CHECK(solution.report.message == "at t = 1 the next, h = 1e-20, is lost in rounding");
}

TEST_CASE("fixed steps that overflow name the component and the time", "[steppers]") {
  Explosion system;
  const Solution solution = run(system, Stepper::rk4, Vec<1>(1), {0, 2}, with_h(0.01));
  CHECK(solution.report.termination == Termination::diverged);
  CHECK_THAT(solution.report.message, contains_text("x1 is not finite at t = 1."));
  CHECK(solution.end().allFinite());
  CHECK(solution.t.back() > 0.99);
}

TEST_CASE("what cannot be evaluated ends the run with its reason", "[steppers]") {
  Wall system;
  Solution solution = run(system, Stepper::dop853, Vec<2>(0, 1), {0, 1}, precise());
  CHECK(solution.report.termination == Termination::diverged);
  CHECK(solution.report.message == "refused");
  // Control finds the last place that can be reached.
  CHECK(solution.t.back() == Approx(0.6).epsilon(1e-6));
  solution = run(system, Stepper::rk4, Vec<2>(0, 1), {0, 1}, with_h(0.25));
  CHECK(solution.report.termination == Termination::diverged);
  CHECK(solution.t == std::vector<double>{0, 0.25, 0.5});
  CHECK_THAT(solution.report.advice, contains_text("a shorter h"));
  solution = run(system, Stepper::rk4, Vec<2>(0, 1), {0.7, 1}, with_h(0.25));
  CHECK(solution.report.termination == Termination::diverged);
  CHECK_FALSE(solution.has_values());
  // Before the first step none of these helps.
  CHECK(solution.report.advice ==
        "a start, or parameters, with which the functions can be evaluated there");
}

TEST_CASE("the number of steps can be limited", "[steppers]") {
  for (Options options : {with_h(0.1), precise()}) {
    options.most_steps = 3;
    const Solution solution = oscillate(options);
    CHECK(solution.report.termination == Termination::too_many_steps);
    CHECK_THAT(solution.report.message, contains_text("most_steps = 3"));
    CHECK(solution.report.integration.steps + solution.report.integration.rejected == 3);
    CHECK(solution.t.back() == solution.report.integration.reached);
  }
}

TEST_CASE("what a step cannot do is refused before it starts", "[steppers]") {
  Oscillator system;
  CHECK_THROWS_WITH(run(system, Stepper::rk4, Vec<2>(0, 1), {0, 1}, Options{}),
                    contains_text("h: must be given"));
  Options options;
  options.atol_each = {1, 1, 1};
  CHECK_THROWS_WITH(run(system, Stepper::dopri5, Vec<2>(0, 1), {0, 1}, options),
                    contains_text("atol_each has 3 entries") && contains_text("2 entries"));
  options = {};
  options.rtol = 2;
  CHECK_THROWS_AS(run(system, Stepper::dopri5, Vec<2>(0, 1), {0, 1}, options), InvalidOption);
}

namespace {

/// A mass on a spring with dry friction: it sticks from t = 2 pi on, where its velocity changes
/// sign from step to step.
struct DryFriction : PlainSystem {
  double smooth = 0;  ///< Velocity over which the friction changes its sign.
  bool rhs(double, const VecX& z, VecX& slope) override {
    const double v = z[1];
    const double sign = smooth > 0 ? std::tanh(v / smooth) : v > 0 ? 1 : v < 0 ? -1 : 0;
    slope = Vec<2>(v, -4 * z[0] - 0.5 * sign);
    return true;
  }
};

Solution rub(const Options& options, double smooth, Stepper stepper) {
  DryFriction system;
  system.smooth = smooth;
  const Tolerance tolerance(options, 2);
  if (stepper == Stepper::radau) {
    CollocationStep step(system, collocation(Scheme::radau, 3), tolerance, true);
    return integrate(step, Vec<2>(1, 0), {0, 20}, options);
  }
  ExplicitRkStep step(system, tableau(stepper), tolerance);
  return integrate(step, Vec<2>(1, 0), {0, 20}, options);
}

}  // namespace

TEST_CASE("dry friction is told to be a discontinuity, and what is advised helps", "[steppers]") {
  Options options{.rtol = 1e-6, .most_steps = 20'000};
  const Solution solution = rub(options, 0, Stepper::dop853);
  INFO(solution.report.full());
  CHECK(solution.report.termination == Termination::too_many_steps);
  CHECK_THAT(solution.report.message, contains_text("shorter than 1e-05 of the longest"));
  CHECK_THAT(solution.report.advice,
             contains_text("discontinuity") && contains_text("tanh") && contains_text("radau"));
  CHECK(rub(options, 1e-3, Stepper::radau).report.usable());
}

TEST_CASE("a run that does not get on ends, however many steps are allowed", "[.campaign]") {
  const Solution solution = rub({.rtol = 1e-6, .every = 0}, 0, Stepper::dop853);
  INFO(solution.report.full());
  CHECK(solution.report.termination == Termination::step_too_small);
  CHECK_THAT(solution.report.message, contains_text("does not get on"));
  CHECK_THAT(solution.report.advice, contains_text("discontinuity"));
}

}  // namespace daewave::ivp
