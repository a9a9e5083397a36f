#include "core/derivatives/autodiff.hpp"

#include <cmath>
#include <type_traits>

#include "core/derivatives/differences.hpp"
#include "core/problem/terms.hpp"
#include "problems/al2.hpp"
#include "tests/catch.hpp"
#include "tests/core/small_mechanisms.hpp"

namespace daewave {
namespace {

using namespace testing;

/// Rounding of a few dozen operations on numbers of size one to ten.
constexpr double rounding = 1e-13;

template <class A, class B>
double gap(const A& a, const B& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

template <class P, class Q>
void check_same_derivatives(const P& problem, const Q& by_hand, const typename P::Position& q,
                            const typename P::Position& v, double t) {
  CAPTURE(q.transpose(), v.transpose(), t);
  CHECK(gap(problem.G(q, t), by_hand.G(q, t)) < rounding);
  CHECK(gap(problem.g_t(q, t), by_hand.g_t(q, t)) < rounding);
  CHECK(gap(problem.curvature(q, v, t), by_hand.curvature(q, v, t)) < 10 * rounding);
}

}  // namespace

TEST_CASE("automatic derivatives of a constraint that moves are those by hand", "[autodiff]") {
  const auto problem = with_autodiff(DrivenPendulum{});
  static_assert(HasCurvature<decltype(problem)>);
  for (const double t : {0.0, 0.4, 1.3}) {
    check_same_derivatives(problem, DrivenPendulum::Derivatives{}, {0.3, -1.2}, {2, 0.7}, t);
  }
}

TEST_CASE("automatic derivatives of velocity constraints are those by hand", "[autodiff]") {
  const auto problem = with_autodiff(Skate{});
  static_assert(HasVelocityJacobian<decltype(problem)>);
  const Skate::Derivatives by_hand;
  const Vec<4> q{0.3, -1.2, 0.4, 0.8}, v{2, 0.7, -0.5, 1.5};
  for (const double t : {0.0, 0.4}) {
    check_same_derivatives(problem, by_hand, q, v, t);
    CHECK(gap(problem.K(q, t), by_hand.K(q, t)) < rounding);
    CHECK(gap(problem.k(q, t), by_hand.k(q, t)) < rounding);
    CHECK(gap(problem.w_curvature(q, v, t), by_hand.w_curvature(q, v, t)) < rounding);
  }
}

TEST_CASE("terms are evaluated with automatic derivatives", "[autodiff]") {
  const auto problem = with_autodiff(Skate{});
  const Skate::Derivatives by_hand;
  const Vec<4> q{0.3, -1.2, 0.4, 0.8}, v{2, 0.7, -0.5, 1.5};
  MultibodyTerms<std::decay_t<decltype(problem)>> at;
  MultibodyTerms<Skate::Derivatives> expected;
  evaluate(problem, q, v, 0.4, at);
  evaluate(by_hand, q, v, 0.4, expected);
  CHECK(gap(at.G, expected.G) < rounding);
  CHECK(gap(at.g_t, expected.g_t) < rounding);
  CHECK(gap(at.curvature, expected.curvature) < rounding);
}

TEST_CASE("a problem with velocity constraints alone has derivatives", "[autodiff]") {
  const auto problem = with_autodiff(PlaneSkate{});
  MultibodyTerms<std::decay_t<decltype(problem)>> at;
  const Vec<3> q{0, 0, 0.5}, v{1, 2, 3};
  evaluate(problem, q, v, 0, at);
  REQUIRE(at.G.rows() == 1);
  CHECK(at.G(0, 0) == Approx(std::sin(0.5)));
  CHECK(at.G(0, 1) == Approx(-std::cos(0.5)));
  CHECK(at.curvature[0] == Approx(3 * (std::cos(0.5) + 2 * std::sin(0.5))));
}

TEST_CASE("sizes known at run time are differentiated some columns at a time", "[autodiff]") {
  const auto check = [](auto vector) {
    using V = decltype(vector);
    const PointsOnLine<V> plain;
    const auto problem = with_autodiff(plain);
    for (const int n : {2, 8, 9, 19}) {  // 8 columns at a time.
      CAPTURE(n);
      const V q = V::LinSpaced(n, 0.5, 2), v = V::LinSpaced(n, 1, -2);
      // Differences of a g of size n: 1e-11, and 1e-9 of the second.
      CHECK(gap(problem.G(q, 0.3), detail::Differences::G(plain, q, 0.3)) < 1e-9);
      CHECK(gap(problem.g_t(q, 0.3), detail::Differences::g_t(plain, q, 0.3)) < 1e-9);
      CHECK(gap(problem.curvature(q, v, 0.3), detail::Differences::curvature(plain, q, v, 0.3)) <
            1e-7);
    }
  };
  check(SmallVec());
  check(VecX());
}

TEST_CASE("an index 2 problem is differentiated in x and t", "[autodiff]") {
  const auto problem = with_autodiff(Al2Example61Template{});
  const problems::Al2Example61 by_hand;
  const Vec<2> x{0.7, 0.4};
  CHECK(gap(problem.G(x, 0.6), by_hand.G(x, 0.6)) < rounding);
  CHECK(gap(problem.g_t(x, 0.6), by_hand.g_t(x, 0.6)) < rounding);
}

TEST_CASE("derivatives that a problem gives are kept", "[autodiff]") {
  struct Owner : Pendulum {
    Mat<1, 2> G(const Position&, double) const { return {7, 8}; }
  };
  const auto problem = with_autodiff(Owner{});
  const Vec<2> q{0.6, -0.8}, v{0.8, 0.6};
  CHECK(problem.G(q, 0) == Mat<1, 2>(7, 8));
  CHECK(problem.curvature(q, v, 0)[0] == Approx(1));
  // One that lacks nothing stays what it is, and keeps terms().
  static_assert(std::is_same_v<WithAutodiff<problems::Al2Example64>, problems::Al2Example64>);
  static_assert(std::is_same_v<WithAutodiff<problems::Al2Example61>, problems::Al2Example61>);
}

}  // namespace daewave
