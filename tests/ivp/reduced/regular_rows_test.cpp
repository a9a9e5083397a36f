// Constraints whose rows grow with the state, and never come near zero: stages and looks ahead that
// stiff forces throw far off have large rows, beside which those of the motion are none.

#include <algorithm>
#include <cmath>

#include "core/adapt/problem_of.hpp"
#include "core/not_finite.hpp"
#include "ivp/reduced/pivot_watch.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// A bead on a parabola that moves along, x - y^2 = x* - y*^2, led to (x*, y*) by a stiff damper.
struct LedBead {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double damping = 1, spring = 1, at = 0.3, width = 0.1;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  double u(double t) const { return (t - at) / width; }
  Position q(double t) const { return {0.3 * std::sin(t), 1.5 * std::exp(-u(t) * u(t))}; }
  Position v(double t) const { return {0.3 * std::cos(t), -2 * u(t) / width * q(t)[1]}; }
  Position a(double t) const {
    return {-0.3 * std::sin(t), (4 * u(t) * u(t) - 2) / (width * width) * q(t)[1]};
  }
  Position f(const Position& at_q, const Position& at_v, double t) const {
    return a(t) - damping * (at_v - v(t)) - spring * (at_q - q(t));
  }
  Multiplier g(const Position& at_q, double t) const {
    const Position led = q(t);
    return Multiplier(at_q[0] - at_q[1] * at_q[1] - led[0] + led[1] * led[1]);
  }
  Mat<1, 2> G(const Position& at_q, double) const { return {1, -2 * at_q[1]}; }
  Multiplier g_t(const Position&, double t) const {
    return Multiplier(-v(t)[0] + 2 * q(t)[1] * v(t)[1]);
  }
  Multiplier curvature(const Position&, const Position& at_v, double t) const {
    const Position led = q(t), speed = v(t);
    return Multiplier(-2 * at_v[1] * at_v[1] - a(t)[0] +
                      2 * (speed[1] * speed[1] + led[1] * a(t)[1]));
  }
  VecX state(double t) const {
    VecX z(4);
    z << q(t), v(t);
    return z;
  }
};

}  // namespace

TEST_CASE("rows that stages far off have make those of the motion no dependent ones",
          "[passing][stiff]") {
  LedBead bead;
  int refused = 0, wrong = 0;
  for (const double damping : {3e2, 1e3, 3e3, 6e3}) {
    for (const double width : {0.1, 0.15, 0.25}) {
      for (const double rtol : {1e-4, 5.4e-6, 3e-7, 7e-9}) {
        bead.damping = damping;
        bead.width = width;
        const Solution solution =
            solve(bead, bead.state(0), {0, 2}, Options{.rtol = rtol, .atol = rtol});
        CAPTURE(damping, width, rtol, solution.report.brief());
        refused += solution.report.usable() ? 0 : 1;
        CHECK(solution.report.usable());
        CHECK(solution.report.warnings.empty());
        if (!solution.report.usable()) continue;
        const double error = largest_size(solution.end() - bead.state(2));
        wrong += error < 30 * rtol ? 0 : 1;
      }
    }
  }
  CHECK(refused == 0);
  CHECK(wrong == 0);
}

}  // namespace daewave::ivp
