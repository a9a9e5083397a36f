// Projection after a step: the nearest point in every metric, what is projected alone, further
// invariants, all classes of problems, and what is refused.

#include <cmath>

#include "core/error.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/equations/coordinate_projection.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/integrate.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/chain.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using Arm = problems::TwoLinkArm<problems::ArmPath::parabola>;

struct Projected {
  VecX z, moved;
};

std::shared_ptr<ReducedOde> projected(DaeProblemPtr problem, const Projection& how = {},
                                      const Tolerance& tolerance = {}) {
  return reduced(std::move(problem),
                 {.kind = ReductionKind::projection, .projection = how, .tolerance = tolerance});
}

/// A state off the constraints of the arm, and where it is projected to.
Projected project(const Projection& how, const Tolerance& tolerance = {}, double part = 1) {
  const Arm arm;
  const auto system = projected(problem_of(arm), how, tolerance);
  const VecX off = arm.start() + part * Vec<4>{3e-3, -2e-3, 0.05, 0.1};
  Projected result{off, {}};
  VecX slope = Vec<4>::Zero();
  REQUIRE(system->rhs(0, off, slope));
  REQUIRE(system->after_step(0, result.z, slope));
  CHECK(slope.head<2>() == result.z.tail<2>());
  result.moved = off - result.z;
  return result;
}

/// The velocity residual and dh/dz of the arm.
Vec<2> invariants(const Vec<4>& z) {
  const Arm arm;
  const Vec<2> q = z.head<2>(), v = z.tail<2>();
  return {arm.g(q, 0.0)[0], (arm.G(q, 0) * v)[0]};
}

Mat<2, 4> derivatives(const Vec<4>& z) {
  Mat<2, 4> H;
  for (int j = 0; j < 4; ++j) {
    const double d = 1e-6;
    H.col(j) =
        (invariants(z + d * Vec<4>::Unit(j)) - invariants(z - d * Vec<4>::Unit(j))) / (2 * d);
  }
  return H;
}

/// What is left of a vector beside the rows of A, relative to it.
double beside_rows(const Mat<2, 4>& A, const Vec<4>& x) {
  const Mat<2, 2> AAt = A * A.transpose();
  const Vec<2> y = AAt.inverse() * (A * x);
  return (x - A.transpose() * y).norm() / x.norm();
}

}  // namespace

TEST_CASE("the state projected is the nearest one in the metric asked for",
          "[projection][Eich-2.8]") {
  // Euler's equations: what was moved is W^-1 H^T eta. H is that of where the step ended, as long
  // as it does; the difference is of second order: in proportion to the distance, relative to it.
  double beside[2], beside_by_mass[2];
  for (const int i : {0, 1}) {
    const double part = i == 0 ? 1e-2 : 1e-3;
    const Projected plain = project({}, {}, part);
    CHECK(invariants(plain.z).cwiseAbs().maxCoeff() < 1e-14);
    beside[i] = beside_rows(derivatives(plain.z), plain.moved);

    const Projected by_mass = project({.metric = ProjectionMetric::mass}, {}, part);
    CHECK(invariants(by_mass.z).cwiseAbs().maxCoeff() < 1e-14);
    const Mat<2, 2> M = Arm().M(by_mass.z.head<2>());
    Vec<4> force;
    force << M * by_mass.moved.head<2>(), M * by_mass.moved.tail<2>();
    beside_by_mass[i] = beside_rows(derivatives(by_mass.z), force);
    CHECK((by_mass.z - plain.z).norm() > 0.01 * plain.moved.norm());
  }
  CHECK(beside[0] < 1e-3);
  CHECK(beside[1] < 0.2 * beside[0]);
  CHECK(beside_by_mass[0] < 1e-3);
  CHECK(beside_by_mass[1] < 0.2 * beside_by_mass[0]);
}

TEST_CASE("weights of the error test say what moves", "[projection]") {
  Options options{.rtol = 1e-6, .atol = 1e-9};
  options.atol_each = {1e-3, 1e-9, 1e-9, 1e-9};
  const Projected weighted = project({.onto = Onto::position, .metric = ProjectionMetric::weighted},
                                     Tolerance(options, 4));
  CHECK(std::abs(invariants(weighted.z)[0]) < 4e-15);
  // The first entry counts for a thousandth of the other: its part is a million times as large.
  CHECK(std::abs(weighted.moved[1]) < 1e-4 * std::abs(weighted.moved[0]));
}

TEST_CASE("position or velocity alone are projected where asked", "[projection]") {
  const Projected position = project({.onto = Onto::position});
  CHECK(std::abs(invariants(position.z)[0]) < 4e-15);
  CHECK(std::abs(invariants(position.z)[1]) > 1e-3);
  CHECK(position.moved.tail<2>().isZero(0));
  const Projected velocity = project({.onto = Onto::velocity});
  CHECK(std::abs(invariants(velocity.z)[0]) > 1e-4);
  CHECK(std::abs(invariants(velocity.z)[1]) < 4e-15);
  CHECK(velocity.moved.head<2>().isZero(0));
  const Projected none = project({.onto = Onto::nothing});
  CHECK(none.moved.isZero(0));
}

TEST_CASE("the energy is kept to rounding where it is one of the invariants",
          "[projection][Eich-2.2]") {
  const problems::Pendulum pendulum{.t_end = 5};
  const auto change = [&](bool energy) {
    const auto system = projected(problem_of(pendulum), {.energy = energy});
    ExplicitRkStep step(*system, tableau(Stepper::rk4), Tolerance(), false);
    Monitors monitors;
    monitors.energy = [&](double, const Vec<4>& z) {
      return pendulum.energy(z.head<2>(), z.tail<2>());
    };
    const Options options{.h = 0.02, .every = 0};
    const Solution solution =
        integrate(step, pendulum.start(), pendulum.interval(), options, monitors);
    REQUIRE(solution.report.usable());
    CHECK(solution.report.integration.drift_position < 1e-15);
    return solution.report.integration.energy_change;
  };
  CHECK(change(false) > 1e-7);
  CHECK(change(true) < 1e-13);
}

TEST_CASE("projection of index 2 leaves no drift", "[projection]") {
  const problems::Al2Example61 plain;
  const auto system = projected(problem_of(plain));
  ExplicitRkStep step(*system, tableau(Stepper::heun), Tolerance(), false);
  const Options options{.h = 0.02, .every = 0};
  const Solution solution = integrate(step, plain.start(), {0, 1}, options);
  REQUIRE(solution.report.usable());
  CHECK(solution.report.integration.drift_position < 1e-15);
}

TEST_CASE("projections that do not go with a problem or a method are refused", "[projection]") {
  const problems::Al2Example61 plain;
  VecX slope = Vec<2>::Zero();
  const auto first = [&](const Projection& how) {
    projected(problem_of(plain), how)->rhs(0, plain.start(), slope);
  };
  CHECK_THROWS_WITH(first({.metric = ProjectionMetric::mass}), contains_text("leave metric open"));
  CHECK_THROWS_WITH(first({.energy = true}), contains_text("no energy"));
  CHECK_THROWS_WITH(first({.onto = Onto::velocity}), contains_text("no invariants of velocities"));
  CHECK_NOTHROW(
      choose_method({}, {.method = ProjectEachStep{.onto = Onto::position, .energy = true}}));
}

TEST_CASE("in turn, positions and velocities come to where a joint projection leaves them",
          "[projection]") {
  for (const ProjectionMetric metric : {ProjectionMetric::orthogonal, ProjectionMetric::mass}) {
    // The two differ by the square of what they move: a tenth of it, a hundredth of that.
    double before = 0;
    for (const double part : {0.1, 0.01}) {
      const Projected in_turn = project({.onto = Onto::in_turn, .metric = metric}, {}, part);
      const Projected joint = project({.metric = metric}, {}, part);
      CAPTURE(part);
      CHECK(invariants(in_turn.z).cwiseAbs().maxCoeff() < 1e-15);
      const double positions = (in_turn.z - joint.z).head<2>().cwiseAbs().maxCoeff();
      CHECK(positions > 0);
      if (before > 0) CHECK(before / positions == Approx(100).epsilon(0.2));
      before = positions;
    }
  }
}

TEST_CASE("a long chain is projected in turn by its own factorization", "[projection]") {
  const problems::Chain chain{40};
  const auto run = [&](const Projection& how) {
    const auto system = projected(problem_of(chain), how);
    VecX z = chain.start(), slope = z;
    for (int i = 0; i < z.size(); ++i) z[i] += 1e-5 * std::sin(3.0 * i);
    REQUIRE(system->rhs(0, z, slope));
    REQUIRE(system->after_step(0, z, slope));
    const Drift drift = system->drift(0, z);
    CHECK(drift.position < 1e-13);
    CHECK(drift.velocity < 1e-13);
    CHECK(slope.head(120) == z.tail(120));
    return z;
  };
  const VecX in_turn = run({.onto = Onto::in_turn}), joint = run({});
  CHECK((in_turn - joint).cwiseAbs().maxCoeff() < 1e-8);
}

TEST_CASE("what two projections in turn cannot do is refused", "[projection]") {
  CHECK_THROWS_WITH(project({.onto = Onto::in_turn, .energy = true}),
                    contains_text("leave onto open"));
  CHECK_THROWS_WITH(project({.onto = Onto::in_turn, .metric = ProjectionMetric::weighted}),
                    contains_text("weighted"));
  const problems::Pendulum pendulum;
  const auto system = system_of(pendulum, pendulum.start(), 0);
  CHECK_THROWS_WITH(CoordinateProjection(*system, {.onto = Onto::in_turn}),
                    contains_text("in-turn"));
}

TEST_CASE("a state that cannot be projected stays and is told", "[projection]") {
  const problems::Pendulum pendulum;
  const auto system = projected(problem_of(pendulum));
  VecX z = pendulum.start(), slope = z;
  REQUIRE(system->rhs(0, z, slope));
  z << 1, NAN, 1, 1;
  CHECK_FALSE(system->after_step(0, z, slope));
  CHECK_THAT(system->failure(), contains_text("not finite"));
  CHECK(z[0] == 1);
  const auto in_turn = projected(problem_of(pendulum), {.onto = Onto::in_turn});
  z = pendulum.start();
  REQUIRE(in_turn->rhs(0, z, slope));
  z << 1, NAN, 1, 1;
  CHECK_FALSE(in_turn->after_step(0, z, slope));
  CHECK_THAT(in_turn->failure(), contains_text("positions at t = 0"));
  CHECK(z[0] == 1);
}

}  // namespace daewave::ivp
