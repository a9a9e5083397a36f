// The wheelset against what is known of it at the start, and its equations against each other.

#include "tests/problems/compiled_wheelset.hpp"

#include <Eigen/LU>
#include <cmath>
#include <random>
#include <vector>

#include "core/derivatives/invariant_derivatives.hpp"
#include "tests/catch.hpp"

namespace daewave::problems {
namespace {

static_assert(InvariantDae<Wheelset>);
static_assert(HasStart<Wheelset> && HasAlgebraicStart<Wheelset> && HasInvariantLevels<Wheelset>);
static_assert(TellsFailure<Wheelset>);

/// w with r = 0, by Newton's method.
Vec<6> consistent_algebraic(const Wheelset& problem, const Vec<11>& z, Vec<6> w) {
  AlgebraicJacobian<Wheelset> J;
  for (int iteration = 0; iteration < 6; ++iteration) {
    algebraic_jacobian(problem, z, w, 0, J);
    w -= J.partialPivLu().solve(problem.r(z, w, 0.0));
  }
  return w;
}

/// All of `values` to `digits` after the leading one of each.
template <class Values>
void check_digits(const Values& values, const std::vector<double>& printed, double digits) {
  REQUIRE(static_cast<std::size_t>(values.size()) == printed.size());
  for (int i = 0; i < values.size(); ++i) {
    INFO("entry " << i + 1);
    CHECK(values[i] == Approx(printed[static_cast<std::size_t>(i)]).epsilon(std::pow(10, -digits)));
  }
}

/// States with yaw, roll and rates far larger than those of a run, both wheels on their rails.
std::vector<Vec<11>> moving_states() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(-1, 1);
  std::vector<Vec<11>> states;
  for (int i = 0; i < 20; ++i) {
    Vec<11> z = Wheelset{}.start();
    const Vec<11> size = {1e-2, 1e-3, 0.1, 0.03, 0.01, 0.3, 0.1, 0.3, 1, 0.5, 5};
    for (int j = 0; j < 11; ++j) z[j] += size[j] * part(random);
    states.push_back(z);
  }
  return states;
}

}  // namespace

TEST_CASE("the published start of the wheelset misses its rails by half a nanometre",
          "[problems][wheelset]") {
  const Wheelset published{.from = WheelsetStart::published};
  const Vec<4> h = published.h(published.start(), 0.0);
  check_digits(h.head<2>(), {-5.26975e-10, 4.96684e-10}, 5);
  CHECK(h.tail<2>().isZero(0));
  const Wheelset exact;
  check_digits(exact.start().head<5>(),
               {0.14941e-2, 4.0091046e-7, 0.11241e-5, -0.28573e-3, 2.6459345879e-4}, 8);
  // Gaps of differences of lengths of 0.1 m.
  CHECK(exact.h(exact.start(), 0.0).head<2>().cwiseAbs().maxCoeff() < 1e-16);
}

TEST_CASE("contact points and the rows of G at the published start", "[problems][wheelset]") {
  const Wheelset problem{.from = WheelsetStart::published};
  const Vec<11> z = problem.start();
  const Vec<6> w = problem.start_algebraic();
  check_digits(w.head<4>(),
               {-7.4122380357667e-6, -0.1521364296121248, 7.5634406395173e-6, 0.1490635714733819},
               13);
  const auto at = problem.motion(z, w);
  // The published Q are of the height over the gap: - G.
  check_digits(-at.contact[0].G(at.turned), {2.647077119e-2, -1, 0, 1.10761242e-6, -0.146442937},
               8);
  check_digits(-at.contact[1].G(at.turned), {-2.594122774e-2, -1, 0, 1.10824706e-6, 0.149515854},
               8);
}

TEST_CASE("multipliers, forces and accelerations at the published start", "[problems][wheelset]") {
  const Wheelset problem{.from = WheelsetStart::published};
  const Vec<11> z = problem.start();
  const Vec<6> w = consistent_algebraic(problem, z, problem.start_algebraic());
  check_digits(1e4 * w.tail<2>(), {-83.5918402, -74.1455284}, 8.5);
  const auto at = problem.motion(z, w);
  CHECK(at.creeping[0].normal == Approx(83.6211).epsilon(1e-6));
  CHECK(at.creeping[1].normal == Approx(74.1705).epsilon(1e-6));
  check_digits(at.creeping[0].force, {-6.29928, -0.166688, 7.80917}, 5);
  check_digits(at.creeping[1].force, {-6.04906, 0.156968, -6.52705}, 5);
  check_digits(at.slope.tail<6>(),
               {-1.97525716, -1.06658000e-3, 7.88394044e-2, -5.53337307, -0.349802661, -2.13255203},
               8);
  CHECK(at.slope.head<5>() == z.segment<5>(5));
}

TEST_CASE("the published multipliers give the published derivatives", "[problems][wheelset]") {
  const Wheelset problem{.from = WheelsetStart::published};
  const Vec<11> slope = problem.f(problem.start(), problem.start_algebraic(), 0.0);
  check_digits(slope.tail<6>(),
               {-1.97525889, -1.08982971e-3, 7.88550838e-2, -5.53336282, -0.348702149, -2.13296872},
               7.5);
}

TEST_CASE("h of the wheelset differentiates as its G and curvature say", "[problems][wheelset]") {
  // gap' = G v, and (G v)' = G v' + curvature along any motion, on the rails or off them.
  const Wheelset problem;
  for (const Vec<11>& z : moving_states()) {
    const Vec<6> w = problem.touching(z);
    const auto at = problem.motion(z, w);
    InvariantJacobian<Wheelset> H;
    invariant_jacobian(problem, z, 0, H);
    Vec<11> along;
    along << z.segment<5>(5), 0.3, -0.2, 0.5, -1.1, 0.7, 2;
    for (int i = 0; i < 2; ++i) {
      const Vec<5> G = at.contact[i].G(at.turned), v = z.segment<5>(5);
      CHECK((H.row(i).head<5>().transpose() - G).norm() < 1e-14);
      CHECK(H.row(i).tail<6>().isZero(0));
      const double second = G.dot(along.segment<5>(5)) + at.contact[i].curvature(at.turned, v);
      CHECK(H.row(2 + i).dot(along) == Approx(second).epsilon(1e-12).margin(1e-12));
    }
  }
}

TEST_CASE("contact points in closed form have equal tangents", "[problems][wheelset]") {
  const Wheelset problem;
  for (const Vec<11>& z : moving_states()) {
    Vec<6> w = problem.touching(z);
    const Vec<5> p = z.head<5>();
    const auto at = problem.motion(z, w);
    for (const auto& contact : at.contact) {
      // X of 0.15 m is rounded, and its distance from the centre divided by rho = 0.06 m.
      CHECK(contact.tangency(at.turned).norm() < 1e-14);
      const auto again =
          WheelContact<double>::touching(problem.profile, contact.side, p, at.turned);
      CHECK(again.gap == Approx(contact.gap).margin(1e-16));
    }
  }
}

TEST_CASE("dr/dw of the wheelset by differentiation is that by differences",
          "[problems][wheelset]") {
  const Wheelset problem;
  const Vec<11> z = problem.start();
  const Vec<6> w = consistent_algebraic(problem, z, problem.start_algebraic());
  AlgebraicJacobian<Wheelset> exact, differences;
  algebraic_jacobian(problem, z, w, 0, exact);
  daewave::detail::forward_differences([&](const Vec<6>& at) { return problem.r(z, at, 0.0); }, w,
                                       differences);
  for (int j = 0; j < 6; ++j) {
    // Forward differences lose half of the digits; psi is moved by 2e-12, by which the rounding of
    // accelerations of 10 m/s^2 is divided.
    const double error = (exact.col(j) - differences.col(j)).norm();
    CHECK(error < 1e-5 * exact.col(j).norm() + (j == 0 || j == 2 ? 3e-3 : 0));
  }
  CHECK(std::abs(exact.partialPivLu().determinant()) > 0);
}

TEST_CASE("friction never exceeds mu times the normal force", "[problems][wheelset]") {
  const Wheelset problem;
  for (const Vec<11>& z : moving_states()) {
    Vec<6> w = problem.touching(z);
    w.tail<2>() << -0.01, -0.005;
    const auto at = problem.motion(z, w);
    for (const auto& creeping : at.creeping) {
      CHECK(creeping.normal > 0);
      CHECK(creeping.force.norm() <= (1 + 1e-12) * problem.creep.mu * creeping.normal);
    }
  }
}

TEST_CASE("a wheel beside its rail has no forces, and says so", "[problems][wheelset]") {
  const Wheelset problem;
  Vec<11> z = problem.start();
  Vec<6> w = problem.start_algebraic();
  CHECK(problem.failure(z, w, 0).empty());
  w[1] = -0.22;
  CHECK_THAT(problem.failure(z, w, 0), contains_text("derailment: the right wheel"));
  z[0] = 0.07;
  CHECK_FALSE(problem.f(z, w, 0.0).allFinite());
  CHECK_THAT(problem.failure(z, w, 0), contains_text("derailment: the left wheel"));
}

}  // namespace daewave::problems
