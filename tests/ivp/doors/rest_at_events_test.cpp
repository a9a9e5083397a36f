// What comes to rest at an event, or begins there at rest, and is driven on: whichever way the same
// motion is stated, it does not go through without a word.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using ivp::Event;
using ivp::Options;
using ivp::Solution;

namespace {

/// x'' of a body at (x, x', t).
using Push = std::function<double(double x, double v, double t)>;

/// The motion x'' = push as a problem of one of the kinds.
struct Stated {
  const char* how;
  DaeProblemPtr problem;
  int v;  ///< The entry of the state that is x'; x is the first.
  int size;
};

/// Of (x, x', further entries): first order.
BatchFunction first_order(const Push& push, int entries) {
  return [push, entries](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const double x = at.q[p], v = at.q[at.stride + p];
      out[p] = v;
      out[at.count + p] = push(x, v, at.t[p]);
      for (int i = 2; i < entries; ++i) out[i * at.count + p] = 0;
    }
  };
}

/// The given numbers at each point.
BatchFunction same(const std::vector<double>& entries) {
  return [entries](const Points& at, double* out) {
    for (const double entry : entries) out = std::fill_n(out, at.count, entry);
  };
}

/// Entry i of q.
BatchFunction entry(int i) {
  return [i](const Points& at, double* out) { std::copy_n(at.q + i * at.stride, at.count, out); };
}

Stated ordinary(const Push& push) {
  return {"ordinary",
          problem_from_functions(
              {.kind = Kind::ordinary, .sizes = {.nq = 2}, .f = first_order(push, 2)}),
          1, 2};
}

Stated index_1(const Push& push) {
  ProblemFunctions of{.kind = Kind::invariants, .sizes = {.nq = 2, .nw = 1}};
  of.f = [](const Points& at, double* out) {
    std::copy_n(at.q + at.stride, at.count, out);
    std::copy_n(at.w, at.count, out + at.count);
  };
  of.r = [push](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = at.w[p] - push(at.q[p], at.q[at.stride + p], at.t[p]);
    }
  };
  of.differences = true;
  of.start_algebraic = VecX::Zero(1);
  return {"index 1", problem_from_functions(of), 1, 2};
}

Stated index_2(const Push& push) {
  return {"index 2",
          problem_from_functions({.kind = Kind::index_2,
                                  .sizes = {.nq = 3, .ny = 1},
                                  .f = first_order(push, 3),
                                  .B = same({0, 0, 1}),
                                  .g = entry(2),
                                  .G = same({0, 0, 1})}),
          1, 3};
}

/// Of q = (x, s), s being 0.
Stated with_velocities(const Push& push, Kind kind) {
  ProblemFunctions of{.kind = kind, .sizes = {.nq = 2, .ny = 1}};
  of.f = [push](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = push(at.q[p], at.v[p], at.t[p]);
      out[at.count + p] = 0;
    }
  };
  if (kind == Kind::multibody) of.M = same({1, 0, 0, 1});
  if (kind == Kind::second_order) of.B = same({0, 1});
  of.g = entry(1);
  of.G = same({0, 1});
  of.curvature = same({0});
  return {kind == Kind::multibody ? "multibody" : "second order", problem_from_functions(of), 2, 4};
}

std::vector<Stated> every_way(const Push& push) {
  return {ordinary(push), index_1(push), index_2(push), with_velocities(push, Kind::second_order),
          with_velocities(push, Kind::multibody)};
}

/// Of a floor at height h(t), which the velocity is set to that of, and `back` of what it was away
/// from it.
Event floor(const Stated& of, double back = 0, const std::function<double(double)>& h = {},
            const std::function<double(double)>& rate = {}) {
  return {.name = "floor",
          .function = [h](double t, const VecX& z) { return h ? z[0] - h(t) : z[0]; },
          .direction = Event::Direction::falling,
          .change =
              [=, v = of.v](double t, VecX z) {
                const double speed = rate ? rate(t) : 0;
                z[v] = speed - back * (z[v] - speed);
                return z;
              }};
}

Solution moved(const Stated& of, double x, double v, double until, const Event& event) {
  VecX start = VecX::Zero(of.size);
  start[0] = x;
  start[of.v] = v;
  Options options;
  options.events = {event};
  options.rtol = 1e-8;
  options.atol = 1e-8;
  return ivp::solve(*of.problem, start, {0, until}, options);
}

Push weight(double g) {
  return [g](double, double, double) { return -g; };
}

void check_ends(const Solution& solution, double at) {
  INFO(solution.report.full());
  CHECK_FALSE(solution.report.usable());
  CHECK(solution.report.termination == Termination::step_too_small);
  CHECK_THAT(solution.report.message, contains_text("event \"floor\" at t = "));
  CHECK_THAT(solution.report.advice, contains_text("one constraint more"));
  CHECK(solution.report.integration.reached == Approx(at).margin(1e-9));
}

}  // namespace

TEST_CASE("a body that a floor stops is not let through it, whichever way it is stated",
          "[restarts]") {
  for (const double g : {10.0, 1e-3, 9.81e3}) {
    for (const Stated& of : every_way(weight(g))) {
      CAPTURE(of.how, g);
      const double meets = std::sqrt(2 / g);
      check_ends(moved(of, 1, 0, 1.5 * meets, floor(of)), meets);
    }
  }
}

TEST_CASE("a body that rests on a floor where the run begins is not let through it", "[restarts]") {
  for (const Stated& of : every_way(weight(10))) {
    CAPTURE(of.how);
    for (const double back : {0.0, 0.5}) check_ends(moved(of, 0, 0, 1, floor(of, back)), 0);
  }
}

TEST_CASE("a body that is taken along by a moving floor is not let through it", "[restarts]") {
  const auto height = [](double t) { return 0.3 * t + 0.1 * std::sin(2 * t); };
  const auto rate = [](double t) { return 0.3 + 0.2 * std::cos(2 * t); };
  for (const Stated& of : every_way(weight(10))) {
    CAPTURE(of.how);
    const Solution solution = moved(of, 1, 0, 1, floor(of, 0, height, rate));
    INFO(solution.report.full());
    CHECK(solution.report.termination == Termination::step_too_small);
    REQUIRE(solution.occurrences.size() == 1);
    const double t = solution.occurrences[0].t;
    CHECK(1 - 5 * t * t == Approx(height(t)));
  }
}

TEST_CASE(
    "a body that a floor stops stays there where nothing pushes, and leaves where it is "
    "pulled away",
    "[restarts]") {
  for (const Stated& of : every_way(weight(0))) {
    CAPTURE(of.how);
    const Solution solution = moved(of, 1, -1, 2, floor(of));
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    CHECK(solution.occurrences.size() == 1);
    CHECK(std::abs(solution.end()[0]) < 1e-9);
  }
  for (const Stated& of : every_way(weight(-1))) {
    CAPTURE(of.how);
    const Solution solution = moved(of, 1, -2, 2, floor(of));
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    CHECK(solution.occurrences.size() == 1);
    const double meets = 2 - std::sqrt(2.0);
    CHECK(solution.end()[0] == Approx((2 - meets) * (2 - meets) / 2));
  }
}

TEST_CASE("what a change of first order switches off stays where it is", "[restarts]") {
  // (level, inflow): a tank that is filled up to 1.
  const Stated tank = ordinary(weight(0));
  const Event full{.name = "full",
                   .function = [](double, const VecX& z) { return z[0] - 1; },
                   .direction = Event::Direction::rising,
                   .change =
                       [](double, VecX z) {
                         z[1] = 0;
                         return z;
                       }};
  const Solution solution = moved(tank, 0, 0.7, 3, full);
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  CHECK(solution.end()[0] == Approx(1));
}

TEST_CASE("a body that is put back to where it started, at rest, starts again", "[restarts]") {
  // It rises to 1 in t = 1 each time.
  for (const Stated& of : every_way(weight(-2))) {
    CAPTURE(of.how);
    const Event again{
        .name = "again",
        .function = [](double, const VecX& z) { return z[0] - 1; },
        .direction = Event::Direction::rising,
        .change = [size = of.size](double, const VecX&) -> VecX { return VecX::Zero(size); }};
    const Solution solution = moved(of, 0, 0, 3.5, again);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.occurrences.size() == 3);
    CHECK(solution.end()[0] == Approx(0.25));
  }
}
