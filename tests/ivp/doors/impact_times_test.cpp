// Events that change the state where they are known to be, in closed form.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/derivatives/differences.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/doors/rail.hpp"

using namespace daewave;
using ivp::Event;
using ivp::Options;
using ivp::Solution;
using testing::impact;
using testing::oscillate;
using testing::precise;
using testing::Rail;
using testing::run;
using testing::StickSlip;

namespace {

using std::numbers::pi;

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

/// A ball in the air, (y, y').
struct InTheAir {
  using State = Vec<2>;
  State f(const State& z, double) const { return {z[1], -9.81}; }
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

TEST_CASE("a run may end where its last impact is, but for rounding", "[restarts]") {
  int hits = 0;
  for (int k = 1; k <= 60; ++k) {
    const double height = 0.1 * k, end = std::sqrt(2 * height / 9.81);
    for (const int roundings : {-2, 0, 2, 8}) {
      CAPTURE(height, roundings);
      Options options = precise({elastic()});
      const Interval span{0, end * (1 + roundings * 2.3e-16)};
      const Solution solution = ivp::solve(InTheAir{}, VecX{{height, 0}}, span, options);
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(solution.t.back() == span.end);
      REQUIRE(solution.occurrences.size() <= 1);
      if (solution.occurrences.empty()) continue;
      ++hits;
      CHECK(solution.occurrences[0].t <= span.end);
      CHECK(std::abs(solution.end()[1] - 9.81 * end) < 1e-8);
    }
  }
  CHECK(hits > 100);
}

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
  bool sticks = true;
  StickSlip mass(sticks);
  const double period = 1.5 * pi + 2;
  const Solution solution =
      run(mass.rail, Rail::state(0, 1), {0, 10 * period + 1}, precise(std::move(mass.events)));
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

TEST_CASE("no formula lets a pendulum through the wall that it comes to rest at", "[restarts]") {
  const double amplitude = 1.2;
  VecX start(4);
  start << std::sin(amplitude), -std::cos(amplitude), 0, 0;
  for (const ivp::Method& method :
       {ivp::Method(), ivp::Method(ivp::BdfProjection{}),
        ivp::Method(ivp::BdfProjectedInvariants{}), ivp::Method(ivp::ProjectedInvariants{})}) {
    for (const double e : {0.2, 0.5, 0.8}) {
      for (const double rtol : {1e-4, 1e-6, 1e-8}) {
        Options options;
        options.method = method;
        options.rtol = options.atol.emplace(rtol);
        options.events = {{.name = "wall",
                           .function = [](double, const VecX& z) { return z[0] - 0.3; },
                           .direction = Event::Direction::falling,
                           .change =
                               [e](double, VecX z) {
                                 z.tail(2) *= -e;
                                 return z;
                               }}};
        const Solution solution = ivp::solve(WallPendulum{}, start, {0, 12}, options);
        CAPTURE(name_of(method), e, rtol, solution.report.message);
        CHECK_THAT(solution.report.message, contains_text("accumulate"));
        double lowest = 1;
        for (std::size_t i = 0; i < solution.states.size(); i += 4) {
          lowest = std::min(lowest, solution.states[i]);
        }
        CHECK(lowest > 0.3 - 10 * rtol);
      }
    }
  }
}

TEST_CASE("impacts on a wall that a pendulum just reaches are found whatever the steps are",
          "[restarts]") {
  const double e = 0.9, amplitude = pi / 3, length = std::sqrt(9.81);
  VecX start(4);
  start << std::sin(amplitude), -std::cos(amplitude), 0, 0;
  for (const double deep : {0.1, 0.03, 6e-3, 2e-3}) {
    const double at = std::asin(std::sin(amplitude) - deep);
    std::vector<double> exact;
    double k = std::sin(amplitude / 2), t = 0;
    double first = std::comp_ellint_1(k);
    while (true) {
      const double beyond = std::ellint_1(k, std::asin(std::sin(at / 2) / k)) / length;
      t += first / length + beyond;
      if (t > 20) break;
      exact.push_back(t);
      const double low = std::sin(at / 2);
      k = std::sqrt(low * low + e * e * (k * k - low * low));
      first = 2 * std::comp_ellint_1(k);
      t += std::ellint_1(k, std::asin(low / k)) / length;
    }
    for (const double rtol : {1e-5, 1e-6, 1e-8}) {
      for (const ivp::Method& method :
           {ivp::Method(), ivp::Method(ivp::SBoth2{}), ivp::Method(ivp::LocalStateSpace{}),
            ivp::Method(ivp::SBoth2{.formula = {ivp::Stepper::dopri5, {}}}),
            ivp::Method(ivp::SBoth2{.formula = {ivp::Stepper::radau, 5}}),
            ivp::Method(ivp::BdfProjection{})}) {
        Options options;
        options.method = method;
        options.rtol = options.atol.emplace(rtol);
        options.every = 0;
        options.events = {{.name = "wall",
                           .function = [at](double, const VecX& z) { return z[0] + std::sin(at); },
                           .direction = Event::Direction::falling,
                           .change =
                               [e](double, VecX z) {
                                 z.tail(2) *= -e;
                                 return z;
                               }}};
        const Solution solution = ivp::solve(WallPendulum{}, start, {0, 20}, options);
        CAPTURE(name_of(method), rtol, deep, solution.report.integration.steps);
        CHECK(solution.report.usable());
        CHECK(solution.report.warnings.empty());
        REQUIRE(solution.occurrences.size() == exact.size());
        for (std::size_t i = 0; i < exact.size(); ++i) {
          CHECK(std::abs(solution.occurrences[i].t - exact[i]) < 1e3 * rtol / std::sqrt(deep));
        }
      }
    }
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
