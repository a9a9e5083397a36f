// Iterates of a system that is made up, so that each of them is known.

#include "bvp/newton/newton_iterates.hpp"

#include <cmath>
#include <numbers>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x' = y w(t), y_s = ratio y_{s-1} + (1 - ratio): y_s = 1 - ratio^s from y_0 = 0, and as much is
/// left of it.
class Falling final : public IterateSystem {
 public:
  double ratio = 0.5;
  /// 0: w = 1. Else w turns so often, and x on a mesh of as many intervals moves between nodes
  /// alone.
  int turns = 0;
  /// It cannot be evaluated for a y that is further than this from that of the evaluation before.
  double reach = INFINITY;
  /// A time that more is carried the closer it is.
  double peak = NAN;
  /// A time that x is further off its constraints the closer it is.
  double drifts_at = NAN;

  int nx() const override { return 1; }
  int carried() const override { return 1; }
  bool evaluate(const VecX&, double t, const VecX& before, VecX& slope, VecX& carried) override {
    if (std::abs(before[0] - last_) > reach) return false;
    last_ = before[0];
    t_ = t;
    const double w = turns > 0 ? std::cos(2 * std::numbers::pi * turns * t) : 1;
    slope = VecX{{before[0] * w}};
    carried = VecX{{ratio * before[0] + step}};
    if (!std::isnan(peak)) carried *= 1 / (1 + std::abs(t - peak));
    return true;
  }
  bool jacobian(const VecX&, double, const VecX&, const VecX&, const VecX&, const VecX&,
                MatX& J) override {
    J.setZero(1, 1);
    return true;
  }
  std::string failure() const override { return "too far"; }
  double drift() override { return std::isnan(drifts_at) ? 0 : 1 / (1 + std::abs(t_ - drifts_at)); }

  double step = 1 - ratio;

 private:
  double last_ = 0, t_ = 0;
};

class ZeroAtBegin final : public TwoPointConditions {
 public:
  int count() const override { return 1; }
  void evaluate(const VecX& left, const VecX&, VecX& r) override { r = left; }
  void jacobians(const VecX&, const VecX&, const VecX&, MatX& B0, MatX& B1) override {
    B0.setOnes(1, 1);
    B1.setZero(1, 1);
  }
};

struct IteratesRun {
  IteratesResult result;
  CollocationValues values;
};

/// Errors are absolute. @param guess  of x, over t.
IteratesRun run(Falling& system, IterateControl control, int intervals = 4, double guess = 0) {
  constexpr int stages = 8;
  const ComponentSizes one(VecX::Ones(1), VecX::Zero(1));
  control.sizes = {one, one};
  ZeroAtBegin conditions;
  const Mesh mesh = uniform_mesh(0, 1, intervals);
  const Collocation scheme = collocation(Scheme::gauss, stages);
  CollocationNewton newton(system, conditions, mesh, scheme, "auto");
  IteratesRun run;
  run.values = newton.guess([=](double t) -> VecX { return VecX{{guess * t}}; });
  run.values.carried.setZero(1, stages * intervals);
  const MatX first = run.values.carried;
  run.result = newton_iterates(newton, intervals, first, control, run.values);
  return run;
}

Falling falling(double ratio) {
  Falling system;
  system.ratio = ratio;
  system.step = 1 - ratio;
  return system;
}

}  // namespace

TEST_CASE("what iterates may still change is what is left of them, slow or fast",
          "[nonlinear][iterates]") {
  for (const double ratio : {0.5, 0.9, 0.98}) {
    Falling system = falling(ratio);
    const IteratesRun ten = run(system, {.most = 10, .all = true});
    CAPTURE(ratio);
    REQUIRE(ten.result.newton.converged());
    REQUIRE(ten.result.history.size() == 10);
    CHECK_FALSE(ten.result.settled);
    // x_s belongs to y_{s-1}.
    CHECK(ten.result.remaining == Approx(std::pow(ratio, 9)));
    CHECK(ten.result.carried_remaining == Approx(std::pow(ratio, 10)));
  }
  // Of those that fall fast no less than the last change, nor more than a hundred of those that do
  // not fall.
  Falling fast = falling(1e-3), growing = falling(1.5);
  const IteratesRun few = run(fast, {.most = 3, .all = true});
  CHECK(few.result.remaining >= few.result.change);
  const IteratesRun more = run(growing, {.most = 6, .all = true});
  CHECK(more.result.remaining == Approx(100 * more.result.change));
}

TEST_CASE("what iterates may still change is no matter of the guess", "[nonlinear][iterates]") {
  // x = t / 2 after two of them and t in the end, wherever the first one came from.
  for (const double guess : {0.0, 0.3, 0.49, 0.51, 1.0, 100.0}) {
    Falling system = falling(0.5);
    const IteratesRun two = run(system, {.most = 2, .all = true}, 4, guess);
    CAPTURE(guess);
    REQUIRE(two.result.newton.converged());
    CHECK(two.result.change == Approx(0.5));
    CHECK(two.result.remaining == Approx(0.5));
  }
}

TEST_CASE("each iterate is told with what it changed of what is carried", "[nonlinear][iterates]") {
  Falling system = falling(0.7);
  const IteratesRun five = run(system, {.most = 5, .all = true});
  REQUIRE(five.result.history.size() == 5);
  for (int s = 1; s <= 5; ++s) {
    const IterateReport& told = five.result.history[static_cast<std::size_t>(s - 1)];
    CAPTURE(s);
    CHECK(told.iterate == s);
    // y_s - y_{s-1} = 0.7^(s-1) - 0.7^s, everywhere.
    CHECK(told.change == Approx(0.3 * std::pow(0.7, s - 1)));
    CHECK(told.drift == 0);
    CHECK(told.residual < 1e-10);
  }
  CHECK(five.result.newton_iterations >= 5);
  CHECK(five.result.homotopy_steps == 0);
}

TEST_CASE("the place that is told of an iterate is where what is carried changed most",
          "[nonlinear][iterates]") {
  Falling system = falling(0.7);
  system.peak = 0.6;
  const IteratesRun one = run(system, {.most = 1});
  REQUIRE(one.result.history.size() == 1);
  // Of eight stages in each of four intervals.
  CHECK(std::abs(one.result.history[0].change_at - 0.6) < 0.03);
}

TEST_CASE("the drift of an iterate is that of the stage that is off its constraints the most",
          "[nonlinear][iterates]") {
  // More stages than are evaluated at a time.
  constexpr int intervals = 100;
  for (const double t : {0.01, 0.5, 0.99}) {
    Falling system = falling(0.7);
    system.drifts_at = t;
    const IteratesRun one = run(system, {.most = 1}, intervals);
    CAPTURE(t);
    REQUIRE(one.result.history.size() == 1);
    CHECK(one.result.history[0].drift > 0.995);
  }
}

TEST_CASE("iterates end where what is left of x and of what is carried is small enough",
          "[nonlinear][iterates]") {
  for (const double tolerance : {1e-3, 1e-6}) {
    for (const double ratio : {0.1, 0.6}) {
      Falling of_x = falling(ratio), of_both = falling(ratio);
      const IteratesRun x = run(of_x, {.most = 200, .tolerance = tolerance});
      const IteratesRun both =
          run(of_both, {.most = 200, .tolerance = 0.1, .carried_tolerance = tolerance});
      CAPTURE(tolerance, ratio);
      CHECK(x.result.settled);
      CHECK(both.result.settled);
      CHECK(std::abs(x.values.x(0, 4) - 1) <= 2 * tolerance);
      CHECK(std::abs(both.values.carried(0, 0) - 1) <= 2 * tolerance);
      // Not many more than are needed.
      const double needed = std::log(tolerance) / std::log(ratio);
      CHECK(static_cast<double>(x.result.history.size()) <= needed + 4);
    }
  }
  Falling slow = falling(0.9);
  CHECK_FALSE(run(slow, {.most = 20, .tolerance = 1e-6}).result.settled);
}

TEST_CASE(
    "iterates that fall slowly have come to a level where their changes are small, not before",
    "[nonlinear][iterates]") {
  // x changes by 0.05 with the second one, and by 0.95 of that with each that follows.
  Falling slow = falling(0.95);
  CHECK_FALSE(run(slow, {.most = 10, .tolerance = 1e-3}).result.settled);
  const IteratesRun level = run(slow, {.most = 10, .tolerance = 1e-2});
  CHECK(level.result.settled);
  CHECK(level.result.remaining > 0.5);
  CHECK(level.result.history.size() == 3);
}

TEST_CASE("iterates that change x between its nodes alone have not settled",
          "[nonlinear][iterates]") {
  Falling between = falling(0.5);
  between.turns = 4;
  const IteratesRun ten = run(between, {.most = 10, .tolerance = 1e-6});
  CHECK(ten.values.x.cwiseAbs().maxCoeff() < 1e-6);
  CHECK_FALSE(ten.result.settled);
  CHECK(ten.result.change > 1e-5);
}

TEST_CASE("an iterate that is too far is come to by steps from the one before",
          "[nonlinear][iterates]") {
  Falling far = falling(1);
  far.step = 1;  // y_s = s.
  far.reach = 0.3;
  const IteratesRun five = run(far, {.most = 5, .all = true});
  INFO(five.result.newton.reason);
  CHECK(five.result.newton.converged());
  CHECK(five.result.homotopy_steps >= 12);
  CHECK(five.values.x(0, 4) == Approx(4));
  far = falling(1);
  far.step = 1;
  far.reach = 1e-3;
  const IteratesRun stuck = run(far, {.most = 5, .all = true});
  CHECK_FALSE(stuck.result.newton.converged());
  CHECK_THAT(stuck.result.newton.reason, contains_text("a homotopy from the iterate before"));
}

}  // namespace daewave::bvp
