#include "core/derivatives/check_derivatives.hpp"

#include <cmath>

#include "core/derivatives/autodiff.hpp"
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

const Vec<4> pendulum_state{0.3, -1.2, 2, 0.7};
const Vec<8> skate_state{0.3, -1.2, 0.4, 0.8, 2, 0.7, -0.5, 1.5};

/// The checks that failed, by name, with " " between.
std::string wrong(const DerivativeReport& report) {
  std::string names;
  for (const auto& check : report.checks) {
    if (!check.ok) names += (names.empty() ? "" : " ") + check.quantity;
  }
  return names;
}

/// The skate, one of its derivatives or none being wrong.
struct SkateWith : Skate::Derivatives {
  using D = Skate::Derivatives;
  using V = Position;
  using Y = Multiplier;
  enum class Wrong { nothing, G, g_t, curvature, K, k, w_curvature, w } wrong;

  explicit SkateWith(Wrong its_wrong) : wrong(its_wrong) {}

  Mat<1, 4> G(const V& q, double t) const {
    Mat<1, 4> jacobian = D::G(q, t);
    if (wrong == Wrong::G) jacobian(0, 1) *= -1;
    return jacobian;
  }
  Y g_t(const V&, double) const { return Y{wrong == Wrong::g_t ? 1e-3 : 0}; }
  Y curvature(const V& q, const V& v, double t) const {
    return (wrong == Wrong::curvature ? 1.001 : 1) * D::curvature(q, v, t);
  }
  Y w(const V& q, const V& v, double t) const {
    return D::w(q, v, t) + Y{wrong == Wrong::w ? v[0] * v[0] : 0};
  }
  Mat<1, 4> K(const V& q, double t) const {
    if (wrong == Wrong::w) return D::K(q, t) + Mat<1, 4>{1, 0, 0, 0};
    return (wrong == Wrong::K ? 1.001 : 1) * D::K(q, t);
  }
  Y k(const V& q, double t) const { return wrong == Wrong::k ? Y{t * t} : D::k(q, t); }
  Y w_curvature(const V& q, const V& v, double t) const {
    return D::w_curvature(q, v, t) + Y{wrong == Wrong::w_curvature ? 2 * t : 0};
  }
};

using Wrong = SkateWith::Wrong;

/// The driven pendulum with a mass matrix of its own, and g_t by so much off.
struct OddPendulum : DrivenPendulum::Derivatives {
  Mat<2, 2> mass;
  double off;

  explicit OddPendulum(const Mat<2, 2>& its_mass = Mat<2, 2>::Identity(), double off_by = 0)
      : mass(its_mass), off(off_by) {}

  Mat<2, 2> M(const Position&) const { return mass; }
  Multiplier g_t(const Position& q, double t) const {
    return DrivenPendulum::Derivatives::g_t(q, t) + Multiplier{off};
  }
};

DerivativeReport check_mass(const Mat<2, 2>& mass) {
  return check_derivatives(OddPendulum(mass), pendulum_state, 0);
}

}  // namespace

TEST_CASE("right derivatives pass, whatever they come from", "[check]") {
  CHECK(check_derivatives(OddPendulum(), pendulum_state, 0.4).text() == "");
  CHECK(check_derivatives(with_autodiff(DrivenPendulum{}), pendulum_state, 0.4).text() == "");
  CHECK(check_derivatives(SkateWith(Wrong::nothing), skate_state, 0.4).text() == "");
  const problems::SliderCrank crank;
  CHECK(check_derivatives(crank, crank.state(0.5, 2), 0).text() == "");

  const auto text = [](const DaeProblemPtr& problem, const VecX& state, double t) {
    return check_derivatives(*problem, state, t).text();
  };
  CHECK(text(problem_of(with_autodiff(PlaneSkate{})), Vec<6>{0, 0, 0.5, 1, 2, 3}, 0) == "");
  CHECK(text(problem_of(with_autodiff(OnCircle{})), pendulum_state, 0.4) == "");
  CHECK(text(problem_of(problems::Al2Example61{}), Vec<2>{0.7, 0.4}, 0.4) == "");
  CHECK(text(problem_of(problems::Al2Example62{}), Vec<2>{0, 0}, 0.5) == "");
  CHECK(text(problem_of(problems::Al2Example64{}), pendulum_state, 0.4) == "");
  const VecX z = VecX::LinSpaced(22, 0.5, 2);
  CHECK(text(problem_of(with_autodiff(PointsOnLine<SmallVec>{}), z, 0.1), z, 0.1) == "");
}

TEST_CASE("one wrong entry is named with its row, column and the way out", "[check]") {
  const auto report = check_derivatives(SkateWith(Wrong::G), skate_state, 0.4);
  CHECK_FALSE(report.ok());
  CHECK(wrong(report) == "G");
  const DerivativeCheck& check = report.checks.front();
  CHECK(check.row == 1);
  CHECK(check.column == 2);
  CHECK(check.given == Approx(std::sin(0.3)));
  CHECK(check.expected == Approx(-std::sin(0.3)));
  CHECK_THAT(report.text(), contains_text("G row 1, column 2 at t = 0.4: given 0.295520"));
  CHECK_THAT(report.text(), contains_text("-0.295520"));
  CHECK_THAT(report.text(), contains_text("with_autodiff(problem)"));
  CHECK_THROWS_AS(require_ok(report), InvalidProblem);
  CHECK_NOTHROW(require_ok(check_derivatives(SkateWith(Wrong::nothing), skate_state, 0.4)));
}

TEST_CASE("each quantity is checked", "[check]") {
  const auto found = [](Wrong of) {
    return wrong(check_derivatives(SkateWith(of), skate_state, 0.4));
  };
  CHECK(found(Wrong::g_t) == "g_t");
  CHECK(found(Wrong::curvature) == "curvature");
  CHECK(found(Wrong::K) == "K");
  CHECK(found(Wrong::k) == "k");
  CHECK(found(Wrong::w_curvature) == "w_curvature");
  CHECK_THAT(found(Wrong::w), contains_text("linear in v"));
}

TEST_CASE("a thousandth of the largest entry of G and K is what an entry counts beside",
          "[check]") {
  detail::ExpectedDerivatives expected;
  CHECK(expected.least() == 1e-4);
  expected.G = MatX{{0.01, -500}};
  CHECK(expected.least() == 0.5);
  expected.K = MatX{{2000}, {0}};
  CHECK(expected.least() == 2);
  expected.G = expected.K = MatX{{0.09}};
  CHECK(expected.least() == 1e-4);
}

TEST_CASE("what is one column is named with its row alone", "[check]") {
  const DerivativeReport report = check_derivatives(SkateWith(Wrong::g_t), skate_state, 0.4);
  const std::string name = wrong(report);
  CHECK_THAT(report.text(), contains_text(name + " row 1 at t = 0.4: given 0.001"));
}

TEST_CASE("M must be symmetric and have no negative eigenvalue", "[check]") {
  const auto skew = check_mass(Mat<2, 2>{{2, 0.5}, {0.4, 1}});
  CHECK(wrong(skew) == "M");
  CHECK_THAT(skew.text(), contains_text("row 2, column 1") && contains_text("symmetric"));
  CHECK_THAT(check_mass(Mat<2, 2>{{1, 2}, {2, 1}}).text(), contains_text("negative eigenvalue -1"));
  CHECK(check_mass(Mat<2, 2>{{1, 0}, {0, 0}}).ok());
}

TEST_CASE("terms() is held against the pieces", "[check]") {
  struct Wrong : problems::Al2Example64 {
    void terms(const Position& q, const Position& v, double t, MultibodyTerms<Wrong>& at) const {
      at.M = M(q);
      at.f = f(q, v, t);
      at.G = G(q, t);
      at.position = g(q, t);
      at.g_t = g_t(q, t);
      at.curvature = -curvature(q, v, t);
    }
  };
  const auto report = check_derivatives(Wrong{}, pendulum_state, 0.4);
  CHECK(wrong(report) == "curvature of terms()");
  CHECK_THAT(report.text(), contains_text("leave it out"));
}

TEST_CASE("numbers that are not finite do not pass", "[check]") {
  for (const double off : {double(NAN), double(INFINITY)}) {
    const OddPendulum problem(Mat<2, 2>::Identity(), off);
    CHECK(wrong(check_derivatives(problem, pendulum_state, 0.4)) == "g_t");
  }
  const Vec<4> lost{NAN, 0, 0, 0};
  const auto report = check_derivatives(OddPendulum(), lost, 0.4);
  CHECK_FALSE(report.ok());
  CHECK_THAT(report.text(), contains_text("choose another state"));
}

TEST_CASE("shapes that do not fit are refused with both shapes", "[check]") {
  struct Short : PointsOnLine<VecX> {
    MatX G(const VecX& q, double) const { return MatX::Zero(q.size() - 1, q.size() - 1); }
    VecX g_t(const VecX& q, double) const { return VecX::Zero(q.size() - 1); }
  };
  const VecX z = VecX::LinSpaced(6, 1, 2);
  CHECK_THROWS_AS(check_derivatives(Short{}, z, 0), InvalidProblem);
  CHECK_THROWS_WITH(check_derivatives(Short{}, z, 0), contains_text("G is 2 x 2, must be 2 x 3"));
  CHECK_THROWS_WITH(check_derivatives(Short{}, VecX(VecX::Ones(5)), 0), contains_text("5 entries"));
}

}  // namespace daewave
