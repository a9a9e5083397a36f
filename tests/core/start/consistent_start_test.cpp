#include "core/start/consistent_start.hpp"

#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "core/start/problem_start.hpp"
#include "problems/al2.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/core/small_mechanisms.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave {
namespace {

using namespace testing;
using problems::SliderCrank;

/// Rounding of residuals of size one.
constexpr double rounding = 1e-14;

/// Its constraint once more, enlarged and moved.
struct Twice : Pendulum {
  using Multiplier = Vec<2>;
  double factor = 3, offset = 0;
  template <class T>
  VecOf<T, 2> g(const VecOf<T, 2>& q, T t) const {
    const T one = Pendulum::g(q, t)[0];
    return {one, factor * one + offset};
  }
};

DaeProblemPtr twice(double factor, double offset) {
  Twice problem;
  problem.factor = factor;
  problem.offset = offset;
  return problem_of(with_autodiff(problem));
}

// 0 = q1^2 + 1 has no solution; at q1 = 0 its row vanishes.
struct Hopeless : Pendulum {
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>(q[0] * q[0] + 1.0);
  }
};

/// A crank of length L with a slider before it, which is to stand upright: rows of lengths and of a
/// cosine.
struct Upright : Pendulum {
  using Multiplier = Vec<2>;
  double L = 1;
  Mat<2, 2> M(const Position&) const { return Vec<2>{1, L * L}.asDiagonal(); }
  template <class T>
  VecOf<T, 2> g(const VecOf<T, 2>& q, T) const {
    using std::cos;
    return {q[0] - L * cos(q[1]), cos(q[1])};
  }
};

}  // namespace

TEST_CASE("a consistent start is told as such, with index and rank", "[start]") {
  const auto pendulum =
      check_start(*problem_of(with_autodiff(Pendulum{})), Vec<4>{0.6, -0.8, 0.8, 0.6}, 0);
  CHECK(pendulum.ok(rounding));
  CHECK(pendulum.text(rounding) == "");
  CHECK(pendulum.index == 3);
  CHECK(pendulum.constraints == 1);
  CHECK(pendulum.rank == 1);
  CHECK_FALSE(pendulum.singular());

  const auto index2 = check_start(*problem_of(problems::Al2Example61{}), Vec<2>{1, 0}, 0);
  CHECK(index2.ok(rounding));
  CHECK(index2.index == 2);

  const auto skate = check_start(*problem_of(with_autodiff(Skate{})),
                                 Vec<8>{0, 0, 0, 0.5, 1, std::tan(0.5), 0, 1}, 0);
  CHECK(skate.ok(rounding));
  CHECK(skate.index == 3);
  CHECK(skate.constraints == 2);
  CHECK(skate.rank == 2);

  const auto plane =
      check_start(*problem_of(with_autodiff(PlaneSkate{})), Vec<6>{0, 0, 0, 1, 0, 1}, 0);
  CHECK(plane.ok(rounding));
  CHECK(plane.index == 2);

  const OnCircle circle;
  CHECK(check_start(*problem_of(with_autodiff(circle)), circle.z_exact(0.3), 0.3).ok(rounding));
}

TEST_CASE("an inconsistent start is told with its largest residuals", "[start]") {
  const auto found =
      check_start(*problem_of(with_autodiff(Skate{})), Vec<8>{0, 0, 0.25, 0, 1, 2, 0, 1}, 0);
  CHECK_FALSE(found.ok(1e-8));
  CHECK(found.position == Approx(0.25));
  CHECK(found.position_row == 1);
  CHECK(found.velocity == Approx(2));  // w = - y' at phi = 0, t = 0.
  CHECK(found.velocity_row == 2);
  CHECK_THAT(found.text(1e-8), contains_text("|g| = 0.25 in row 1") &&
                                   contains_text("|G v + g_t| = 2 in row 2") &&
                                   contains_text("repair_start()"));
}

namespace {

/// On a circle, beside a rod of the length of one unit.
struct OnOrbit {
  using Position = Vec<3>;
  using Multiplier = Vec<2>;
  double radius;
  Mat<3, 3> M(const Position&) const { return Mat<3, 3>::Identity(); }
  Position f(const Position&, const Position&, double) const { return Position::Zero(); }
  template <class T>
  VecOf<T, 2> g(const VecOf<T, 3>& q, T) const {
    return {(q[0] * q[0] + q[1] * q[1] - radius * radius) / 2.0, q[2] * q[2] - 1.0};
  }
  /// At an angle, to rounding; it turns by a hundredth in a unit of time.
  VecX at(double angle) const {
    const double c = radius * std::cos(angle), s = radius * std::sin(angle);
    return VecX{{c, s, 1, -s / 100, c / 100, 0}};
  }
};

}  // namespace

TEST_CASE("what rounding of the state explains is consistent at any size", "[start]") {
  for (const double radius : {1e-6, 1e-2, 1.0, 1e4, 1e5, 7e6, 1.5e8, 1e12}) {
    const OnOrbit orbit{radius};
    const DaeProblemPtr problem = problem_of(with_autodiff(orbit));
    // Of a length of one the usual tolerance is that of rounding a thousand times.
    const double tolerance = 1e-12 * std::min(1.0, radius * radius);
    for (int k = 0; k < 50; ++k) {
      CAPTURE(radius, k);
      const VecX start = orbit.at(0.1 * k);
      CHECK(check_start(*problem, start, 0, 1e-12, tolerance).ok(tolerance));
      // An orbit that is wider by a part in 1e9, and velocities so much off.
      for (const int first : {0, 3}) {
        VecX off = start;
        off.segment(first, 2) += 1e-9 * (first == 0 ? 1 : 0.01) * start.head(2);
        CHECK_FALSE(check_start(*problem, off, 0, 1e-12, tolerance).ok(tolerance));
        CHECK(repair_start(*problem, off, 0, tolerance).ok);
        CHECK((off - start).norm() < 2e-9 * radius);
      }
    }
  }
}

TEST_CASE("a row that is off is told beside one that rounding explains", "[start]") {
  const OnOrbit orbit{7e6};
  const DaeProblemPtr problem = problem_of(with_autodiff(orbit));
  VecX start = orbit.at(0.3);
  start[2] = 1 + 1e-7;
  const double g = std::abs(orbit.g<double>(start.head(3), 0)[0]);
  REQUIRE(g > 1e-4);  // Rounding of 2.5e13.
  const Consistency found = check_start(*problem, start, 0);
  CHECK(found.position_row == 2);
  CHECK_THAT(found.text(1e-8),
             contains_text("|g| = 2e-07 in row 2; must be at most 1.0e-08; correct it"));
  start[0] *= 1 + 1e-13;
  CHECK_THAT(check_start(*problem, start, 0).text(1e-8),
             contains_text("in row 1") && contains_text(", which rounding of the state explains"));
}

TEST_CASE("a residual up to the tolerance is consistent, and one above it is not", "[start]") {
  for (const double tolerance : {1e-8, 1e-3}) {
    for (double Consistency::*residual : {&Consistency::position, &Consistency::velocity}) {
      Consistency found;
      found.*residual = tolerance;
      CHECK(found.ok(tolerance));
      found.*residual = 1.001 * tolerance;
      CHECK_FALSE(found.ok(tolerance));
      found.*residual = std::nan("");
      CHECK_FALSE(found.ok(tolerance));
    }
    Consistency found;
    found.not_finite = "g is nan";
    CHECK_FALSE(found.ok(tolerance));
  }
}

TEST_CASE("the pendulum is moved to the nearest consistent state", "[start]") {
  VecX z{{1.2, -1.6, 1, 0}};
  const auto repair = repair_start(*problem_of(with_autodiff(Pendulum{})), z, 0, 1e-12);
  REQUIRE(repair.ok);
  // Along the rope to (0.6, -0.8); the velocity loses its part along it, 0.6.
  CHECK((z - Vec<4>{0.6, -0.8, 0.64, 0.48}).cwiseAbs().maxCoeff() < 1e-12);
  CHECK(repair.position == Approx(0.8));
  CHECK(repair.velocity == Approx(0.48));
  CHECK(repair.iterations > 2);
  CHECK(repair.iterations < 10);
  CHECK(repair.consistency.ok(1e-12));
}

TEST_CASE("velocities are consistent to their rounding, however fast they are", "[start]") {
  const DaeProblemPtr problem = problem_of(with_autodiff(DrivenPendulum{}));
  for (const double speed : {1.0, 1e3, 1e6, 1e9, 1e12}) {
    for (int i = 0; i < 40; ++i) {
      const double angle = 0.1 + 0.15 * i;
      VecX z{{std::cos(angle), 1 + std::sin(angle), 0.3 * speed, -0.7 * speed}};
      CHECK(repair_start(*problem, z, 0, 1e-14).ok);
      CHECK(check_start(*problem, z, 0, 1e-12, 1e-14).ok(1e-14));
      // A part in 1e12 along the rope is no rounding.
      z.tail(2) += 1e-12 * speed * Vec<2>{std::cos(angle), std::sin(angle)};
      CHECK_FALSE(check_start(*problem, z, 0, 1e-12, 1e-14).ok(1e-14));
    }
  }
}

TEST_CASE("the unit of length is of no account to a start that is repaired", "[start]") {
  for (const double L : {1e-3, 1.0, 1e3, 1e4, 1e5}) {
    Upright upright;
    upright.L = L;
    VecX z{{L * std::cos(0.8), 0.8, 0, 0}};
    const auto repair = repair_start(*problem_of(with_autodiff(upright)), z, 0, 1e-13 * (1 + L));
    CHECK(repair.failure == "");
    CHECK(repair.iterations < 12);
    CHECK(std::abs(std::cos(z[1])) < 1e-13);
  }
}

TEST_CASE("a start is nearest in the metric of M", "[start]") {
  struct Heavy : Pendulum {
    Eigen::DiagonalMatrix<double, 2> M(const Position&) const {
      return Eigen::DiagonalMatrix<double, 2>(Position{1e6, 1});
    }
  };
  VecX z{{0.6, -0.7, 0.8, 0}};
  REQUIRE(repair_start(*problem_of(with_autodiff(Heavy{})), z, 0, 1e-12).ok);
  CHECK(z[0] == Approx(0.6).epsilon(1e-5));  // The heavy coordinate stays.
  CHECK(z[2] == Approx(0.8).epsilon(1e-5));
}

TEST_CASE("every class of problem is repaired", "[start]") {
  const auto check = [](const DaeProblemPtr& problem, VecX z, double t) {
    const auto repair = repair_start(*problem, z, t, 1e-12);
    CHECK(repair.failure == "");
    CHECK(repair.ok);
    CHECK(check_start(*problem, z, t).ok(1e-12));
    const VecX again = z;
    CHECK(repair_start(*problem, z, t, 1e-12).ok);
    CHECK((z - again).cwiseAbs().maxCoeff() < 1e-12);  // Nothing is left to do.
  };
  check(problem_of(problems::Al2Example61{}), Vec<2>{1.1, 0.2}, 0.1);
  check(problem_of(problems::Al2Example64{}), Vec<4>{0.1, 0.2, 1.3, -1.6}, 0);
  check(problem_of(with_autodiff(OnCircle{})), Vec<4>{0.9, 0.2, 0.1, 1}, 0);
  check(problem_of(with_autodiff(DrivenPendulum{})), Vec<4>{1.0, 0.9, 0, 0}, 0.3);
  check(problem_of(with_autodiff(Skate{})), Vec<8>{0.1, 0.2, 0.3, 0.4, 1, 2, 3, 4}, 0.3);
  check(problem_of(with_autodiff(PlaneSkate{})), Vec<6>{0, 0, 0.5, 1, 1, 1}, 0);
  const VecX points{{1.1, 2, 3.3, 0.1, 0.2, 0.3}};
  check(problem_of(with_autodiff(PointsOnLine<SmallVec>{}), points, 0.1), points, 0.1);
  const SliderCrank crank;
  VecX z = crank.state(0.7, 2);
  z.array() += 0.05;
  check(problem_of(crank), z, 0);
}

TEST_CASE("a correction along B leaves what G^T would not", "[start]") {
  // B = (x1, 2 x2): from (1, 1) x moves along (1, 2) at first, not towards the origin.
  VecX z{{0.8, 0.8, 0, 0}};
  REQUIRE(repair_start(*problem_of(with_autodiff(OnCircle{})), z, 0, 1e-12).ok);
  CHECK(z[0] * z[0] + z[1] * z[1] == Approx(1));
  CHECK(0.8 - z[1] > 1.5 * (0.8 - z[0]));
}

TEST_CASE("redundant constraints that agree are met, and told", "[start]") {
  const DaeProblemPtr problem = twice(3, 0);
  VecX z{{1.2, -1.6, 1, 0}};
  const auto repair = repair_start(*problem, z, 0, 1e-12);
  CHECK(repair.failure == "");
  CHECK(repair.consistency.rank == 1);
  CHECK(repair.consistency.singular());
  REQUIRE(repair.consistency.gone.size() == 1);
  CHECK((z - Vec<4>{0.6, -0.8, 0.64, 0.48}).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("constraints that contradict each other are a singular constraint", "[start]") {
  const VecX before{{1.2, -1.6, 1, 0}};
  VecX z = before;
  const auto repair = repair_start(*twice(1, 0.5), z, 0, 1e-12);
  CHECK_FALSE(repair.ok);
  CHECK(z == before);
  CHECK_THAT(repair.failure, contains_text("singular constraint") && contains_text("rank 1 of 2"));
}

TEST_CASE("the slider-crank upright is consistent with one row gone", "[start]") {
  const DaeProblemPtr crank = problem_of(SliderCrank{});
  VecX z = SliderCrank().state(std::numbers::pi / 2, 1);
  const auto found = check_start(*crank, z, 0);
  CHECK(found.ok(1e-14));
  CHECK(found.constraints == 5);
  CHECK(found.rank == 4);
  CHECK(found.gone == std::vector<int>{5});
  // Moved along the rows that are left, it is repaired.
  z[0] += 0.1;
  z[7] -= 0.05;
  const auto repair = repair_start(*crank, z, 0, 1e-12);
  CHECK(repair.failure == "");
  CHECK(check_start(*crank, z, 0).ok(1e-12));
}

TEST_CASE("a row that is gone with its residual cannot be repaired", "[start]") {
  const DaeProblemPtr problem = problem_of(with_autodiff(Hopeless{}));
  VecX gone{{0, 0, 0, 0}}, away{{0.7, 0, 0, 0}};
  const auto at_zero = repair_start(*problem, gone, 0, 1e-10);
  CHECK_FALSE(at_zero.ok);
  CHECK_THAT(at_zero.failure,
             contains_text("singular constraint") && contains_text("row 1 vanishes"));
  const auto from_away = repair_start(*problem, away, 0, 1e-10);
  CHECK_FALSE(from_away.ok);
  CHECK_THAT(from_away.failure, contains_text("row 1 stays at"));
}

TEST_CASE("a singular GB is told, and corrected orthogonally", "[start]") {
  struct Aside : OnCircle {
    Vec<2> B(const Position& x, double) const { return {-x[1], x[0]}; }
  };
  const DaeProblemPtr problem = problem_of(with_autodiff(Aside{}));
  const auto found = check_start(*problem, Vec<4>{1, 0, 0, 1}, 0);
  CHECK(found.rank == 0);
  CHECK(found.singular());
  VecX z{{2, 0, 0, 1}};
  CHECK(repair_start(*problem, z, 0, 1e-12).ok);
  CHECK((z - Vec<4>{1, 0, 0, 1}).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("what is not finite is named and left alone", "[start]") {
  VecX z{{NAN, 1, 0, 0}};
  const DaeProblemPtr problem = problem_of(with_autodiff(Pendulum{}));
  CHECK_FALSE(check_start(*problem, z, 0).ok(1));
  const auto repair = repair_start(*problem, z, 0, 1e-8);
  CHECK_FALSE(repair.ok);
  CHECK_THAT(repair.failure, contains_text("g, row 1, is not finite"));
  CHECK(z[1] == 1);
}

TEST_CASE("wrong calls of the start are refused", "[start]") {
  VecX z{{0.6, -0.8, 0.8, 0.6}};
  const DaeProblemPtr problem = problem_of(with_autodiff(Pendulum{}));
  for (const double tolerance : {0.0, -1.0, double(NAN), double(INFINITY)}) {
    CHECK_THROWS_AS(repair_start(*problem, z, 0, tolerance), InvalidOption);
  }
  const VecX six = VecX::Ones(6), five = VecX::Ones(5);
  const DaeProblemPtr points = problem_of(with_autodiff(PointsOnLine<SmallVec>{}), six, 0);
  CHECK_THROWS_AS(check_start(*points, five, 0), InvalidProblem);
  CHECK_THROWS_AS(problem_of(with_autodiff(PointsOnLine<SmallVec>{}), five, 0), InvalidProblem);
}

}  // namespace daewave
