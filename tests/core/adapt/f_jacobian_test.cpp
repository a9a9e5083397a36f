// Derivatives of f and r, stated by structs, by automatic differentiation and by functions.

#include <string>

#include "core/adapt/problem_from_functions.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/derivatives/with_f_jacobian.hpp"
#include "core/error.hpp"
#include "core/kkt/algebraic_elimination.hpp"
#include "core/problem/time_reversed.hpp"
#include "core/start/problem_start.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/rolling_on_circle.hpp"

namespace daewave {
namespace {

/// x' = (x2, a sin x1 - x2 t), a swing with friction that grows.
struct Swing {
  using State = Vec<2>;
  double a = 1;

  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>& x, T t) const {
    using std::sin;
    return VecOf<T, 2>(x[1], T(a * sin(x[0]) - x[1] * t));
  }
  State start() const { return {0.3, 0.7}; }
};

struct SwingByHand : Swing {
  Mat<2, 2> f_x(const State& x, double t) const {
    Mat<2, 2> J;
    J << 0, 1, a * std::cos(x[0]), -t;
    return J;
  }
};

/// With a wrong sign.
struct WrongSwing : Swing {
  Mat<2, 2> f_x(const State& x, double t) const {
    Mat<2, 2> J;
    J << 0, 1, -a * std::cos(x[0]), -t;
    return J;
  }
};

/// A column of it.
struct ShortSwing : Swing {
  Vec<2> f_x(const State&, double) const { return {0, 1}; }
};

/// Of index 1: x' = x w, 0 = w - x t.
struct Product {
  using State = Vec<1>;
  using Algebraic = Vec<1>;

  template <class T>
  VecOf<T, 1> f(const VecOf<T, 1>& x, const VecOf<T, 1>& w, T) const {
    return VecOf<T, 1>(T(x[0] * w[0]));
  }
  template <class T>
  VecOf<T, 1> r(const VecOf<T, 1>& x, const VecOf<T, 1>& w, T t) const {
    return VecOf<T, 1>(T(w[0] - x[0] * t));
  }
  State start() const { return State{2}; }
  Algebraic start_algebraic() const { return Algebraic{1}; }
};

/// A particle in a field with friction, on a circle.
struct Damped {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position& q, const Position& v, double t) const {
    return {-q[0] * q[1] - v[0], t - 2 * v[1] * v[1]};
  }
  Mat<2, 2> f_q(const Position& q, const Position&, double) const {
    Mat<2, 2> J;
    J << -q[1], -q[0], 0, 0;
    return J;
  }
  Mat<2, 2> f_v(const Position&, const Position& v, double) const {
    Mat<2, 2> J;
    J << -1, 0, 0, -4 * v[1];
    return J;
  }
  Multiplier g(const Position& q, double) const { return Multiplier{(q.squaredNorm() - 1) / 2}; }
  Mat<1, 2> G(const Position& q, double) const { return q.transpose(); }
  Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier{v.squaredNorm()};
  }
  Vec<4> start() const { return {0.6, 0.8, 0.8, -0.6}; }
};

ProblemFunctions swing_functions() {
  ProblemFunctions of;
  of.kind = Kind::ordinary;
  of.sizes = {.nq = 1};
  of.f = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) out[p] = at.q[p] * at.q[p];
  };
  of.f_q = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) out[p] = 2 * at.q[p];
  };
  return of;
}

}  // namespace

TEST_CASE("derivatives of f that are stated are those of differences", "[problem]") {
  for (const DaeProblemPtr& problem :
       {problem_of(SwingByHand{}), problem_of(with_autodiff(Swing{})),
        problem_of(with_autodiff(Product{})), problem_of(Damped{}),
        problem_of(with_autodiff(ivp::RollingOnCircle<>{}))}) {
    CAPTURE(name_of(problem->kind()), problem->sizes().nq);
    CHECK(problem->structure().has_f_jacobian);
    CHECK(check_derivatives(*problem, *problem->start(), 0.4).text() == "");
  }
  CHECK_FALSE(problem_of(Swing{})->structure().has_f_jacobian);
  CHECK_FALSE(problem_of(ivp::RollingOnCircle<>{})->structure().has_f_jacobian);
  CHECK(check_derivatives(*problem_from_functions(swing_functions()), VecX{{0.5}}, 0).ok());
}

TEST_CASE("a wrong derivative of f is named with its row and column", "[problem]") {
  const DerivativeReport report =
      check_derivatives(*problem_of(WrongSwing{}), VecX{{0.3, 0.7}}, 0.4);
  CHECK_FALSE(report.ok());
  CHECK_THAT(report.text(), contains_text("df/dq row 2, column 1"));
}

TEST_CASE("a derivative of f of another shape is refused", "[problem]") {
  const DaeProblemPtr problem = problem_of(ShortSwing{});
  const VecX x = *problem->start();
  const double t = 0;
  CHECK_THROWS_WITH(problem->evaluation()->evaluate(Ask::f_q, {1, 1, &t, x.data()}),
                    contains_text("df/dx: has 2 x 1 entries, must have 2 x 2"));
}

TEST_CASE("derivatives of f turn with the time", "[problem]") {
  for (const DaeProblemPtr& problem :
       {problem_of(SwingByHand{}), problem_of(with_autodiff(Product{})), problem_of(Damped{})}) {
    CAPTURE(name_of(problem->kind()));
    const VecX z = *problem->start();
    const DaeProblemPtr reversed = time_reversed(problem, 2);
    CHECK(reversed->structure().has_f_jacobian);
    CHECK(check_derivatives(*reversed, reversed_state(*problem, z), 1.6).text() == "");
  }
}

TEST_CASE("a batch has the derivatives of f of each of its points", "[problem]") {
  const DaeProblemPtr problem = problem_of(SwingByHand{});
  const double t[] = {0.1, 0.2}, q[] = {0.3, 0.4, 0.5, 0.6};
  const auto evaluation = problem->evaluation();
  const Terms& terms = evaluation->evaluate(Ask::f_q, Points{2, 2, t, q, nullptr, nullptr});
  for (int p = 0; p < 2; ++p) {
    const Mat<2, 2> expected = SwingByHand{}.f_x({q[p], q[2 + p]}, t[p]);
    for (int i = 0; i < 4; ++i) CHECK(terms.f_q[i * terms.stride + p] == expected.data()[i]);
  }
}

TEST_CASE("derivatives of f are given all together", "[problem]") {
  ProblemFunctions of = swing_functions();
  of.kind = Kind::invariants;
  of.sizes = {.nq = 1, .nw = 1};
  of.r = of.f;
  of.differences = true;
  CHECK_THROWS_WITH(problem_from_functions(of),
                    contains_text("f_q is given and f_w is not: give all derivatives"));
  of.f_w = of.r_q = of.f_q;
  CHECK(problem_from_functions(of)->structure().has_f_jacobian);
}

TEST_CASE("unknowns w are eliminated from a Jacobian", "[kkt]") {
  MatX all(4, 4), J;
  all << 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 1, 13, 14, 1, 3;
  AlgebraicElimination elimination;
  REQUIRE(elimination.eliminate(all, 2, J));
  const MatX inverse = (MatX(2, 2) << 3, -1, -1, 2).finished() / 5;
  const MatX expected =
      all.topLeftCorner(2, 2) - all.topRightCorner(2, 2) * inverse * all.bottomLeftCorner(2, 2);
  CHECK((J - expected).norm() < 1e-12);
  all.bottomRows(2).rightCols(2).setZero();
  CHECK_FALSE(elimination.eliminate(all, 2, J));
  REQUIRE(elimination.eliminate(all.topLeftCorner(2, 2), 2, J));
  CHECK(J == MatX(all.topLeftCorner(2, 2)));
}

}  // namespace daewave
