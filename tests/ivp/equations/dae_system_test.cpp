// Every class of problem as a DAE of index 1 with invariants: both forms have the same motion, and
// H is the derivative of h.

#include <cmath>

#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/rolling_on_circle.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using Form = MultiplierForm;

/// x'' = f - B y on the unit circle, B not along G^T: x = (cos s, sin s), s = t + t^2/2, y = 2 + t.
struct Circle {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  static constexpr double s(double t) { return t + t * t / 2; }

  Vec<2> f(const Vec<2>& x, const Vec<2>&, double t) const {
    const double rate = 1 + t;
    const Vec<2> turned{-std::sin(s(t)), std::cos(s(t))};
    return turned - rate * rate * Vec<2>{std::cos(s(t)), std::sin(s(t))} + B(x, t) * (2 + t);
  }
  Vec<2> B(const Vec<2>& x, double) const { return {x[0] + 0.3, x[1]}; }
  Multiplier g(const Vec<2>& x, double) const { return Multiplier{(x.squaredNorm() - 1) / 2}; }
  Mat<1, 2> G(const Vec<2>& x, double) const { return x.transpose(); }
  Multiplier g_t(const Vec<2>&, double) const { return Multiplier{0}; }
  Multiplier curvature(const Vec<2>&, const Vec<2>& v, double) const {
    return Multiplier{v.squaredNorm()};
  }
  Vec<4> z_exact(double t) const {
    const double rate = 1 + t;
    return {std::cos(s(t)), std::sin(s(t)), -rate * std::sin(s(t)), rate * std::cos(s(t))};
  }
};

struct Point {
  VecX slope, w, residual, multiplier;
};

Point at(DaeSystem& system, double t, const VecX& z) {
  Point point{VecX::Zero(system.nz()), VecX::Zero(system.nw()), VecX::Zero(system.nw()), VecX()};
  system.guess_algebraic(point.w);
  REQUIRE(system.algebraic(t, z, point.w));
  REQUIRE(system.evaluate(t, z, point.w, point.slope, point.residual));
  REQUIRE(system.multiplier(t, z, point.w, point.multiplier));
  return point;
}

/// z need not satisfy the constraints.
void check_forms(DaeSystem& eliminated, DaeSystem& index_1, double t, const VecX& z) {
  const Point one = at(eliminated, t, z), other = at(index_1, t, z);
  CHECK(eliminated.nw() == 0);
  CHECK(index_1.nw() == other.multiplier.size());
  const double size = 1 + one.slope.norm();
  CHECK((one.slope - other.slope).norm() <= 1e-13 * size);
  CHECK((one.multiplier - other.multiplier).norm() <= 1e-12 * (1 + one.multiplier.norm()));
  CHECK(other.residual.norm() <= 1e-12 * size);
}

/// H against central differences: errors of 1e-10, and of curvature times 1e-5 squared.
void check_derivative(DaeSystem& system, double t, const VecX& z) {
  VecX h = VecX::Zero(system.nh()), up = h, down = h, same = h;
  MatX H = MatX::Zero(system.nh(), system.nz());
  REQUIRE(system.invariants(t, z, h, H));
  REQUIRE(system.invariants(t, z, same));
  CHECK(h == same);
  for (int j = 0; j < system.nz(); ++j) {
    VecX moved = z;
    moved[j] = z[j] + 1e-5;
    REQUIRE(system.invariants(t, moved, up));
    moved[j] = z[j] - 1e-5;
    REQUIRE(system.invariants(t, moved, down));
    CAPTURE(j);
    CHECK((H.col(j) - (up - down) / 2e-5).norm() <= 1e-8 * (1 + H.col(j).norm()));
  }
}

/// Of a motion G alone is the block of H that belongs to velocities, also where memory has another
/// size.
void check_constraint_jacobian(DaeSystem& system, double t, const VecX& z) {
  VecX h = VecX::Zero(system.nh());
  MatX H = MatX::Zero(system.nh(), system.nz()), G;
  const bool motion = system.positions() < system.nz();
  CHECK(system.constraint_jacobian(t, z, G) == motion);
  if (!motion) return;
  REQUIRE(system.invariants(t, z, h, H));
  const int row = system.position_invariants(), column = system.positions();
  CHECK(G == H.block(row, column, system.nh() - row, system.nz() - column));
}

void check(const DaeProblemPtr& problem, double t, const VecX& z) {
  const auto eliminated = system_of(problem, z, t, Form::eliminated);
  const auto index_1 = system_of(problem, z, t, Form::index_1);
  check_forms(*eliminated, *index_1, t, z);
  check_derivative(*eliminated, t, z);
  check_constraint_jacobian(*eliminated, t, z);
  CHECK(eliminated->failure().empty());
}

}  // namespace

TEST_CASE("both forms of a problem have the same motion and multipliers", "[dae-system]") {
  const problems::Pendulum pendulum;
  const VecX off = 1e-2 * VecX{{1, -2, 3, 1}};
  check(problem_of(pendulum), 0.4, VecX(pendulum.z_exact(0.4)) + off);
  const problems::TwoLinkArm<problems::ArmPath::sine> arm;
  check(problem_of(arm), 0.1, VecX(arm.start()) + off);
  const Circle circle;
  check(problem_of(circle), 0.3, VecX(circle.z_exact(0.3)) + off);
  const problems::Al2Example61 first_order;
  check(problem_of(first_order), 0.5, VecX(first_order.z_exact(0.5)) + 1e-2 * VecX{{1, -2}});
}

TEST_CASE("a problem of index 1 may have its unknowns eliminated too", "[dae-system]") {
  const RollingOnCircle<> rolling;
  const auto eliminated =
      system_of(rolling, rolling.start(), rolling.start_algebraic(), 0, Form::eliminated);
  const auto index_1 = system_of(rolling, rolling.start(), rolling.start_algebraic(), 0);
  const VecX z = VecX(rolling.start()) + VecX::Constant(rolling.start().size(), 1e-3);
  check_forms(*eliminated, *index_1, 0.1, z);
  check_derivative(*index_1, 0.1, z);
}

TEST_CASE("invariants of position come first, and depend on positions alone", "[dae-system]") {
  const problems::Pendulum pendulum;
  const auto system = system_of(pendulum, pendulum.start(), 0);
  CHECK(system->nh() == 2);
  CHECK(system->position_invariants() == 1);
  CHECK(system->positions() == 2);
  MatX H = MatX::Zero(2, 4);
  VecX h = VecX::Zero(2);
  REQUIRE(system->invariants(0.3, VecX(pendulum.z_exact(0.3)), h, H));
  CHECK(H.row(0).tail(2).isZero());
  CHECK(H.row(1).tail(2) == H.row(0).head(2));
  const problems::Al2Example61 first_order;
  const auto plain = system_of(first_order, first_order.start(), 0);
  CHECK(plain->position_invariants() == 1);
  CHECK(plain->positions() == 2);
  CHECK_FALSE(plain->keep_energy(0, VecX(first_order.start())));
}

TEST_CASE("an evaluation that fails says where and why", "[dae-system]") {
  const problems::Pendulum pendulum;
  for (Form form : {Form::eliminated, Form::index_1}) {
    const auto system = system_of(pendulum, pendulum.start(), 0, form);
    VecX slope = VecX::Zero(4), residual = VecX::Zero(system->nw()), w = VecX::Zero(system->nw());
    const VecX nowhere = VecX::Constant(4, std::nan(""));
    CHECK_FALSE(system->evaluate(0.5, nowhere, w, slope, residual));
    CHECK_THAT(system->failure(), contains_text("not finite") && contains_text("t = 0.5"));
  }
}

}  // namespace daewave::ivp
