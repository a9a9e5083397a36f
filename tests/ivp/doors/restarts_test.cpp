// Runs that start anew: events that change the state, and forces that jump at given times, with
// event times known in closed form.

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/derivatives/differences.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using ivp::Event;
using ivp::Options;
using ivp::Solution;

namespace {

const double pi = std::acos(-1.0);

/// A mass on a straight rail, y = x / 2, with a force along it: s = sqrt(5)/2 x has s'' = force.
struct Rail {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  std::function<double(double s, double ds, double t)> force;

  static constexpr double stretch = 1.1180339887498949;
  static VecX state(double s, double ds) {
    VecX z(4);
    z << s / stretch, 0.5 * s / stretch, ds / stretch, 0.5 * ds / stretch;
    return z;
  }
  static double s(const VecX& z) { return stretch * z[0]; }
  static double ds(const VecX& z) { return stretch * z[2]; }

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position& q, const Position& v, double t) const {
    return force(stretch * q[0], stretch * v[0], t) * Position(1, 0.5) / stretch;
  }
  Vec<1> g(const Position& q, double) const { return Vec<1>(q[1] - 0.5 * q[0]); }
  Mat<1, 2> G(const Position&, double) const { return Mat<1, 2>(-0.5, 1); }
  Vec<1> g_t(const Position&, double) const { return Vec<1>::Zero(); }
  Vec<1> curvature(const Position&, const Position&, double) const { return Vec<1>::Zero(); }
};

/// The mass at s = 0 is thrown back with e times its speed.
Event impact(double e) {
  return {.name = "wall",
          .function = [](double, const VecX& z) { return Rail::s(z); },
          .direction = Event::Direction::falling,
          .change = [e](double, const VecX& z) { return Rail::state(0, -e * Rail::ds(z)); }};
}

Options precise(std::vector<Event> events) {
  Options options;
  options.rtol = 1e-12;
  options.atol = 1e-12;
  options.events = std::move(events);
  return options;
}

Solution run(const Rail& rail, const VecX& start, const Interval& span, const Options& options) {
  return ivp::solve(rail, start, span, options);
}

Solution oscillate(const Options& options, const Interval& span) {
  return run({[](double s, double, double) { return -s; }}, Rail::state(1, 0), span, options);
}

Solution drop(const Options& options, double end) {
  return run({[](double, double, double) { return -1.0; }}, Rail::state(0.5, 0), {0, end}, options);
}

/// Masses beside each other with rods between them, falling.
struct FallingChain {
  using Position = Vec<8>;
  using Multiplier = Vec<3>;
  Mat<8, 8> M(const Position&) const { return Mat<8, 8>::Identity(); }
  Position f(const Position&, const Position&, double) const {
    Position force = Position::Zero();
    for (int i = 0; i < 4; ++i) force[2 * i + 1] = -9.81;
    return force;
  }
  Vec<3> g(const Position& q, double) const {
    Vec<3> residual;
    for (int i = 0; i < 3; ++i) residual[i] = (rod(q, i).squaredNorm() - 1) / 2;
    return residual;
  }
  Mat<3, 8> G(const Position& q, double) const {
    Mat<3, 8> G = Mat<3, 8>::Zero();
    for (int i = 0; i < 3; ++i) {
      const Vec<2> d = rod(q, i);
      G.row(i).segment<2>(2 * i) = -d.transpose();
      G.row(i).segment<2>(2 * i + 2) = d.transpose();
    }
    return G;
  }
  Vec<3> g_t(const Position&, double) const { return Vec<3>::Zero(); }
  Vec<3> curvature(const Position&, const Position& v, double) const {
    Vec<3> curvature;
    for (int i = 0; i < 3; ++i) curvature[i] = rod(v, i).squaredNorm();
    return curvature;
  }
  static Vec<2> rod(const Position& q, int i) {
    return q.segment<2>(2 * i + 2) - q.segment<2>(2 * i);
  }
};

/// m = l = 1, under g = 9.81.
struct WallPendulum {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -9.81}; }
  Vec<1> g(const Position& q, double) const { return Vec<1>((q.squaredNorm() - 1) / 2); }
  Mat<1, 2> G(const Position& q, double) const { return q.transpose(); }
  Vec<1> g_t(const Position&, double) const { return Vec<1>::Zero(); }
  Vec<1> curvature(const Position&, const Position& v, double) const {
    return Vec<1>(v.squaredNorm());
  }
};

/// The oscillator of Rail with a constraint of index 2 beside it.
struct IndexTwoOscillator {
  using State = Vec<3>;
  using Multiplier = Vec<1>;
  State f(const State& x, double) const { return {x[1], -x[0], 1}; }
  Vec<3> B(const State&, double) const { return {0, 0, 1}; }
  Vec<1> g(const State& x, double) const { return Vec<1>(x[2]); }
  Mat<1, 3> G(const State&, double) const { return Mat<1, 3>(0, 0, 1); }
  Vec<1> g_t(const State&, double) const { return Vec<1>::Zero(); }
};

/// The same with the force as an unknown of index 1, and its energy as an invariant.
struct InvariantOscillator {
  using State = Vec<2>;
  using Algebraic = Vec<1>;
  using Invariant = Vec<1>;
  State f(const State& z, const Algebraic& w, double) const { return {z[1], w[0]}; }
  Vec<1> r(const State& z, const Algebraic& w, double) const { return Vec<1>(w[0] + z[0]); }
  Vec<1> h(const State& z, double) const { return Vec<1>((z.squaredNorm() - 1) / 2); }
  Mat<1, 2> H(const State& z, double) const { return z.transpose(); }
};

/// Elastic; the state begins with s and s'.
Event elastic() {
  Event wall = impact(1);
  wall.function = [](double, const VecX& z) { return z[0]; };
  wall.change = [](double, VecX z) {
    z[1] = -z[1];
    return z;
  };
  return wall;
}

}  // namespace

TEST_CASE("an impact oscillator hits its wall at known times, to 1e-9, any number of times",
          "[restarts]") {
  for (const double e : {1.0, 0.99, 0.5}) {
    const int hits = e == 0.5 ? 8 : 300;  // Speeds stay far above atol.
    const Solution solution = oscillate(precise({impact(e)}), {0, hits * pi});
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    REQUIRE(static_cast<int>(solution.occurrences.size()) == hits);
    CHECK(solution.report.integration.restarts == hits);
    double speed = 1;
    for (int k = 0; k < hits; ++k) {
      const ivp::Occurrence& one = solution.occurrences[k];
      CHECK(std::abs(one.t - (0.5 + k) * pi) < 1e-9);
      CHECK(std::abs(Rail::ds(one.state) + speed) < 1e-9);
      CHECK(std::abs(Rail::ds(one.after) - e * speed) < 1e-9);
      speed *= e;
    }
    CHECK(std::abs(Rail::s(solution.end()) - speed) < 1e-9);
    CHECK(solution.report.integration.drift_position < 1e-9);
  }
}

TEST_CASE("a stick-slip oscillator changes its mode at known times, to 1e-9", "[restarts]") {
  // On a belt of speed 1; friction holds up to 2 and is 1 in slip: 3 pi / 2 of slip, then 2 of
  // stick.
  bool sticks = true;
  const Rail rail{[&sticks](double s, double, double) { return sticks ? 0 : 1 - s; }};
  std::vector<Event> events(2);
  events[0] = {.name = "slips",
               .function = [&](double, const VecX& z) { return sticks ? Rail::s(z) - 2 : -1; },
               .direction = Event::Direction::rising,
               .change = [&](double, const VecX& z) { return sticks = false, z; }};
  events[1] = {.name = "sticks",
               .function = [&](double, const VecX& z) { return sticks ? -1 : Rail::ds(z) - 1; },
               .direction = Event::Direction::rising,
               .change =
                   [&](double, const VecX& z) {
                     sticks = true;
                     return Rail::state(Rail::s(z), 1);
                   }};
  const double period = 1.5 * pi + 2;
  const Solution solution =
      run(rail, Rail::state(0, 1), {0, 10 * period + 1}, precise(std::move(events)));
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  REQUIRE(solution.occurrences.size() == 20);
  for (int k = 0; k < 20; ++k) {
    const double expected = (k / 2) * period + (k % 2 == 0 ? 2 : period);
    CHECK(solution.occurrences[k].event == k % 2);
    CHECK(std::abs(solution.occurrences[k].t - expected) < 1e-9);
  }
  CHECK(std::abs(Rail::s(solution.end()) - 1) < 1e-9);
}

TEST_CASE("a chain that falls flat bounces at known times, all masses at once", "[restarts]") {
  std::vector<Event> events;
  for (int i = 0; i < 4; ++i) {
    events.push_back({.name = "floor",
                      .function = [i](double, const VecX& z) { return z[2 * i + 1]; },
                      .direction = Event::Direction::falling,
                      .change =
                          [i](double, VecX z) {
                            // The mass alone: what the rods make of it is settled by the
                            // constraints.
                            z[8 + 2 * i + 1] *= -0.8;
                            return z;
                          }});
  }
  VecX start = VecX::Zero(16);
  for (int i = 0; i < 4; ++i) {
    start[2 * i] = i;
    start[2 * i + 1] = 1;
    start[8 + 2 * i] = 0.3;
  }
  const Solution solution = ivp::solve(FallingChain{}, start, {0, 2.5}, precise(std::move(events)));
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  double t = std::sqrt(2 / 9.81), speed = 9.81 * t;
  REQUIRE(solution.occurrences.size() % 4 == 0);
  for (std::size_t k = 0; k < solution.occurrences.size(); k += 4) {
    for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(solution.occurrences[k + i].t - t) < 1e-9);
    speed *= 0.8;
    t += 2 * speed / 9.81;
  }
  CHECK(solution.occurrences.size() == 16);
  CHECK(solution.report.integration.restarts == 4);
  CHECK(solution.end()[0] == Approx(0.75).epsilon(1e-10));
}

TEST_CASE("a pendulum bounces off a wall at times that elliptic integrals give", "[restarts]") {
  const double e = 0.9, amplitude = 1.2, length = std::sqrt(9.81);
  Event wall{.name = "wall",
             .function = [](double, const VecX& z) { return z[0]; },
             .direction = Event::Direction::falling,
             .change =
                 [e](double, VecX z) {
                   z.tail(2) *= -e;
                   return z;
                 }};
  VecX start(4);
  start << std::sin(amplitude), -std::cos(amplitude), 0, 0;
  const Solution solution = ivp::solve(WallPendulum{}, start, {0, 20}, precise({wall}));
  CHECK(solution.report.usable());
  REQUIRE(solution.occurrences.size() > 15);
  double k = std::sin(amplitude / 2), t = std::comp_ellint_1(k) / length;
  for (const ivp::Occurrence& one : solution.occurrences) {
    CHECK(std::abs(one.t - t) < 1e-9);
    CHECK(std::abs(one.after.head(2).squaredNorm() - 1) < 1e-13);
    CHECK(std::abs(one.after.head(2).dot(one.after.tail(2))) < 1e-13);
    k *= e;
    t += 2 * std::comp_ellint_1(k) / length;
  }
}

TEST_CASE("every method starts anew at events and at given times", "[restarts]") {
  for (const ivp::Method& method : ivp::all_methods()) {
    CAPTURE(name_of(method));
    if (std::holds_alternative<ivp::Bdf>(method) ||
        std::holds_alternative<ivp::AdamsMoulton>(method) ||
        std::holds_alternative<ivp::Dcbdf>(method)) {
      continue;  // Of index 2.
    }
    Options options = precise({impact(1)});
    options.method = method;
    if (std::holds_alternative<ivp::Baumgarte>(method)) {
      options.method = ivp::Baumgarte{.alpha1 = 20, .alpha0 = 100};
    }
    if (std::holds_alternative<ivp::StabilizedOde>(method)) {
      options.method = ivp::StabilizedOde{.gamma = 100};
    }
    options.rtol = options.atol.emplace(1e-8);
    options.h = 1e-3;
    options.restart_times = {2, 3};
    Solution solution;
    try {
      solution = oscillate(options, {0, 5});
    } catch (const InvalidOption& refused) {
      const std::string why = refused.what();
      INFO(why);
      if (why.find("h") == std::string::npos) throw;
      options.h.reset();
      solution = oscillate(options, {0, 5});
    }
    INFO(solution.report.full());
    CHECK(solution.report.integration.reached == 5);
    REQUIRE(solution.occurrences.size() == 2);
    CHECK(std::abs(solution.occurrences[1].t - 1.5 * pi) < 1e-3);
    CHECK(solution.report.integration.restarts == 4);
  }
}

TEST_CASE("problems of index 2 and with invariants start anew", "[restarts]") {
  const auto check = [](const Solution& solution, double within) {
    INFO(solution.report.full());
    CHECK(solution.report.integration.reached == 5);
    REQUIRE(solution.occurrences.size() == 2);
    CHECK(std::abs(solution.occurrences[1].t - 1.5 * pi) < within);
    CHECK(solution.end()[0] == Approx(std::abs(std::cos(5))).margin(10 * within));
    CHECK(solution.report.integration.restarts == 3);
  };
  Options options = precise({elastic()});
  options.restart_times = {2};
  options.h = 1e-3;
  VecX start(3);
  start << 1, 0, 0;
  const auto problem = with_differences(IndexTwoOscillator{});
  for (const ivp::Method& method :
       {ivp::Method(ivp::SBoth2{}), ivp::Method(ivp::AdamsMoulton{}), ivp::Method(ivp::Bdf{}),
        ivp::Method(ivp::Dcbdf{}), ivp::Method(ivp::DcbdfBdf{}), ivp::Method(ivp::Srm{})}) {
    CAPTURE(name_of(method));
    options.method = method;
    check(ivp::solve(problem, start, {0, 5}, options), 1e-3);
  }
  options.h.reset();
  options.method = {};
  check(ivp::solve(problem, start, {0, 5}, options), 1e-9);
  check(ivp::solve(InvariantOscillator{}, Vec<2>(1, 0), Vec<1>(-1), {0, 5}, options), 1e-9);
}

TEST_CASE("a force that jumps at a given time is seen on its own side only", "[restarts]") {
  for (const bool later : {false, true}) {
    for (const bool fixed : {false, true}) {
      for (const double from : {0.0, 3.0}) {  // Forward and backward.
        const Rail rail{
            [later](double, double, double t) { return (later ? t <= 1.3 : t < 1.3) ? 0.0 : 2.0; }};
        Options options = precise({});
        options.restart_times = {1.3};
        options.times = {0.5, 1.3, 2};
        options.dense = true;
        if (fixed) options.h = 0.25;
        const auto s = [](double t) { return t < 1.3 ? 0 : (t - 1.3) * (t - 1.3); };
        const auto ds = [](double t) { return t < 1.3 ? 0 : 2 * (t - 1.3); };
        const Solution solution =
            run(rail, Rail::state(s(from), ds(from)), {from, 3 - from}, options);
        CAPTURE(later, fixed, from);
        CHECK(solution.report.usable());
        CHECK(solution.report.integration.rejected == 0);
        CHECK(solution.report.integration.restarts == 1);
        REQUIRE(solution.count() == 5);
        for (int i = 0; i < 5; ++i) {
          const double t = solution.t[i];
          CHECK(std::abs(Rail::s(solution.state(i)) - s(t)) < 1e-13);
          CHECK(std::abs(Rail::s(solution.at(t)) - s(t)) < 1e-13);
        }
        CHECK(solution.t[2] == 1.3);
        CHECK(solution.t[4] == 3 - from);
      }
    }
  }
}

TEST_CASE("impacts that accumulate end the run with where they do", "[restarts]") {
  // The first at 1, the others e^k 2 apart.
  for (const double e : {0.001, 0.05, 0.5, 0.8}) {
    for (const bool fixed : {false, true}) {
      Options options = precise({impact(e)});
      if (fixed) options.h = 0.01;
      const Solution solution = drop(options, 20);
      const double rest = 1 + 2 * e / (1 - e);
      INFO(solution.report.full());
      CAPTURE(e, fixed);
      CHECK_FALSE(solution.report.usable());
      CHECK(solution.report.termination == Termination::step_too_small);
      CHECK_THAT(solution.report.message,
                 contains_text("event \"wall\"") && contains_text("accumulate"));
      CHECK_FALSE(solution.report.advice.empty());
      CHECK(std::abs(solution.report.integration.reached - rest) < (fixed ? 1e-2 : 1e-4));
      for (int i = 0; i < solution.count(); ++i) CHECK(Rail::s(solution.state(i)) > -1e-9);
    }
  }
  const Solution dead = drop(precise({impact(0)}), 20);
  CHECK_FALSE(dead.report.usable());
  CHECK_THAT(dead.report.message, contains_text("would go through"));
  CHECK(dead.report.integration.reached == Approx(1));
}

TEST_CASE("bounces shorter than a step are found all the same", "[restarts]") {
  Options options = precise({impact(0.2)});
  options.h = 0.9;
  const Solution solution = drop(options, 1.45);
  CHECK(solution.occurrences.size() >= 2);
  CHECK(std::abs(solution.occurrences[1].t - 1.4) < 1e-12);
}

TEST_CASE("what is given out tells the states before and after, and counts on", "[restarts]") {
  Options options = precise({impact(1)});
  options.h = 0.1;
  options.dense = true;
  std::vector<double> seen;
  std::vector<long> steps;
  options.sink = [&](const ivp::Output& out) {
    seen.push_back(out.t);
    steps.push_back(out.step);
    return true;
  };
  const Solution all = oscillate(options, {0, 4});
  CHECK(seen == all.t);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  CHECK(std::is_sorted(steps.begin(), steps.end()));
  CHECK(steps.back() == all.report.integration.steps);
  const double t = all.occurrences.at(0).t;
  const auto at = std::find(seen.begin(), seen.end(), t);
  REQUIRE(at != seen.end());
  REQUIRE(*(at + 1) == t);
  const int row = static_cast<int>(at - seen.begin());
  CHECK(Rail::ds(all.state(row)) == Approx(-1).epsilon(1e-5));
  CHECK(Rail::ds(all.state(row + 1)) == Approx(1).epsilon(1e-5));
  CHECK(all.at(t) == all.state(row + 1));
  CHECK(Rail::s(all.at(1)) == Approx(std::cos(1)).epsilon(1e-4));
  CHECK(Rail::s(all.at(2)) == Approx(-std::cos(2)).epsilon(1e-4));
  CHECK_THAT(all.report.full(), contains_text("1 restarts"));
  options.keep = false;
  const Solution last = oscillate(options, {0, 4});
  CHECK(last.count() == 1);
  CHECK(last.end() == all.end());
  // The sink stops after the event too.
  options.sink = [](const ivp::Output& out) { return out.t < 3; };
  const Solution stopped = oscillate(options, {0, 4});
  CHECK(stopped.report.termination == Termination::stopped);
  CHECK(stopped.report.integration.reached < 3.2);
  options.sink = [](const ivp::Output& out) -> bool {
    if (out.t > 3) throw InvalidOption("of the caller");
    return true;
  };
  CHECK_THROWS_WITH(oscillate(options, {0, 4}), "of the caller");
}

TEST_CASE("a change that is no state ends the run with what was before", "[restarts]") {
  const auto ends = [](std::function<VecX(double, const VecX&)> change) {
    Event wall = impact(1);
    wall.change = std::move(change);
    const Solution solution = oscillate(precise({wall}), {0, 5});
    CHECK_FALSE(solution.report.usable());
    CHECK_FALSE(solution.report.advice.empty());
    CHECK(solution.t.back() == Approx(pi / 2));
    return solution.report.message;
  };
  CHECK_THAT(ends([](double, const VecX&) { return VecX::Zero(3); }), contains_text("3 entries"));
  CHECK_THAT(ends([](double, const VecX&) { return VecX::Constant(4, NAN); }),
             contains_text("not finite"));
  CHECK_THAT(ends([](double, const VecX&) -> VecX { throw std::runtime_error("no such clutch"); }),
             contains_text("no such clutch"));
  Event off = impact(1);
  off.change = [](double, const VecX& z) { return VecX(-z + VecX::Unit(4, 1)); };
  const Solution moved = oscillate(precise({off}), {0, 2});
  CHECK(moved.report.integration.drift_position < 1e-12);
  REQUIRE_FALSE(moved.report.warnings.empty());
  CHECK_THAT(moved.report.warnings[0], contains_text("off the constraints"));
}

TEST_CASE("what cannot start anew is refused by name", "[restarts]") {
  const auto refused = [](const Options& options, const std::string& why) {
    CHECK_THROWS_WITH(oscillate(options, {0, 5}), contains_text(why));
  };
  Event stops = impact(1);
  stops.then = Event::Then::stop;
  refused(precise({stops}), "stops and has a change");
  Options options = precise({impact(1)});
  options.h = 0.01;
  for (const char* loops : {"sweeps", "pipelined", "lanes"}) {
    options.method = ivp::Srm{.loops = ivp::loops_named(loops)};
    refused(options, std::string("loops = ") + loops);
  }
  ivp::StepLocal local;
  local.checkpoints.save = [](const Checkpoint&) {};
  options.method = ivp::Srm{.loops = local};
  refused(options, "checkpoints: ");
  options = precise({});
  options.restart_times = {2, 1};
  refused(options, "restart_times[1] = 1");
  options.restart_times = {2, 7};
  refused(options, "restart_times[1] = 7");
  options.restart_times = {NAN};
  refused(options, "restart_times[0]");
}
