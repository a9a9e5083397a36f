// Forces that jump where the motion stays at the jump, as dry friction that holds a body: no step
// is short enough, and a run says so early, by every method.

#include <cmath>
#include <utility>

#include "core/adapt/problem_from_functions.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// A pendulum of unit mass and length that starts at rest, or turning: x^2 + y^2 = 1, against a dry
/// friction of its angle's rate.
DaeProblemPtr pendulum_with_friction(double friction) {
  ProblemFunctions of;
  of.kind = Kind::multibody;
  of.sizes = {.nq = 2, .ny = 1};
  of.f = [friction](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const double x = at.q[p], y = at.q[at.stride + p];
      const double rate = x * at.v[at.stride + p] - y * at.v[p];
      const double torque = rate > 0 ? -friction : rate < 0 ? friction : 0;
      out[p] = -y * torque;
      out[at.count + p] = x * torque - 9.81;
    }
  };
  of.M = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      for (int i = 0; i < 4; ++i) out[i * at.count + p] = i % 3 == 0 ? 1 : 0;
    }
  };
  of.g = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const double x = at.q[p], y = at.q[at.stride + p];
      out[p] = 0.5 * (x * x + y * y - 1);
    }
  };
  of.G = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      for (int i = 0; i < 2; ++i) out[i * at.count + p] = at.q[i * at.stride + p];
    }
  };
  of.curvature = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const double vx = at.v[p], vy = at.v[at.stride + p];
      out[p] = vx * vx + vy * vy;
    }
  };
  return problem_from_functions(std::move(of));
}

}  // namespace

TEST_CASE("dry friction that holds a body from the start, or where it stops, is told early",
          "[solve][jump]") {
  for (const double friction : {30.0, 3.0, 0.3}) {
    const DaeProblemPtr problem = pendulum_with_friction(friction);
    const VecX z = (VecX(4) << std::sin(0.3), -std::cos(0.3), 0, 0).finished();
    for (const Method& method :
         {Method{Automatic{}}, Method{GaussWindows{}}, Method{BdfProjection{}}}) {
      const Solution run =
          solve(*problem, z, {0, 20}, {.method = method, .rtol = 1e-8, .seek_way_out = false});
      CAPTURE(friction, method.index(), run.report.full());
      CHECK_FALSE(run.report.usable());
      CHECK(run.report.termination == Termination::step_too_small);
      CHECK(run.report.integration.steps + run.report.integration.rejected < 100'000);
      CHECK_THAT(run.report.advice, contains_text("where f has a discontinuity (dry friction"));
    }
  }
}

}  // namespace daewave::ivp
