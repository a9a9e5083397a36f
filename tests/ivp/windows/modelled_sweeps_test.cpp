// Windows of problems of which calls are dear: fewer calls, and the motion of those that are not.

#include <cmath>

#include "core/adapt/problem_from_functions.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// A bead on y = cosh x under gravity and drag that grows with its speed, with a mass that varies:
/// nothing of it is linear.
DaeProblemPtr bead(int& calls, bool dear) {
  ProblemFunctions of{.kind = Kind::multibody, .sizes = {.nq = 2, .ny = 1}};
  of.f = [&calls](const Points& at, double* out) {
    ++calls;
    for (int p = 0; p < at.count; ++p) {
      const double x = at.q[p], vx = at.v[p], vy = at.v[at.stride + p];
      const double drag = 0.3 * (1 + vx * vx + vy * vy);
      out[p] = -drag * vx;
      out[at.count + p] = -9.81 * (1 + 0.1 * x * x) - drag * vy;
    }
  };
  of.M = [&calls](const Points& at, double* out) {
    ++calls;
    for (int p = 0; p < at.count; ++p) {
      for (int e = 0; e < 4; ++e) {
        out[e * at.count + p] = e % 3 == 0 ? 1 + 0.1 * at.q[p] * at.q[p] : 0;
      }
    }
  };
  of.g = [&calls](const Points& at, double* out) {
    ++calls;
    for (int p = 0; p < at.count; ++p) out[p] = at.q[at.stride + p] - std::cosh(at.q[p]);
  };
  of.G = [&calls](const Points& at, double* out) {
    ++calls;
    for (int p = 0; p < at.count; ++p) {
      out[p] = -std::sinh(at.q[p]);
      out[at.count + p] = 1;
    }
  };
  of.differences = true;
  of.dear_calls = dear;
  return problem_from_functions(std::move(of));
}

/// A pendulum of 10 m in lengths of which a metre has `unit`.
DaeProblemPtr pendulum_in(double unit, bool dear) {
  const double length = 10 * unit;
  ProblemFunctions of{.kind = Kind::multibody, .sizes = {.nq = 2, .ny = 1}};
  of.f = [=](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = 0;
      out[at.count + p] = -9.81 * unit;
    }
  };
  of.M = [=](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      for (int e = 0; e < 4; ++e) out[e * at.count + p] = e % 3 == 0 ? 1 : 0;
    }
  };
  of.g = [=](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const double x = at.q[p], y = at.q[at.stride + p];
      out[p] = x * x + y * y - length * length;
    }
  };
  of.G = [=](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = 2 * at.q[p];
      out[at.count + p] = 2 * at.q[at.stride + p];
    }
  };
  of.differences = true;
  of.dear_calls = dear;
  return problem_from_functions(std::move(of));
}

}  // namespace

TEST_CASE("a pendulum in millimetres moves as in metres, and in as many steps", "[ivp][windows]") {
  for (const Method& method :
       {Method(GaussWindows{}), Method(SBoth2{}), Method(ProjectEachStep{})}) {
    long of_metres = 0;
    for (const double unit : {1.0, 1e3, 1e4, 1e6}) {
      for (const bool dear : {false, true}) {
        Options options;
        options.method = method;
        const VecX start{{10 * unit, 0, 0, 0}};
        const Solution run = solve(*pendulum_in(unit, dear), start, {0, 10}, options);
        CAPTURE(name_of(method), unit, dear);
        INFO(run.report.full());
        REQUIRE(run.report.usable());
        CHECK(run.end()[0] / unit == Approx(-7.44695346).margin(2e-4));
        const long steps = run.report.integration.steps + run.report.integration.rejected;
        if (of_metres == 0) of_metres = steps;
        CHECK(steps <= 2 * of_metres);
      }
    }
  }
}

TEST_CASE(
    "windows of dear calls come to the same end, multipliers and drift with a part of the calls",
    "[ivp][windows]") {
  const VecX start = (VecX(4) << 1, std::cosh(1.0), 0.5, 0.5 * std::sinh(1.0)).finished();
  for (const double rtol : {1e-6, 1e-9, 1e-11}) {
    Options options;
    options.method = GaussWindows{};
    options.rtol = rtol;
    options.atol = rtol;
    int cheap_calls = 0, dear_calls = 0;
    const DaeProblemPtr cheap = bead(cheap_calls, false), dear = bead(dear_calls, true);
    const Solution expected = solve(*cheap, start, {0, 2}, options);
    const Solution found = solve(*dear, start, {0, 2}, options);
    CAPTURE(rtol, cheap_calls, dear_calls);
    REQUIRE(expected.report.usable());
    REQUIRE(found.report.usable());
    CHECK((found.end() - expected.end()).cwiseAbs().maxCoeff() < 30 * rtol);
    REQUIRE(found.ny == 1);
    REQUIRE(found.multipliers.size() == static_cast<std::size_t>(found.count()));
    const double last = found.multiplier(found.count() - 1)[0];
    CHECK(last == Approx(expected.multiplier(expected.count() - 1)[0]).epsilon(1e3 * rtol));
    CHECK(found.report.integration.drift_position < 1e-12);
    CHECK(2 * dear_calls < cheap_calls);
  }
}

}  // namespace daewave::ivp
