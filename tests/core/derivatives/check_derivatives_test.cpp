#include "core/derivatives/check_derivatives.hpp"

#include <cmath>

#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "problems/al2.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/core/small_mechanisms.hpp"

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

}  // namespace

TEST_CASE("right derivatives pass, whatever they come from", "[check]") {
  CHECK(check_derivatives(DrivenPendulum::Derivatives{}, pendulum_state, 0.4).text() == "");
  CHECK(check_derivatives(with_autodiff(DrivenPendulum{}), pendulum_state, 0.4).text() == "");
  CHECK(check_derivatives(Skate::Derivatives{}, skate_state, 0.4).text() == "");
  CHECK(check_derivatives(with_autodiff(PlaneSkate{}), Vec<6>{0, 0, 0.5, 1, 2, 3}, 0).ok());
  CHECK(check_derivatives(with_autodiff(OnCircle{}), pendulum_state, 0.4).ok());
  CHECK(check_derivatives(problems::Al2Example61{}, Vec<2>{0.7, 0.4}, 0.4).text() == "");
  CHECK(check_derivatives(problems::Al2Example62{}, Vec<2>{0, 0}, 0.5).text() == "");
  CHECK(check_derivatives(problems::Al2Example64{}, pendulum_state, 0.4).text() == "");
  const problems::SliderCrank crank;
  CHECK(check_derivatives(crank, crank.state(0.5, 2), 0).text() == "");
  const SmallVec z = SmallVec::LinSpaced(22, 0.5, 2);
  CHECK(check_derivatives(with_autodiff(PointsOnLine<SmallVec>{}), z, 0.1).text() == "");
}

TEST_CASE("one wrong entry is named with its row, column and the way out", "[check]") {
  struct Wrong : Skate::Derivatives {
    Mat<1, 4> G(const Position& q, double t) const {
      Mat<1, 4> jacobian = Skate::Derivatives::G(q, t);
      jacobian(0, 1) *= -1;
      return jacobian;
    }
  };
  const auto report = check_derivatives(Wrong{}, skate_state, 0.4);
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
  CHECK_NOTHROW(require_ok(check_derivatives(Skate::Derivatives{}, skate_state, 0.4)));
}

TEST_CASE("each quantity is checked", "[check]") {
  using D = Skate::Derivatives;
  using V = D::Position;
  using Y = D::Multiplier;
  struct WrongGt : D {
    Y g_t(const V&, double) const { return Y{1e-3}; }
  };
  struct WrongCurvature : D {
    Y curvature(const V& q, const V& v, double t) const { return 1.001 * D::curvature(q, v, t); }
  };
  struct WrongK : D {
    Mat<1, 4> K(const V& q, double t) const { return 1.001 * D::K(q, t); }
  };
  struct Wrongk : D {
    Y k(const V&, double t) const { return Y{t * t}; }
  };
  struct WrongWCurvature : D {
    Y w_curvature(const V& q, const V& v, double t) const {
      return D::w_curvature(q, v, t) + Y{2 * t};
    }
  };
  struct Nonlinear : D {
    Y w(const V& q, const V& v, double t) const { return D::w(q, v, t) + Y{v[0] * v[0]}; }
    Mat<1, 4> K(const V& q, double t) const { return D::K(q, t) + Mat<1, 4>{1, 0, 0, 0}; }
    Y w_curvature(const V& q, const V& v, double t) const { return D::w_curvature(q, v, t); }
  };
  const auto of = [](const auto& problem) {
    return wrong(check_derivatives(problem, skate_state, 0.4));
  };
  CHECK(of(WrongGt{}) == "g_t");
  CHECK(of(WrongCurvature{}) == "curvature");
  CHECK(of(WrongK{}) == "K");
  CHECK(of(Wrongk{}) == "k");
  CHECK(of(WrongWCurvature{}) == "w_curvature");
  CHECK_THAT(of(Nonlinear{}), contains_text("linear in v"));
}

TEST_CASE("M must be symmetric and have no negative eigenvalue", "[check]") {
  struct Skew : DrivenPendulum::Derivatives {
    Mat<2, 2> M(const Position&) const { return Mat<2, 2>{{2, 0.5}, {0.4, 1}}; }
  };
  struct Indefinite : DrivenPendulum::Derivatives {
    Mat<2, 2> M(const Position&) const { return Mat<2, 2>{{1, 2}, {2, 1}}; }
  };
  struct Massless : DrivenPendulum::Derivatives {
    Mat<2, 2> M(const Position&) const { return Mat<2, 2>{{1, 0}, {0, 0}}; }
  };
  const auto skew = check_derivatives(Skew{}, pendulum_state, 0);
  CHECK(wrong(skew) == "M");
  CHECK_THAT(skew.text(), contains_text("row 2, column 1") && contains_text("symmetric"));
  CHECK_THAT(check_derivatives(Indefinite{}, pendulum_state, 0).text(),
             contains_text("negative eigenvalue -1"));
  CHECK(check_derivatives(Massless{}, pendulum_state, 0).ok());
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
  struct Nan : DrivenPendulum::Derivatives {
    Multiplier g_t(const Position&, double) const { return Multiplier{NAN}; }
  };
  CHECK(wrong(check_derivatives(Nan{}, pendulum_state, 0.4)) == "g_t");
  struct Infinite : DrivenPendulum::Derivatives {
    Multiplier g_t(const Position&, double) const { return Multiplier{INFINITY}; }
  };
  CHECK(wrong(check_derivatives(Infinite{}, pendulum_state, 0.4)) == "g_t");
  const Vec<4> lost{NAN, 0, 0, 0};
  const auto report = check_derivatives(DrivenPendulum::Derivatives{}, lost, 0.4);
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
  CHECK_THROWS_WITH(check_derivatives(with_autodiff(PointsOnLine<VecX>{}), VecX(VecX::Ones(5)), 0),
                    contains_text("5 entries"));
}

}  // namespace daewave
