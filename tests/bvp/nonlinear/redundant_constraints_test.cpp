// Constraints that follow from others, which are named before anything is solved.

#include "bvp/nonlinear/redundant_constraints.hpp"

#include <cmath>
#include <functional>

#include "bvp/solve.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// A point on a circle, of mass 1, said by N constraints of it.
template <int N>
struct OnCircle {
  using Position = Vec<2>;
  using Multiplier = Vec<N>;
  using Constraints = std::function<Vec<N>(const Position& q)>;
  using Slopes = std::function<Mat<N, 2>(const Position& q)>;
  Constraints of;
  Slopes slopes;
  Interval interval() const { return {0, 1}; }
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Vec<2> f(const Position&, const Vec<2>&, double) const { return {0, -1}; }
  Vec<N> g(const Position& q, double) const { return of(q); }
  Mat<N, 2> G(const Position& q, double) const { return slopes(q); }
  Vec<N> g_t(const Position&, double) const { return Vec<N>::Zero(); }
  Vec<N> curvature(const Position&, const Vec<2>&, double) const { return Vec<N>::Zero(); }
};

/// Four constraints of five states, two of which follow from the others. @param apart  they do not.
struct FourOfFive {
  using State = Vec<5>;
  using Multiplier = Vec<4>;
  double unit = 1, apart = 0;
  Interval interval() const { return {0, 1}; }
  State f(const State&, double) const { return State::Zero(); }
  Mat<5, 4> B(const State&, double) const { return Mat<5, 4>::Identity(); }
  Mat<4, 5> G(const State& x, double) const {
    Mat<4, 5> rows = Mat<4, 5>::Zero();
    rows.row(0) << 1, x[1], 0, 0, 0;
    rows.row(1) << 2 * unit, 2 * unit * x[1], apart * unit, 0, 0;
    rows.row(2) << 0, 1e-6, 1e-6 * x[2], 0, 0;
    rows.row(3) = rows.row(2) - 3 * rows.row(0);
    rows(3, 3) = apart;
    return rows;
  }
  Vec<4> g(const State& x, double t) const { return G(x, t) * x; }
  Vec<4> g_t(const State&, double) const { return Vec<4>::Zero(); }
};

/// x1 + x2 = 1 and x1 + x2 + (x1 - x2)^4 = 1, which are alike where x1 = x2.
struct AlikeOnDiagonal {
  using State = Vec<3>;
  using Multiplier = Vec<2>;
  Interval interval() const { return {0, 1}; }
  State f(const State&, double) const { return State::Zero(); }
  Mat<3, 2> B(const State&, double) const { return Mat<3, 2>::Identity(); }
  Mat<2, 3> G(const State& x, double) const {
    const double cube = 4 * std::pow(x[0] - x[1], 3);
    return Mat<2, 3>{{1, 1, 0}, {1 + cube, 1 - cube, 0}};
  }
  Vec<2> g(const State& x, double) const {
    return {x[0] + x[1] - 1, x[0] + x[1] + std::pow(x[0] - x[1], 4) - 1};
  }
  Vec<2> g_t(const State&, double) const { return Vec<2>::Zero(); }
};

template <class P>
void look(const P& problem, const VecX& guess) {
  refuse_redundant_constraints(*problem_of(problem), {0, 1}, [guess](double) { return guess; });
}

}  // namespace

TEST_CASE("constraints that follow from others are named, whatever their units", "[nonlinear]") {
  for (const double unit : {1e-9, 1.0, 1e9}) {
    CAPTURE(unit);
    for (const VecX& guess : {VecX(VecX::Zero(5)), VecX(VecX{{1, -2, 3, 0.5, 1e-3}})}) {
      CHECK_THROWS_WITH(look(FourOfFive{.unit = unit}, guess),
                        contains_text("constraints 2, 4 of 4 follow from those before") &&
                            contains_text("leave them out, and give 2 condition(s) more"));
      for (const double apart : {1.0, 1e-3}) {
        CAPTURE(apart);
        CHECK_NOTHROW(look(FourOfFive{.unit = unit, .apart = apart}, guess));
      }
    }
  }
}

TEST_CASE("constraints that depend on each other at the guess alone are not redundant",
          "[nonlinear]") {
  // 0 = q1^2 - 1 and 0 = q2^2 - 1: where q1 or q2 is zero a row of G is.
  const OnCircle<2> corner{[](const Vec<2>& q) { return Vec<2>(q[0] * q[0] - 1, q[1] * q[1] - 1); },
                           [](const Vec<2>& q) {
                             return Mat<2, 2>{{2 * q[0], 0}, {0, 2 * q[1]}};
                           }};
  CHECK_NOTHROW(look(corner, VecX{{0, 1, 0, 0}}));
  CHECK_NOTHROW(look(corner, VecX::Zero(4)));
  CHECK_NOTHROW(look(AlikeOnDiagonal{}, VecX::Zero(3)));
  CHECK_NOTHROW(look(AlikeOnDiagonal{}, VecX::Ones(3)));
  const OnCircle<2> nowhere{corner.of, [](const Vec<2>&) { return Mat<2, 2>::Constant(NAN); }};
  CHECK_NOTHROW(look(nowhere, VecX::Ones(4)));
}

TEST_CASE(
    "a solve whose constraints say the same twice is refused at once, whatever its conditions",
    "[nonlinear]") {
  using std::hypot;
  const OnCircle<2> twice{
      [](const Vec<2>& q) { return Vec<2>((q.squaredNorm() - 1) / 2, hypot(q[0], q[1]) - 1); },
      [](const Vec<2>& q) {
        Mat<2, 2> rows;
        rows << q.transpose(), q.transpose() / q.norm();
        return rows;
      }};
  for (const int own : {0, 2}) {
    CAPTURE(own);
    BoundaryProblem problem;
    problem.equations = problem_of(twice);
    problem.interval = {0, 1};
    problem.conditions = [own](const VecX& left, const VecX& right) -> VecX {
      return own == 0 ? VecX(0) : VecX{{left[1], right[1] - 0.5}};
    };
    problem.guess = [](double t) { return VecX{{1, 0.5 * t, 0, 0.5}}; };
    CHECK_THROWS_WITH(solve(problem, {.tolerance = 1e-6}),
                      contains_text("constraint 2 of 2 follows from those before"));
  }
}

}  // namespace daewave::bvp
