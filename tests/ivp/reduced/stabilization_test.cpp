// What keeps a DAE on its constraints after index reduction: drift and order of every method, on
// every class of problem.

#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/stabilized_runs.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using problems::Al2Example61;
using Arm = problems::TwoLinkArm<problems::ArmPath::parabola>;

/// x'' = f - B y on the unit circle, B not along G^T: x = (cos s, sin s), s = t + t^2/2, y = 2 + t.
struct Circle {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;

  Position B(const Position& x, double) const { return {x[0] - 0.3 * x[1], x[1] + 0.3 * x[0]}; }
  Position f(const Position& x, const Position&, double t) const {
    // Friction and the centre's pull, written along the exact path; off it they go on smoothly.
    const double rate = 1 + t;
    const Position along{-x[1], x[0]};
    return along - rate * rate * x + (2 + t) * B(x, t);
  }
  Multiplier g(const Position& x, double) const { return Multiplier{(x.squaredNorm() - 1) / 2}; }
  Mat<1, 2> G(const Position& x, double) const { return x.transpose(); }
  Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier{v.squaredNorm()};
  }

  Vec<4> z_exact(double t) const {
    const double s = t + t * t / 2, rate = 1 + t;
    return {std::cos(s), std::sin(s), -rate * std::sin(s), rate * std::cos(s)};
  }
  Vec<4> start() const { return z_exact(0); }
  Multiplier y_exact(double t) const { return Multiplier{2 + t}; }
};

std::shared_ptr<ReducedOde> stabilized(const DaeProblemPtr& problem, ReductionKind method,
                                       const Stabilization& stabilization = {}) {
  return reduced(problem, {.kind = method, .stabilization = stabilization});
}

/// Drifts of the arm with h = 1/40 and h = 1/80, and their orders.
struct ArmDrifts {
  Drift coarse, fine;
  double position() const { return order_of(coarse.position, fine.position); }
  double velocity() const { return order_of(coarse.velocity, fine.velocity); }
};

ArmDrifts arm_drifts(ReductionKind method, const Stabilization& stabilization, Stepper stepper) {
  const Arm arm;
  const auto system = stabilized(problem_of(arm), method, stabilization);
  return {run(*system, arm.start(), stepper, 1, 40).drift,
          run(*system, arm.start(), stepper, 1, 80).drift};
}

}  // namespace

TEST_CASE("A stabilized drift is O(h^{p+1}), and O(h^{2p}) after two corrections",
          "[stabilization][ACPR-5]") {
  const struct {
    Stepper stepper;
    int p;
  } formulas[]{{Stepper::heun, 2}, {Stepper::rk4, 4}};
  for (const auto& [stepper, p] : formulas) {
    for (Metric metric : {Metric::mass, Metric::orthogonal}) {
      for (ReductionKind method : reductions()) {
        const ArmDrifts drifts = arm_drifts(method, usual(metric), stepper);
        const Correction corrects = correction_of(method);
        INFO(name_of(method) << ", order " << p << ": position " << drifts.coarse.position << " "
                             << drifts.position() << ", velocity " << drifts.coarse.velocity << " "
                             << drifts.velocity());
        const int expected = corrects.times == 0 ? p : corrects.times == 1 ? p + 1 : 2 * p;
        const bool both = corrects.position == corrects.velocity;
        if (both || corrects.position) {
          CHECK(at_least(drifts.position(), drifts.coarse.position, expected));
        }
        if (both || corrects.velocity) {
          CHECK(at_least(drifts.velocity(), drifts.coarse.velocity, expected));
        }
      }
    }
  }
}

TEST_CASE("S-both leaves h^{p+1} in the velocity, and a second correction takes it away",
          "[stabilization][ACPR-5]") {
  const ArmDrifts once = arm_drifts(ReductionKind::s_both, usual(), Stepper::heun);
  CHECK(once.velocity() == Approx(3).margin(0.3));
  const ArmDrifts twice = arm_drifts(ReductionKind::s_both2, usual(), Stepper::heun);
  CHECK(twice.fine.velocity < 1e-3 * once.fine.velocity);
  CHECK(twice.fine.position < 1e-3 * once.fine.position + 1e-14);
}

TEST_CASE("Every method keeps the order of the formula, in all classes", "[stabilization]") {
  const auto check_orders = [](const DaeProblemPtr& problem, const VecX& exact,
                               ReductionKind method, const Stabilization& stabilization) {
    const auto system = stabilized(problem, method, stabilization);
    const auto order = [&](Stepper stepper) {
      const double coarse = (run(*system, *problem->start(), stepper, 1, 40).end - exact).norm();
      const double fine = (run(*system, *problem->start(), stepper, 1, 80).end - exact).norm();
      return order_of(coarse, fine);
    };
    INFO(name_of(method) << ", " << name_of(problem->kind()));
    CHECK(order(Stepper::heun) > 1.7);
    CHECK(order(Stepper::rk4) > 3.6);
  };
  const DaeProblemPtr rods = problem_of(problems::Al2Example64{}), circle = problem_of(Circle{}),
                      plain = problem_of(Al2Example61{});
  const VecX of_rods = problems::Al2Example64{}.z_exact(1), of_circle = Circle{}.z_exact(1),
             of_plain = Al2Example61{}.z_exact(1);
  for (Metric metric : {Metric::mass, Metric::orthogonal}) {
    for (ReductionKind method : reductions()) {
      Stabilization stabilization = usual(metric);
      check_orders(rods, of_rods, method, stabilization);
      check_orders(circle, of_circle, method, stabilization);
      if (method == ReductionKind::s_vel) continue;
      stabilization.alpha1 = 0;
      check_orders(plain, of_plain, method, stabilization);
    }
  }
}

TEST_CASE("Multipliers are exact at exact states", "[stabilization]") {
  const auto error = [](const DaeProblemPtr& problem, const VecX& z, const VecX& exact) {
    VecX y;
    REQUIRE(stabilized(problem, ReductionKind::s_both2)->multiplier(0.7, z, y));
    return (y - exact).norm();
  };
  const problems::Al2Example64 rods;
  const Circle circle;
  const Al2Example61 plain;
  CHECK(error(problem_of(rods), rods.z_exact(0.7), Vec<1>{std::cos(0.7)}) < 1e-13);
  CHECK(error(problem_of(circle), circle.z_exact(0.7), circle.y_exact(0.7)) < 1e-13);
  CHECK(error(problem_of(plain), plain.z_exact(0.7), plain.y_exact(0.7)) < 1e-13);
}

TEST_CASE("A factor other than 1 leaves |1 - factor| of the drift each step", "[stabilization]") {
  // Velocity alone: linear in v, so one correction with factor 1 removes it to rounding.
  Stabilization stabilization = usual();
  const double whole = arm_drifts(ReductionKind::s_vel, stabilization, Stepper::heun).fine.velocity;
  CHECK(whole < 1e-12);
  const Arm arm;
  for (double factor : {0.5, 1.5, 1.9}) {
    stabilization.factor = factor;
    const auto system = stabilized(problem_of(arm), ReductionKind::s_vel, stabilization);
    VecX z = arm.start(), slope = z;
    z[2] = 0.4;
    z[3] = -0.1;
    const double before = system->drift(0, z).velocity;
    REQUIRE(system->rhs(0, z, slope));
    REQUIRE(system->after_step(0, z, slope));
    CHECK(system->drift(0, z).velocity == Approx(std::abs(1 - factor) * before));
    CHECK(slope.head<2>() == z.tail<2>());
  }
}

TEST_CASE("All methods leave a consistent state as it is", "[stabilization]") {
  const Arm arm;
  for (ReductionKind method : reductions()) {
    const auto system = stabilized(problem_of(arm), method, usual());
    VecX z = arm.start(), slope = z;
    REQUIRE(system->rhs(0, z, slope));
    REQUIRE(system->after_step(0, z, slope));
    INFO(name_of(method));
    CHECK((z - arm.start()).norm() < 1e-14);
  }
}

TEST_CASE("The directions of the stabilized ODE bring back position and velocity",
          "[stabilization][ACPR-4.3]") {
  // h' = -gamma h on the flow of D = H^T and of the curved direction; without the curvature term
  // the velocity is coupled to the position.
  const Arm arm;
  VecX z = arm.start(), slope = z;
  z += Vec<4>{1e-4, -2e-4, 0.3, 0.2};
  const double gamma = 3, d = 1e-6;
  for (auto direction : {StabilizedOde::Direction::full, StabilizedOde::Direction::both,
                         StabilizedOde::Direction::both_curved}) {
    for (Metric metric : {Metric::mass, Metric::orthogonal}) {
      Stabilization stabilization = usual(metric);
      stabilization.gamma = gamma;
      stabilization.direction = direction;
      const auto system = stabilized(problem_of(arm), ReductionKind::stabilized_ode, stabilization);
      REQUIRE(system->rhs(0, z, slope));
      const auto h = [&](const Vec<4>& at) {
        const Vec<2> q = at.head<2>(), v = at.tail<2>();
        return Vec<2>{arm.g(q, 0.0)[0], (arm.G(q, 0) * v)[0]};
      };
      const Vec<2> rate = (h(z + d * slope) - h(z - d * slope)) / (2 * d);
      // Without stabilization g' = G v and (G v)' = 0.
      const Vec<2> expected{h(z)[1] - gamma * h(z)[0], -gamma * h(z)[1]};
      CHECK(rate[0] == Approx(expected[0]).margin(1e-8));
      if (direction != StabilizedOde::Direction::both) {
        CHECK(rate[1] == Approx(expected[1]).margin(1e-8));
      } else {
        CHECK(std::abs(rate[1] - expected[1]) > 1e-6);
      }
    }
  }
}

TEST_CASE("What reduction cannot do is refused", "[stabilization][bad-input]") {
  const DaeProblemPtr arm = problem_of(Arm{});
  const auto refused = [&](ReductionKind method, const Stabilization& with) {
    CHECK_THROWS_AS(stabilized(arm, method, with), InvalidOption);
  };
  STATIC_REQUIRE_FALSE(std::is_constructible_v<IndexReduction, Srm>);
  for (double factor : {0.0, 2.0, -1.0, std::nan("")}) {
    Stabilization stabilization;
    stabilization.factor = factor;
    refused(ReductionKind::s_both, stabilization);
  }
  refused(ReductionKind::stabilized_ode, {});  // gamma is missing.
  Stabilization stabilization;
  stabilization.alpha1 = -1;
  refused(ReductionKind::baumgarte, stabilization);
  stabilization = {};
  stabilization.second_step = SecondStep::half_fresh;
  refused(ReductionKind::s_both2, stabilization);
  stabilization.metric = Metric::orthogonal;
  CHECK_NOTHROW(stabilized(arm, ReductionKind::s_both2, stabilization));
  CHECK_THROWS_WITH(stabilized(problem_of(Al2Example61{}), ReductionKind::s_vel),
                    contains_text("s-vel") && contains_text("s-pos"));
  CHECK_THROWS_WITH(reduced(arm, {.kind = ReductionKind::s_both, .rank_tolerance = -1}),
                    contains_text("rank_tolerance = -1"));
}

TEST_CASE("A failure names its time and cause", "[stabilization]") {
  const Arm arm;
  const auto system = stabilized(problem_of(arm), ReductionKind::s_both2);
  VecX z = arm.start(), slope = z;
  CHECK(system->failure().empty());
  z[0] = std::nan("");
  CHECK_FALSE(system->rhs(0.25, z, slope));
  CHECK_THAT(system->failure(), contains_text("t = 0.25") && contains_text("[M G^T; G 0]"));
  z = arm.start();
  z[2] = 1e200;  // Its square is too large a number.
  CHECK_FALSE(system->rhs(0.5, z, slope));
  CHECK_THAT(system->failure(), contains_text("t = 0.5") && contains_text("not finite"));
}

}  // namespace daewave::ivp
