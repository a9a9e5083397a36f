// The scissors lift: its motion in one angle, its elimination, and runs with stabilization and
// regularization.

#include "problems/scissors.hpp"

#include <cmath>

#include "core/kkt/kkt.hpp"
#include "core/regularize/regularize_multibody.hpp"
#include "ivp/reduced/reduced_multibody.hpp"
#include "tests/catch.hpp"

namespace daewave::problems {
namespace {

struct Motion {
  VecX acceleration, lambda;
};

Motion motion_at(const Scissors& problem, const VecX& z) {
  const int nq = 6 * problem.cells();
  MultibodyTerms<Scissors> at;
  Scissors::Kkt kkt;
  problem.terms(z.head(nq), z.tail(nq), 0, at);
  kkt.eliminate(at.G, 0);
  REQUIRE(kkt.weigh(at.M));
  Motion motion;
  kkt.solve(at.M, at.f, VecX(-at.curvature), motion.acceleration, motion.lambda);
  return motion;
}

/// The lift in phi alone: T = A(phi) phi'^2, A = n sin^2 / 4 + n / 12 + n (4 n^2 - 1) / 12 cos^2,
/// V = g n^2 sin(phi) + 2 n k_n (phi - 0.9)^2, all cells moving alike.
struct InOneAngle {
  double n, k, g0;

  explicit InOneAngle(const Scissors& problem)
      : n(problem.cells()), k(problem.stiffness * n * n), g0(problem.g0) {}
  double acceleration(double phi, double rate) const {
    const double s = std::sin(phi), c = std::cos(phi), tall = n * (4 * n * n - 1) / 12;
    const double A = n * s * s / 4 + n / 12 + tall * c * c, dA = (n / 2 - 2 * tall) * s * c;
    const double dV = g0 * n * n * c + 4 * n * k * (phi - 0.9);
    return -(dA * rate * rate + dV) / (2 * A);
  }
};

/// (q, v) of the lift with this phi and phi'.
VecX moving(const Scissors& problem, double phi, double rate) {
  VecX z = problem.at_rest(phi);
  const int nq = 6 * problem.cells();
  for (int i = 0; i < problem.cells(); ++i) {
    const double x = -std::sin(phi) / 2 * rate, y = (i + 0.5) * std::cos(phi) * rate;
    z.segment<6>(nq + 6 * i) << x, y, rate, x, y, -rate;
  }
  return z;
}

/// The linear algebra of the lift, counted.
struct CountedKkt : Scissors::Kkt {
  static inline int eliminations = 0;
  void eliminate(const Scissors::Jacobian& G, double rank_tolerance) {
    ++eliminations;
    Scissors::Kkt::eliminate(G, rank_tolerance);
  }
};

/// The lift without fused terms, whose type names the problem.
struct CountedScissors : private Scissors {
  using Scissors::curvature, Scissors::f, Scissors::G, Scissors::g, Scissors::g_t, Scissors::M,
      Scissors::Multiplier, Scissors::Position, Scissors::start;
  using Kkt = CountedKkt;

  CountedScissors() : Scissors(2) {}
};

/// The lift with its masses as blocks of bodies.
struct BlockScissors : private Scissors {
  using Scissors::curvature, Scissors::f, Scissors::G, Scissors::g, Scissors::g_t,
      Scissors::Multiplier, Scissors::Position, Scissors::start;
  using Kkt = JointKkt<3, 2, BodyMass<3>>;

  BlockScissors() : Scissors(3) {}
  BodyMass<3> M(const VecX& q) const {
    BodyMass<3> mass;
    const VecX diagonal = Scissors::M(q).diagonal();
    for (int i = 0; i < 2 * cells(); ++i) {
      mass.blocks.push_back(Mat<3, 3>(diagonal.segment<3>(3 * i).asDiagonal()));
    }
    return mass;
  }
};

}  // namespace

TEST_CASE("masses of bodies may be blocks, in reduction and regularization", "[problems]") {
  const BlockScissors blocks;
  const Scissors lift(3);
  const VecX z = lift.start();
  VecX slope = z, expected = z, lambda = VecX::Zero(17), expected_lambda = lambda;
  ivp::ReducedMultibody<BlockScissors> reduced(blocks, ivp::ReductionKind::s_both2, {});
  ivp::ReducedMultibody<Scissors> reduced_lift(lift, ivp::ReductionKind::s_both2, {});
  REQUIRE(reduced.rhs(0, z, slope));
  REQUIRE(reduced_lift.rhs(0, z, expected));
  // Rounding, of forces of 1e2, times the condition of S, 3^4.
  CHECK((slope - expected).norm() < 1e-12 * (100 + expected.norm()));

  Regularization form;
  form.variant = Variant::invariant;
  RegularizedMultibody<BlockScissors> ode(blocks, form);
  RegularizedMultibody<Scissors> ode_of_lift(lift, form);
  const VecX none = VecX::Zero(17);
  REQUIRE(ode.evaluate(z, 0, none, slope, lambda));
  REQUIRE(ode_of_lift.evaluate(z, 0, none, expected, expected_lambda));
  CHECK((slope - expected).norm() < 1e-12 * (100 + expected.norm()));
  CHECK((lambda - expected_lambda).norm() < 1e-12 * (100 + expected_lambda.norm()));
}

TEST_CASE("regularization with E = I asks for no elimination of the lift", "[problems]") {
  const CountedScissors problem;
  const VecX z = problem.start();
  Regularization form;
  form.variant = Variant::invariant;
  VecX slope, lambda;
  for (const Weight weight : {Weight::identity, Weight::transpose, Weight::inverse}) {
    CAPTURE(static_cast<int>(weight));
    form.weight = weight;
    RegularizedMultibody<CountedScissors> ode(problem, form);
    CountedKkt::eliminations = 0;
    REQUIRE(ode.evaluate(z, 0, VecX(VecX::Ones(11)), slope, lambda));
    CHECK(CountedKkt::eliminations == (weight == Weight::inverse ? 1 : 0));
    CHECK(slope.allFinite());
    CHECK(lambda.size() == 11);
  }
}

TEST_CASE("the scissors lift accelerates as its equation in one angle says", "[problems]") {
  for (const int cells : {1, 2, 5, 20}) {
    for (const double rate : {0.0, -1.5}) {
      CAPTURE(cells, rate);
      const Scissors problem(cells);
      const VecX a = motion_at(problem, moving(problem, 0.7, rate)).acceleration;
      const double expected = InOneAngle(problem).acceleration(0.7, rate);
      for (int i = 0; i < cells; ++i) {
        // Rounding of forces, some ten times as large, times the condition of S, which grows like
        // that of a beam, n^4.
        const double near = 1e-14 * (10 + std::pow(cells, 4)) * (1 + std::abs(expected));
        CHECK(std::abs(a[6 * i + 2] - expected) < near);
        CHECK(std::abs(a[6 * i + 5] + expected) < near);
      }
    }
  }
}

TEST_CASE("the scissors lift has one degree of freedom, and loses rows where it lies flat",
          "[problems]") {
  for (const int cells : {1, 2, 7, 30}) {
    CAPTURE(cells);
    const Scissors problem(cells);
    const VecX q = problem.start().head(6 * cells);
    NullSpaceKkt<VecX, VecX> null_space;
    null_space.eliminate(problem.G(q, 0).dense(), 1e-10);
    CHECK(null_space.free() == 1);
    Scissors::Kkt kkt;
    kkt.eliminate(problem.G(q, 0), 0);
    CHECK(kkt.free() == 1);
    CHECK(kkt.weigh(problem.M(q)));
    if (cells == 1) continue;  // One cell has its freedom there too.
    kkt.eliminate(problem.G(problem.at_rest(0).head(6 * cells), 0), 0);
    CHECK_FALSE(kkt.weigh(problem.M(q)));
  }
}

TEST_CASE("the work for a scissors lift is linear in its cells", "[problems]") {
  for (const int cells : {10, 100, 1000}) {
    CAPTURE(cells);
    const Scissors problem(cells);
    const JointPattern& pattern = problem.pattern();
    const auto joints = static_cast<int>(pattern.joints().size());
    CHECK(joints == 3 * cells);
    // A rod has three joints, which makes 3 blocks of S, so 2 of each joint. Fill, and products for
    // it, add as much again at most.
    CHECK(pattern.blocks() <= 4 * joints);
    CHECK(static_cast<int>(pattern.targets().size()) <= 4 * joints);
  }
}

TEST_CASE("a scissors lift of no cells is refused", "[problems]") {
  CHECK_THROWS_WITH(Scissors(0), contains_text("cells = 0: must be >= 1"));
}

}  // namespace daewave::problems
