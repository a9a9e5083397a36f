// Constraints that are driven by what turns, jumps or moves fast in t: positions are where they are
// driven to between the ends of steps too, or the run says that they are not.

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using ivp::Options;
using ivp::Solution;

namespace {

/// A pendulum of length 1 on a pivot that is driven along x: q = (x, y) of the bob, X of the pivot,
/// each of mass 1.
struct DrivenPivot {
  using Position = Vec<3>;
  using Multiplier = Vec<2>;
  std::function<double(double t)> drive, slope;
  std::function<double(double t)> second = [](double) { return 0.0; };

  Mat<3, 3> M(const Position&) const { return Mat<3, 3>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -9.81, 0}; }
  Multiplier g(const Position& q, double t) const {
    const double along = q[0] - q[2];
    return {q[2] - drive(t), 0.5 * (along * along + q[1] * q[1] - 1)};
  }
  Mat<2, 3> G(const Position& q, double) const {
    const double along = q[0] - q[2];
    return Mat<2, 3>{{0, 0, 1}, {along, q[1], -along}};
  }
  Multiplier g_t(const Position&, double t) const { return {-slope(t), 0}; }
  Multiplier curvature(const Position&, const Position& v, double t) const {
    const double along = v[0] - v[2];
    return {-second(t), along * along + v[1] * v[1]};
  }

  VecX start() const {
    const double s = drive(0), ds = slope(0);
    return VecX{{s + 1, 0, s, ds, 0, ds}};
  }
};

DrivenPivot turning_at(double when, double by) {
  return {[=](double t) { return 0.5 * by * std::abs(t - when); },
          [=](double t) { return t < when ? -0.5 * by : 0.5 * by; }};
}

DrivenPivot ramp(double height, double from, double length) {
  return {[=](double t) { return height * std::clamp((t - from) / length, 0.0, 1.0); },
          [=](double t) { return t > from && t < from + length ? height / length : 0; }};
}

DrivenPivot pulse(double height, double from, double length) {
  return {[=](double t) { return t > from && t < from + length ? height : 0; },
          [](double) { return 0.0; }};
}

Options asked(ivp::Method method, double rtol) {
  Options options;
  options.method = std::move(method);
  options.rtol = rtol;
  options.dense = true;
  options.seek_way_out = false;
  return options;
}

/// The largest that the pivot is off its drive, anywhere.
double off_drive(const DrivenPivot& problem, const Solution& solution) {
  constexpr int places = 4000;
  double most = 0;
  for (int i = 0; i <= places; ++i) {
    const double t = static_cast<double>(i) / places;
    most = std::max(most, std::abs(solution.at(t)[2] - problem.drive(t)));
  }
  return most;
}

/// Of the pendulum from state (angle, its rate), by Runge and Kutta with steps that are far smaller
/// than needed: the pivot moves with constant velocity.
void swing(double& angle, double& rate, double time) {
  constexpr int steps = 4000;
  const double h = time / steps;
  const auto of = [](double a) { return -9.81 * std::cos(a); };
  for (int i = 0; i < steps; ++i) {
    const double k1 = of(angle), k2 = of(angle + h / 2 * rate);
    const double k3 = of(angle + h / 2 * rate + h * h / 4 * k1);
    const double k4 = of(angle + h * rate + h * h / 2 * k2);
    angle += h * rate + h * h / 6 * (k1 + k2 + k3);
    rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
}

/// Where the bob is at 1: where the pivot turns, its constraint gives it the impulse along the rod.
double bob_at_end(double when, double by) {
  double angle = 0, rate = 0;
  swing(angle, rate, when);
  rate += by * std::sin(angle);
  swing(angle, rate, 1 - when);
  return std::sin(angle);
}

std::string all_of(const ivp::Solution& solution) { return solution.report.full(); }

}  // namespace

TEST_CASE("a pivot whose drive turns is where it is driven to, between steps too", "[driven]") {
  for (const bool windows : {false, true}) {
    for (const double when : {0.5, 0.3137, 0.81}) {
      for (const double by : {2.0, -0.6}) {
        for (const double rtol : {1e-4, 1e-6}) {
          const DrivenPivot problem = turning_at(when, by);
          const ivp::Method method = windows ? ivp::Method(ivp::GaussWindows{}) : ivp::SBoth2{};
          const Solution solution =
              ivp::solve(problem, problem.start(), {0, 1}, asked(method, rtol));
          CAPTURE(windows, when, by, rtol, all_of(solution));
          CHECK(solution.report.usable());
          CHECK(off_drive(problem, solution) < std::max(50 * rtol, 1e-4));
          CHECK(std::abs(solution.end()[1] - bob_at_end(when, by)) < std::max(50 * rtol, 4e-4));
        }
      }
    }
  }
}

TEST_CASE("a pivot whose drive turns is never said to be where it is not", "[driven]") {
  for (const double rtol : {1e-8, 1e-10}) {
    const DrivenPivot problem = turning_at(0.4142, 2);
    const Solution solution =
        ivp::solve(problem, problem.start(), {0, 1}, asked(ivp::SBoth2{}, rtol));
    const double off = off_drive(problem, solution);
    CAPTURE(rtol, off, all_of(solution));
    const std::vector<std::string>& warnings = solution.report.warnings;
    const bool told = std::any_of(warnings.begin(), warnings.end(), [](const std::string& one) {
      return one.find("restart_times") != std::string::npos;
    });
    CHECK((off < 200 * rtol || told || !solution.report.usable()));
    if (!solution.report.usable()) CHECK_FALSE(solution.report.advice.empty());
  }
}

TEST_CASE("steps that end where a drive turns give the impulse that it gives", "[driven]") {
  const double when = 0.4142, by = 2;
  const DrivenPivot problem = turning_at(when, by);
  for (const ivp::Method& method : {ivp::Method(ivp::GaussWindows{}), ivp::Method(ivp::SBoth2{}),
                                    ivp::Method(ivp::ProjectEachStep{})}) {
    for (const double rtol : {1e-6, 1e-8, 1e-10}) {
      Options options = asked(method, rtol);
      options.restart_times = {when};
      const Solution solution = ivp::solve(problem, problem.start(), {0, 1}, options);
      CAPTURE(rtol, all_of(solution));
      REQUIRE(solution.report.usable());
      CHECK(off_drive(problem, solution) < 1e-12);
      CHECK(std::abs(solution.end()[1] - bob_at_end(when, by)) < rtol);
      REQUIRE(solution.report.warnings.size() == 1);
      CHECK_THAT(solution.report.warnings.front(), contains_text("t = 0.4142") &&
                                                       contains_text("by 2, as by an impulse") &&
                                                       !contains_text("positions"));
      // The way back has the same impulse.
      const Solution back = ivp::solve(problem, solution.end(), {1, 0}, options);
      INFO(all_of(back));
      REQUIRE(back.report.usable());
      CHECK((back.end() - problem.start()).cwiseAbs().maxCoeff() < 20 * rtol);
    }
  }
}

TEST_CASE("a drive that jumps where steps end moves positions, which is told", "[driven]") {
  const DrivenPivot problem = pulse(0.3, 0.4, 0.2);
  Options options = asked(ivp::SBoth2{}, 1e-7);
  options.restart_times = {0.4, 0.6};
  const Solution solution = ivp::solve(problem, problem.start(), {0, 1}, options);
  INFO(all_of(solution));
  CHECK(solution.report.usable());
  REQUIRE(solution.report.warnings.size() == 1);
  CHECK_THAT(solution.report.warnings.front(), contains_text("positions were moved by 0.3"));
  CHECK(std::abs(solution.at(0.5)[2] - 0.3) < 1e-12);
  CHECK(std::abs(solution.at(0.7)[2]) < 1e-12);
}

TEST_CASE("a fast ramp of a drive is followed", "[driven]") {
  for (const double length : {1e-2, 1e-3}) {
    for (const double rtol : {1e-4, 1e-6}) {
      const DrivenPivot problem = ramp(0.01, 0.5, length);
      const Solution solution =
          ivp::solve(problem, problem.start(), {0, 1}, asked(ivp::SBoth2{}, rtol));
      CAPTURE(length, rtol, all_of(solution));
      CHECK(solution.report.usable());
      CHECK(off_drive(problem, solution) < std::max(50 * rtol, 5e-4));
    }
  }
}

TEST_CASE("a pivot that is driven to jump is not said to be on its way", "[driven]") {
  const DrivenPivot problem = pulse(0.3, 0.4, 0.2);
  for (const ivp::Method& method : {ivp::Method(ivp::GaussWindows{}), ivp::Method(ivp::SBoth2{}),
                                    ivp::Method(ivp::ProjectEachStep{})}) {
    const Solution solution = ivp::solve(problem, problem.start(), {0, 1}, asked(method, 1e-6));
    INFO(all_of(solution));
    CHECK(solution.report.termination == Termination::tolerance_not_met);
    CHECK_FALSE(solution.report.advice.empty());
  }
}

TEST_CASE("projection that moves positions where a drive turns says so", "[driven]") {
  const DrivenPivot problem = turning_at(0.5, 2);
  const Solution solution =
      ivp::solve(problem, problem.start(), {0, 1}, asked(ivp::ProjectEachStep{}, 1e-5));
  INFO(all_of(solution));
  CHECK(solution.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(solution.report.message, contains_text("t = 0.5"));
  CHECK_THAT(solution.report.message, contains_text("moved positions"));
  CHECK_THAT(solution.report.advice, contains_text("s-both2"));
}

TEST_CASE("steps of a given length that pass over what a drive does are told", "[driven]") {
  const DrivenPivot problem = turning_at(0.53, 2);
  Options options = asked(ivp::SBoth2{}, 1e-6);
  options.h = 0.1;
  const Solution solution = ivp::solve(problem, problem.start(), {0, 1}, options);
  INFO(all_of(solution));
  CHECK(off_drive(problem, solution) > 1e-3);
  const bool is_told = !solution.report.usable() || !solution.report.warnings.empty();
  CHECK(is_told);
  options.h = 1e-4;
  const Solution fine = ivp::solve(problem, problem.start(), {0, 1}, options);
  INFO(all_of(fine));
  CHECK(fine.report.usable());
  CHECK(fine.report.warnings.empty());
}

TEST_CASE("a smooth drive costs no more steps than it did", "[driven]") {
  const DrivenPivot pivot{[](double t) { return 0.3 * std::sin(3 * t); },
                          [](double t) { return 0.9 * std::cos(3 * t); },
                          [](double t) { return -2.7 * std::sin(3 * t); }};
  for (const double rtol : {1e-5, 1e-7, 1e-9}) {
    for (const ivp::Method& method :
         {ivp::Method(ivp::GaussWindows{}), ivp::Method(ivp::SBoth2{}),
          ivp::Method(ivp::ProjectEachStep{.formula = {ivp::Stepper::radau, 3}}),
          ivp::Method(ivp::ProjectEachStep{.formula = {ivp::Stepper::gauss, 3}})}) {
      const Solution solution = ivp::solve(pivot, pivot.start(), {0, 1}, asked(method, rtol));
      CAPTURE(rtol, all_of(solution));
      CHECK(solution.report.usable());
      CHECK(solution.report.integration.rejected <= 8);
      CHECK(solution.report.warnings.empty());
    }
  }
}

TEST_CASE("a drive that is known to a time alone is asked for no later than steps ask",
          "[driven]") {
  DrivenPivot problem = turning_at(0.25, 2);
  problem.drive = [drive = problem.drive](double t) {
    if (t > 0.9) throw std::runtime_error("the table ends at 0.9");
    return drive(t);
  };
  Options options = asked(ivp::SBoth2{}, 1e-5);
  const Solution thrown = ivp::solve(problem, problem.start(), {0, 1}, options);
  INFO(all_of(thrown));
  CHECK(thrown.report.termination == Termination::stopped);
  CHECK(thrown.report.integration.reached > 0.75);
  options.events = {{.name = "half",
                     .function = [](double t, const VecX&) { return t - 0.5; },
                     .then = ivp::Event::Then::stop}};
  const Solution stopped = ivp::solve(problem, problem.start(), {0, 1}, options);
  INFO(all_of(stopped));
  CHECK(stopped.report.usable());
  CHECK(std::abs(stopped.at(0.25)[2]) < 1e-3);
}

TEST_CASE("a drive that rests at first, and moves once, is seen", "[driven]") {
  // Up and down within a twentieth of the interval, long after steps have become longer.
  const double height = 0.05, from = 0.7, length = 0.05;
  const DrivenPivot problem{
      [=](double t) {
        const double s = (t - from) / length;
        return s > 0 && s < 1 ? 16 * height * s * s * (1 - s) * (1 - s) : 0;
      },
      [=](double t) {
        const double s = (t - from) / length;
        return s > 0 && s < 1 ? 32 * height / length * s * (1 - s) * (1 - 2 * s) : 0;
      },
      [=](double t) {
        const double s = (t - from) / length;
        return s > 0 && s < 1 ? 32 * height / (length * length) * (1 - 6 * s + 6 * s * s) : 0;
      }};
  for (const ivp::Method& method : {ivp::Method(ivp::GaussWindows{}), ivp::Method(ivp::SBoth2{})}) {
    const Solution solution = ivp::solve(problem, problem.start(), {0, 1}, asked(method, 1e-6));
    INFO(all_of(solution));
    CHECK(solution.report.usable());
    CHECK(off_drive(problem, solution) < 1e-4);
  }
}

TEST_CASE("restarts of a drive that is smooth and fast change nothing", "[driven]") {
  const double w = 2e3, from = 1e6;
  const DrivenPivot problem{[=](double t) { return 1e-3 * std::sin(w * (t - from)); },
                            [=](double t) { return 1e-3 * w * std::cos(w * (t - from)); },
                            [=](double t) { return -1e-3 * w * w * std::sin(w * (t - from)); }};
  Options options = asked(ivp::SBoth2{}, 1e-6);
  options.restart_times = {from + 0.0123, from + 0.025};
  const double ds = problem.slope(from);
  const Solution solution =
      ivp::solve(problem, VecX{{1, 0, 0, ds, 0, ds}}, {from, from + 0.03}, options);
  INFO(all_of(solution));
  CHECK(solution.report.usable());
  CHECK(solution.report.integration.restarts == 2);
  for (const std::string& warning : solution.report.warnings) {
    CHECK_THAT(warning, !contains_text("driven another way"));
  }
}
