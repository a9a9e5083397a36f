// Index reduction of what is not plain: constraints that say the same twice, coordinates without
// mass, and constraints of the velocity.

#include <cmath>

#include "core/start/problem_start.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/stabilized_runs.hpp"
#include "tests/ivp/struct_doors.hpp"

namespace daewave::ivp {
namespace {

/// A unit mass on a rod, in the plane, held by the constraint twice; the second row may be any
/// multiple of the first. q3 has no mass and is tied to q1.
struct HeldTwice {
  using Position = Vec<3>;
  using Multiplier = Vec<3>;
  double multiple = 2;

  Eigen::DiagonalMatrix<double, 3> M(const Position&) const {
    return Eigen::DiagonalMatrix<double, 3>(1, 1, 0);
  }
  Position f(const Position&, const Position&, double) const { return {0, -9.81, 0}; }
  Multiplier g(const Position& q, double) const {
    const double rod = (q.head<2>().squaredNorm() - 1) / 2;
    return {rod, multiple * rod, q[2] - q[0]};
  }
  Mat<3, 3> G(const Position& q, double) const {
    return Mat<3, 3>{{q[0], q[1], 0}, {multiple * q[0], multiple * q[1], 0}, {-1, 0, 1}};
  }
  Multiplier g_t(const Position&, double) const { return Multiplier::Zero(); }
  Multiplier curvature(const Position&, const Position& v, double) const {
    const double bend = v.head<2>().squaredNorm();
    return {bend, multiple * bend, 0};
  }
};

}  // namespace

TEST_CASE("Redundant constraints and a coordinate without mass change no motion",
          "[stabilization][guard]") {
  const double angle = 0.3;
  Vec<6> start;
  start << std::sin(angle), -std::cos(angle), std::sin(angle), 0, 0, 0;
  for (double multiple : {2.0, 0.0, 1.0}) {
    const DaeProblemPtr held = problem_of(HeldTwice{multiple});
    for (ReductionKind method : reductions()) {
      INFO(name_of(method) << ", multiple " << multiple);
      const auto system = reduced(held, {.kind = method, .stabilization = usual()});
      const auto result = run(*system, start, Stepper::rk4, 1, 200);
      // A pendulum: phi'' = -9.81 sin phi.
      double phi = angle, rate = 0;
      const double h = 1.0 / 2000;
      for (int i = 0; i < 2000; ++i) {  // Stoermer and Verlet: h^2, 1e-6.
        rate -= h / 2 * 9.81 * std::sin(phi);
        phi += h * rate;
        rate -= h / 2 * 9.81 * std::sin(phi);
      }
      CHECK(std::abs(result.end[0] - std::sin(phi)) < 2e-6);
      CHECK(std::abs(result.end[2] - result.end[0]) < 1e-6);
      const Consistency there = check_start(*held, result.end, 1);
      CHECK(there.rank == 2);
      CHECK(there.constraints == 3);
      CHECK(system->guarded() > 200);
      VecX lambda;
      REQUIRE(system->multiplier(1, result.end, lambda));
      CHECK(lambda.size() == 3);
    }
  }
}

namespace {

/// A knife edge on an inclined plane: 0 = sin(phi) x' - cos(phi) y', and a disk at a distance that
/// changes: q4 = q1^2.
struct KnifeEdge {
  using Position = Vec<4>;
  using Multiplier = Vec<1>;
  using VelocityMultiplier = Vec<1>;

  Mat<4, 4> M(const Position&) const { return Vec<4>{1, 1, 0.5, 0.2}.asDiagonal(); }
  Position f(const Position&, const Position&, double) const { return {2, 0, 0, 0}; }
  Multiplier g(const Position& q, double) const { return Multiplier{q[3] - q[0] * q[0]}; }
  Mat<1, 4> G(const Position& q, double) const { return {-2 * q[0], 0, 0, 1}; }
  Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier{-2 * v[0] * v[0]};
  }
  VelocityMultiplier w(const Position& q, const Position& v, double) const {
    return VelocityMultiplier{std::sin(q[2]) * v[0] - std::cos(q[2]) * v[1]};
  }
  Mat<1, 4> K(const Position& q, double) const { return {std::sin(q[2]), -std::cos(q[2]), 0, 0}; }
  VelocityMultiplier k(const Position&, double) const { return VelocityMultiplier{0}; }
  VelocityMultiplier w_curvature(const Position& q, const Position& v, double) const {
    return VelocityMultiplier{(std::cos(q[2]) * v[0] + std::sin(q[2]) * v[1]) * v[2]};
  }
};

}  // namespace

TEST_CASE("Velocity constraints are kept like those of position", "[stabilization][nonholonomic]") {
  const DaeProblemPtr edge = problem_of(KnifeEdge{});
  Vec<8> start = Vec<8>::Zero();
  start[6] = 1;  // It turns; at rest otherwise.
  const auto drift = [&](ReductionKind method, int steps) {
    const auto system = reduced(edge, {.kind = method, .stabilization = usual()});
    return run(*system, start, Stepper::heun, 2, steps).drift;
  };
  const Drift loose = drift(ReductionKind::underlying, 100);
  CHECK(loose.velocity > 1e-6);
  for (ReductionKind method : {ReductionKind::s_full, ReductionKind::s_both, ReductionKind::s_both2,
                               ReductionKind::s_vel}) {
    INFO(name_of(method));
    const Drift coarse = drift(method, 100), fine = drift(method, 200);
    CHECK(coarse.velocity < loose.velocity / 10);
    CHECK(at_least(order_of(coarse.velocity, fine.velocity), coarse.velocity, 3));
  }
}

}  // namespace daewave::ivp
