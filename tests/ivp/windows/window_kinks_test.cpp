// Windows of motions whose forces are not smooth.

#include <algorithm>
#include <cmath>

#include "core/adapt/problem_of.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// On y = cosh x under gravity, with a drag of 0.3 v|v| in each direction, whose derivative has a
/// kink where v changes its sign.
struct DraggedBead {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position& v, double) const {
    return {-0.3 * v[0] * std::abs(v[0]), -9.81 - 0.3 * v[1] * std::abs(v[1])};
  }
  Multiplier g(const Position& q, double) const { return Multiplier(q[1] - std::cosh(q[0])); }
  Mat<1, 2> G(const Position& q, double) const { return {-std::sinh(q[0]), 1}; }
  Multiplier g_t(const Position&, double) const { return Multiplier(0.0); }
  Multiplier curvature(const Position& q, const Position& v, double) const {
    return Multiplier(-std::cosh(q[0]) * v[0] * v[0]);
  }
};

}  // namespace

TEST_CASE("windows over kinks of the forces keep their tolerance", "[windows]") {
  VecX start(4);
  start << 1, std::cosh(1.0), 0, 0;
  const DaeProblemPtr problem = problem_of(DraggedBead{}, start);
  Options options{.method = SBoth2{.formula = {Stepper::dop853, {}}}, .rtol = 1e-13, .every = 0};
  const VecX reference = solve(*problem, start, {0, 4}, options).end();
  options.method = GaussWindows{};
  for (const double rtol : {1e-6, 1e-8, 1e-9, 1e-11}) {
    options.rtol = rtol;
    const Solution solution = solve(*problem, start, {0, 4}, options);
    CAPTURE(rtol, solution.report.full());
    CHECK(solution.report.usable());
    CHECK((solution.end() - reference).cwiseAbs().maxCoeff() <= 100 * rtol);
  }
}

}  // namespace daewave::ivp
