// What systems of equations say of their constraints, beside the problem's own functions.

#include <cmath>

#include "ivp/equations/dae_system_of.hpp"
#include "ivp/equations/index_two_system_of.hpp"
#include "ivp/reduced/local_parameters.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {

namespace {

using MovingArm = problems::TwoLinkArm<problems::ArmPath::parabola>;

/// Off the constraints.
VecX moved(const VecX& z) {
  VecX away = z;
  for (int i = 0; i < z.size(); ++i) away[i] += 0.1 * std::sin(1.0 + i);
  return away;
}

}  // namespace

TEST_CASE("invariants of position are g, of velocity G v + g_t, with derivatives or without",
          "[equations]") {
  const MovingArm arm;
  const DaeProblemPtr problem = problem_of(arm);
  const double t = 0.7;
  const VecX z = moved(arm.start());
  const Vec<2> q = z.head(2), v = z.tail(2);
  const auto system = dae_system_of(*problem, arm.start(), 0);
  VecX h = VecX::Zero(system->nh()), again = h;
  MatX H = MatX::Zero(system->nh(), system->nz());
  REQUIRE(system->nh() == 2);
  REQUIRE(system->invariants(t, z, h));
  CHECK(h[0] == Approx(arm.g(q, t)[0]).epsilon(1e-13));
  CHECK(h[1] == Approx((arm.G(q, t) * v + arm.g_t(q, t))[0]).epsilon(1e-13));
  REQUIRE(system->invariants(t, z, again, H));
  CHECK(again == h);
  CHECK((H.block(0, 0, 1, 2) - arm.G(q, t)).norm() < 1e-13);
  CHECK((H.block(1, 2, 1, 2) - arm.G(q, t)).norm() < 1e-13);
}

TEST_CASE("the invariant of a problem of index 2 is g, with its derivative or without",
          "[equations]") {
  const problems::Al2Example61 problem;
  const double t = 0.4;
  const VecX z = moved(problem.start());
  const auto equations = problem_of(problem);
  const auto system = dae_system_of(*equations, VecX(problem.start()), 0);
  VecX h = VecX::Zero(1), again = h;
  MatX H = MatX::Zero(1, 2);
  REQUIRE(system->invariants(t, z, h));
  CHECK(h[0] == Approx(problem.g(Vec<2>(z), t)[0]).epsilon(1e-13));
  REQUIRE(system->invariants(t, z, again, H));
  CHECK(again == h);
  CHECK((H - problem.G(Vec<2>(z), t)).norm() < 1e-13);
  CHECK(system->drift(t, z).position == Approx(std::abs(h[0])).epsilon(1e-13));
}

TEST_CASE("the constraint that formulas of index 2 keep is G v + g_t, of one that moves too",
          "[equations]") {
  const problems::TwoLinkArm<problems::ArmPath::sine> arm;
  const DaeProblemPtr problem = problem_of(arm);
  const auto system = index_two_system_of(*problem, arm.start(), 0);
  const VecX x = moved(arm.start());
  const Vec<2> q = x.head(2), v = x.tail(2);
  const double t = 0.7;
  REQUIRE(arm.g_t(q, t)[0] != 0);
  VecX f = VecX::Zero(system->nx()), c = VecX::Zero(system->nl());
  MatX B = MatX::Zero(system->nx(), system->nl());
  REQUIRE(system->evaluate(t, x, f, B, c));
  CHECK(c[0] == Approx((arm.G(q, t) * v + arm.g_t(q, t))[0]).epsilon(1e-13));
  CHECK(system->drift(t, x).velocity == Approx(std::abs(c[0])).epsilon(1e-13));
  CHECK(system->drift(t, x).position == Approx(std::abs(arm.g(q, t)[0])).epsilon(1e-13));
}

TEST_CASE("evaluations of constraints are counted from none on", "[equations]") {
  const problems::Pendulum pendulum;
  const DaeProblemPtr problem = problem_of(pendulum);
  const auto system = dae_system_of(*problem, pendulum.start(), 0);
  LocalParameters parameters(*system, {});
  CHECK(parameters.evaluations() == 0);
  CHECK(parameters.choices() == 0);
  REQUIRE(parameters.choose(0, pendulum.start()));
  CHECK(parameters.evaluations() == 1);
  CHECK(parameters.choices() == 1);
}

}  // namespace daewave::ivp
