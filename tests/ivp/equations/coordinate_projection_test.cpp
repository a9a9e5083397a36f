// The projection onto invariants: to rounding in every metric, nearest, for rows that depend on
// each other or vanish, with the energy, and what is said where there is nothing to project onto.

#include "ivp/equations/coordinate_projection.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "core/problem/by_differences.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using Arm = problems::TwoLinkArm<problems::ArmPath::parabola>;

const ProjectionMetric all_metrics[] = {ProjectionMetric::orthogonal, ProjectionMetric::weighted,
                                        ProjectionMetric::mass};

/// No motion: only invariants, h and its derivative as functions.
class Manifold : public DaeSystem {
 public:
  using Rows = std::function<void(const VecX& z, VecX& h, MatX& H)>;
  Manifold(int nz, int nh, Rows rows)
      : nz_(nz), nh_(nh), rows_(std::move(rows)), H_(MatX::Zero(nh, nz)) {}

  int nz() const override { return nz_; }
  int nw() const override { return 0; }
  int nh() const override { return nh_; }
  bool evaluate(double, const VecX&, const VecX&, VecX&, VecX&) override { return false; }
  bool algebraic(double, const VecX&, VecX&) override { return true; }
  bool invariants(double, const VecX& z, VecX& h) override {
    rows_(z, h, H_);
    return true;
  }
  bool invariants(double, const VecX& z, VecX& h, MatX& H) override {
    rows_(z, h, H);
    return true;
  }
  bool multiplier(double, const VecX&, const VecX&, VecX&) override { return false; }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return "none"; }

 private:
  int nz_, nh_;
  Rows rows_;
  MatX H_;
};

class ManifoldByDifferences final : public Manifold, public KnowsDifferences {
 public:
  using Manifold::Manifold;
  bool is_by_differences(Ask) const override { return true; }
};

VecX invariants_of(DaeSystem& system, double t, const VecX& z) {
  VecX h = VecX::Zero(system.nh());
  REQUIRE(system.invariants(t, z, h));
  return h;
}

/// A state of the pendulum at t = 0.3, and one beside it.
const double t_pendulum = 0.3;
VecX beside(const VecX& z) { return z + 1e-3 * VecX{{1, 2, 3, -4}}; }

}  // namespace

TEST_CASE("a projection ends on the manifold to rounding, and moves what it should",
          "[projection]") {
  const problems::Pendulum pendulum;
  const auto system = system_of(pendulum, pendulum.start(), 0);
  const VecX weight{{1e-6, 2e-6, 5e-6, 1e-5}};
  const VecX before = beside(pendulum.z_exact(t_pendulum));
  const VecX h0 = invariants_of(*system, t_pendulum, before);
  for (ProjectionMetric metric : all_metrics) {
    for (Onto onto : {Onto::both, Onto::position, Onto::velocity, Onto::nothing}) {
      CAPTURE(static_cast<int>(metric), static_cast<int>(onto));
      CoordinateProjection projection(*system, {.onto = onto, .metric = metric});
      VecX z = before;
      REQUIRE(projection.project(t_pendulum, z, weight));
      CHECK(projection.failure().empty());
      const VecX h = invariants_of(*system, t_pendulum, z);
      const bool position = onto == Onto::both || onto == Onto::position;
      const bool velocity = onto == Onto::both || onto == Onto::velocity;
      if (position) CHECK(std::abs(h[0]) <= 1e-15);
      if (velocity) CHECK(std::abs(h[1]) <= 1e-15 * 8);  // Of the order of |v|.
      if (!position) CHECK(z.head(2) == before.head(2));
      if (!velocity) CHECK(z.tail(2) == before.tail(2));
      if (onto == Onto::position) CHECK(std::abs(h[1]) > 1e-6);
      if (onto == Onto::nothing) CHECK(h == h0);
      CHECK(projection.projects() == (onto != Onto::nothing));
      CHECK(projection.residual() <= 1e-14);
    }
  }
}

TEST_CASE("what a projection moves is as small as can be in its metric", "[projection]") {
  const Arm arm;
  const auto system = system_of(arm, arm.start(), 0);
  const VecX weight{{1e-6, 2e-6, 5e-6, 1e-5}};
  const double t = 0.2;
  VecX on = arm.start();
  CoordinateProjection first(*system, {});
  REQUIRE(first.project(t, on, weight));
  for (ProjectionMetric metric : all_metrics) {
    CAPTURE(static_cast<int>(metric));
    VecX z = beside(on);
    const VecX from = z;
    CoordinateProjection projection(*system, {.metric = metric});
    REQUIRE(projection.project(t, z, weight));
    // W dz lies in the range of H^T: no way along the manifold is shorter.
    VecX force = z - from, h = VecX::Zero(2);
    if (metric == ProjectionMetric::weighted)
      force = force.cwiseQuotient(weight.cwiseAbs2()).eval();
    if (metric == ProjectionMetric::mass) {
      MatX M = MatX::Zero(4, 4);
      REQUIRE(system->mass(t, from, M));
      force = (M * force).eval();
    }
    MatX H = MatX::Zero(2, 4);
    REQUIRE(system->invariants(t, z, h, H));
    const VecX eta = MatX(H * H.transpose()).ldlt().solve(VecX(H * force));
    // The last H is that of a state 1e-3 away at most: force is off by that relative to it.
    CHECK((force - H.transpose() * eta).norm() <= 0.02 * force.norm());
    // An exact tangent vector is not moved at all.
    VecX along = VecX::Ones(4);
    projection.keep_tangential(along, weight);
    VecX again = along;
    projection.keep_tangential(again, weight);
    CHECK((again - along).norm() <= 1e-13 * along.norm());
    CHECK((H * along).norm() <= 0.02 * (H * VecX::Ones(4)).norm());
  }
}

TEST_CASE("rows that vanish or depend on others take no part", "[projection]") {
  // A circle three times, once scaled, and a row that is zero.
  Manifold circles(2, 4, [](const VecX& z, VecX& h, MatX& H) {
    const double g = z.squaredNorm() - 1;
    h << g, 1e-3 * g, 5 * g, 0;
    H.row(0) = 2 * z.transpose();
    H.row(1) = 1e-3 * H.row(0);
    H.row(2) = 5 * H.row(0);
    H.row(3).setZero();
  });
  CoordinateProjection projection(circles, {});
  VecX z{{0.6 + 1e-4, 0.8 - 2e-4}};
  const VecX weight = VecX::Ones(2);
  REQUIRE(projection.project(0, z, weight));
  CHECK(projection.rank() == 1);
  CHECK(std::abs(z.squaredNorm() - 1) <= 4e-16);
  CHECK(z.norm() == Approx(1).epsilon(1e-15));
  // The ray of the start: the nearest point of a circle.
  CHECK(z[0] / z[1] == Approx((0.6 + 1e-4) / (0.8 - 2e-4)).epsilon(1e-6));
}

TEST_CASE("a state already on the manifold is left alone", "[projection]") {
  const problems::Pendulum pendulum;
  const auto system = system_of(pendulum, pendulum.start(), 0);
  CoordinateProjection projection(*system, {});
  VecX z = pendulum.start();
  REQUIRE(projection.project(0, z, VecX()));
  CHECK(z == VecX(pendulum.start()));
  CHECK(projection.iterations() == 0);
}

TEST_CASE("the energy of the start is one more invariant", "[projection][Eich-2.2]") {
  const problems::Pendulum pendulum;
  const auto system = system_of(pendulum, pendulum.start(), 0);
  REQUIRE(system->keep_energy(0, VecX(pendulum.start())));
  CHECK(system->nh() == 3);
  CoordinateProjection projection(*system, {});
  VecX z = beside(pendulum.z_exact(t_pendulum));
  REQUIRE(projection.project(t_pendulum, z, VecX()));
  CHECK(projection.rank() == 3);
  CHECK(std::abs(pendulum.energy(z.head<2>(), z.tail<2>())) <= 1e-13);  // Terms of size 10.
  CHECK(invariants_of(*system, t_pendulum, z).cwiseAbs().maxCoeff() <= 1e-13);
}

TEST_CASE("an index 2 is projected onto g alone", "[projection]") {
  const problems::Al2Example61 problem;
  const auto system = system_of(problem, problem.start(), 0);
  CoordinateProjection projection(*system, {});
  VecX z = problem.z_exact(0.5) + 1e-4 * Vec<2>{1, -3};
  REQUIRE(projection.project(0.5, z, VecX()));
  CHECK(std::abs(problem.g(z, 0.5)[0]) <= 1e-16);
  CHECK_THROWS_WITH(CoordinateProjection(*system, {.onto = Onto::velocity}),
                    contains_text("onto = velocity") && contains_text("leave onto open"));
}

TEST_CASE("a projection that cannot be done says why, and moves nothing", "[projection]") {
  // x^2 + y^2 = -1 has no solution.
  Manifold nowhere(2, 1, [](const VecX& z, VecX& h, MatX& H) {
    h[0] = z.squaredNorm() + 1;
    H.row(0) = 2 * z.transpose();
  });
  CoordinateProjection never(nowhere, {});
  VecX z{{1, 2}};
  CHECK_FALSE(never.project(0.25, z, VecX()));
  CHECK(z == VecX{{1, 2}});
  CHECK_THAT(never.failure(), contains_text("t = 0.25") && contains_text("|h| ="));
  Manifold broken(2, 1, [](const VecX&, VecX& h, MatX& H) {
    h[0] = std::numeric_limits<double>::quiet_NaN();
    H.setOnes();
  });
  CoordinateProjection lost(broken, {});
  CHECK_FALSE(lost.project(0, z, VecX()));
  CHECK_THAT(lost.failure(), contains_text("not finite"));
  Manifold line(2, 1, [](const VecX& at, VecX& h, MatX& H) {
    h[0] = at[0];
    H.setZero();
    H(0, 0) = 1;
  });
  CoordinateProjection massless(line, {.metric = ProjectionMetric::mass});
  CHECK_FALSE(massless.project(0, z, VecX()));
  CHECK_THAT(massless.failure(),
             contains_text("metric = mass") && contains_text("leave metric open"));
}

TEST_CASE(
    "a projection ends where noise of differences lets h no longer fall, in any unit of length",
    "[projection]") {
  int calls = 0;
  double noise = 0, length = 1;
  // Along the second axis, so that sum_j |H_j z_j| vanishes.
  const Manifold::Rows rows = [&](const VecX& z, VecX& h, MatX& H) {
    h[0] = length * z[0] + (++calls % 2 == 0 ? noise : -noise) * length * length;
    H = MatX{{length, 1e-3 * length * noise}};
  };
  Manifold known(2, 1, rows);
  ManifoldByDifferences differences(2, 1, rows);
  for (const double unit : {1.0, 1e3, 1e6}) {
    CAPTURE(unit);
    length = unit;
    noise = 1e-11;
    VecX z{{1e-3 * unit, unit}};
    CoordinateProjection of_known(known, {}), of_differences(differences, {});
    CHECK_FALSE(of_known.project(0, z, z));
    CHECK(of_known.failure().find("differences") == std::string::npos);
    REQUIRE(of_differences.project(0, z, z));
    CHECK(std::abs(z[0]) < 1e-10 * unit);
    noise = 1e-8;
    z[0] = 1e-3 * unit;
    CHECK_FALSE(of_differences.project(0, z, z));
    CHECK_THAT(of_differences.failure(), contains_text("G is by differences: give it"));
  }
}

}  // namespace daewave::ivp
