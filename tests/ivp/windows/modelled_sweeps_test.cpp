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

}  // namespace

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
