#include "ivp/run/integrate.hpp"

#include <chrono>
#include <cmath>
#include <thread>

#include "tests/catch.hpp"
#include "tests/ivp/explicit_runs.hpp"

namespace daewave::ivp {

TEST_CASE("the steps that are asked for are given out, and start and end", "[steppers]") {
  Options options = with_h(0.1);
  const auto times = [&](long every) {
    options.every = every;
    return oscillate(options, {0, 1}).t;
  };
  CHECK(times(1).size() == 11);
  CHECK(times(4) == std::vector<double>{0, 4 * 0.1, 8 * 0.1, 1});
  CHECK(times(5) == std::vector<double>{0, 5 * 0.1, 1});
  CHECK(times(0) == std::vector<double>{0, 1});
}

TEST_CASE("the times that are asked for are given out by dense output", "[steppers]") {
  Options options = precise();
  options.times = {0, 0.001, 0.002, 3, 9.5, 10};
  const Solution solution = oscillate(options);
  CHECK(solution.t == options.times);
  for (int i = 0; i < solution.count(); ++i) {
    CHECK((solution.state(i) - VecX(Oscillator::exact(solution.t[i]))).norm() < 1e-9);
    CHECK(solution.multiplier(i)[0] == Approx(solution.state(i).sum()).epsilon(1e-14));
  }
  options.times = {1, 11};
  CHECK_THROWS_WITH(oscillate(options), contains_text("times[1] = 11: must be in [0, 10]"));
}

TEST_CASE("dense output is as good as the steps, everywhere", "[steppers]") {
  Options options = precise();
  options.dense = true;
  options.every = 0;
  for (Stepper stepper : {Stepper::dopri5, Stepper::dop853}) {
    Oscillator system;
    const Solution solution = run(system, stepper, Vec<2>(0, 1), {0, 10}, options);
    double worst = 0;
    for (int i = 0; i <= 1000; ++i) {
      worst = std::max(worst, (solution.at(0.01 * i) - VecX(Oscillator::exact(0.01 * i))).norm());
    }
    CHECK(worst < 1e-9);
    CHECK(solution.at(10) == solution.end());
    CHECK_THROWS_WITH(solution.at(10.1), contains_text("must be in [0, 10]"));
  }
  CHECK_THROWS_WITH(oscillate(precise()).at(1), contains_text("dense = true"));
}

TEST_CASE("the sink sees what is given out and may stop the run", "[steppers]") {
  Options options = with_h(0.1);
  options.keep = false;
  std::vector<double> seen;
  options.sink = [&](const Output& out) {
    CHECK(out.step == static_cast<long>(seen.size()));
    CHECK(out.state[0] == Approx(std::sin(out.t)).margin(1e-5));
    REQUIRE(out.multiplier != nullptr);
    CHECK(*out.multiplier == out.state[0] + out.state[1]);
    seen.push_back(out.t);
    return seen.size() < 8;
  };
  const Solution solution = oscillate(options, {0, 10});
  CHECK(seen.size() == 8);
  CHECK(solution.report.termination == Termination::stopped);
  CHECK_THAT(solution.report.message, contains_text("the sink at t = 0.7"));
  REQUIRE(solution.count() == 1);  // Only the last is kept.
  CHECK(solution.t[0] == seen.back());
  CHECK(solution.report.integration.reached == seen.back());
}

TEST_CASE("a sink that stops between steps ends the solution there", "[steppers]") {
  Options options = precise();
  options.times = {1, 2, 3};
  options.sink = [](const Output& out) { return out.t < 2; };
  const Solution solution = oscillate(options);
  CHECK(solution.t == std::vector<double>{0, 1, 2});
  CHECK(solution.report.integration.reached == 2);
}

TEST_CASE("multipliers are given out only where they are asked for", "[steppers]") {
  Options options = with_h(0.5);
  CHECK(oscillate(options).ny == 1);
  options.multipliers = false;
  options.sink = [](const Output& out) { return out.multiplier == nullptr; };
  const Solution solution = oscillate(options);
  CHECK(solution.report.usable());
  CHECK(solution.ny == 0);
  CHECK(solution.multipliers.empty());
}

namespace {

struct WithoutMultiplier : Oscillator {
  bool multiplier(double t, const VecX& z, VecX& y) override {
    return t < 0.75 && Oscillator::multiplier(t, z, y);
  }
};

}  // namespace

TEST_CASE("a multiplier that cannot be had is NaN, and a warning", "[steppers]") {
  WithoutMultiplier system;
  const Solution solution = run(system, Stepper::heun, Vec<2>(0, 1), {0, 1}, with_h(0.25));
  CHECK(solution.report.usable());
  CHECK(solution.multiplier(2)[0] == Approx(std::sin(0.5) + std::cos(0.5)).margin(0.05));
  CHECK(std::isnan(solution.multiplier(3)[0]));
  REQUIRE(solution.report.warnings.size() == 1);
  CHECK_THAT(solution.report.warnings[0], contains_text("t = 0.75") && contains_text("refused"));
}

namespace {

/// What a step must have and nothing more: z' = 1 with an error of 1/2 in every step.
class BareStep final : public Step {
 public:
  bool start(double t, const VecX& z) override {
    t_ = t;
    z_ = z;
    return true;
  }
  double attempt(double h) override {
    h_ = h;
    return 0.5;
  }
  bool accept() override {
    t_ += h_;
    z_[0] += h_;
    return true;
  }
  double t() const override { return t_; }
  const VecX& state() const override { return z_; }
  void interpolate(double theta, VecX& out) override {
    out = z_;
    out[0] -= (1 - theta) * h_;
  }
  bool multiplier(VecX& carried) override {
    carried.setConstant(1, t_);
    return true;
  }
  Drift drift() override { return {}; }
  int error_order() const override { return 1; }
  std::string failure() const override { return ""; }
  long evaluations() const override { return 0; }

 private:
  double t_ = 0, h_ = 0;
  VecX z_;
};

}  // namespace

TEST_CASE("a step that can do the least is integrated in all ways", "[steppers]") {
  for (bool fixed : {true, false}) {
    Options options = fixed ? with_h(0.125) : Options{};
    options.dense = true;
    options.times = {0.3, 0.6};
    BareStep step;
    const Solution solution = integrate(step, Vec<1>(2), {0, 1}, options);
    CHECK(solution.report.usable());
    REQUIRE(solution.t == std::vector<double>{0, 0.3, 0.6, 1});
    for (int i = 0; i < 4; ++i) CHECK(solution.state(i)[0] == Approx(2 + solution.t[i]));
    CHECK(solution.at(0.77)[0] == Approx(2.77));
    // It does not know multipliers between the ends of steps.
    CHECK(solution.multiplier(0)[0] == 0);
    CHECK(std::isnan(solution.multiplier(1)[0]));
    CHECK(solution.multiplier(3)[0] == Approx(1));
    REQUIRE(solution.report.warnings.size() == 1);
    CHECK_THAT(solution.report.warnings[0], contains_text("between steps"));
  }
}

TEST_CASE("progress is shown now and then and may stop the run", "[steppers]") {
  Options options = with_h(1e-4);
  options.every = 0;
  int calls = 0;
  options.progress = [&](const RunProgress& progress) {
    CHECK(progress.begin == 0);
    CHECK(progress.end == 1e9);
    CHECK(progress.t > 0);
    CHECK(progress.steps > 0);
    CHECK(progress.drift_of_iterates.empty());
    CHECK(progress.seconds > 0.09);
    // As long for each unit of t as so far.
    const double pace = progress.seconds / progress.t;
    CHECK(progress.seconds_left == Approx(pace * (1e9 - progress.t)));
    return ++calls < 3;
  };
  const auto before = std::chrono::steady_clock::now();
  const Solution solution = oscillate(options, {0, 1e9});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  CHECK(calls == 3);
  CHECK(took.count() >= 0.3);
  CHECK(solution.report.termination == Termination::stopped);
  CHECK_THAT(solution.report.message, contains_text("progress()"));
}

TEST_CASE("slow steps show progress too", "[steppers]") {
  struct Slow : Oscillator {
    bool rhs(double t, const VecX& z, VecX& slope) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      return Oscillator::rhs(t, z, slope);
    }
  } system;
  Options options = with_h(1);
  int calls = 0;
  options.progress = [&](const RunProgress&) { return ++calls > 0; };
  const Solution solution = run(system, Stepper::forward_euler, Vec<2>(0, 1), {0, 12}, options);
  CHECK(calls >= 2);
  CHECK(calls <= 1 + solution.report.seconds.total / 0.1);
}

}  // namespace daewave::ivp
