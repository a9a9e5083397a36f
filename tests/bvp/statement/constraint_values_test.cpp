// Constraints at a state: residuals of positions and velocities, ranges of B, in every structure.

#include "bvp/statement/constraint_values.hpp"

#include <Eigen/LU>
#include <cmath>

#include "core/adapt/problem_of.hpp"
#include "core/derivatives/autodiff.hpp"
#include "problems/chain.hpp"
#include "tests/catch.hpp"
#include "tests/core/small_mechanisms.hpp"

namespace daewave::bvp {
namespace {

/// A pendulum of masses 2 and 5 in its directions, coupled by 1.
struct Heavy : testing::DrivenPendulum {
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>{{2, 1}, {1, 5}}; }
};

/// x' = (x2, -y x1, -y), 0 = x1 x2 - t x3.
struct OfIndex2 {
  using State = Vec<3>;
  using Multiplier = Vec<1>;
  State f(const State& x, double) const { return {x[1], 0, 0}; }
  Vec<3> B(const State& x, double) const { return {0, x[0], 1}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 3>& x, T t) const {
    return VecOf<T, 1>(x[0] * x[1] - t * x[2]);
  }
};

}  // namespace

TEST_CASE("a constraint of index 2 has one residual, and B as it is given", "[nonlinear]") {
  const DaeProblemPtr problem = problem_of(with_autodiff(OfIndex2{}));
  ConstraintValues values(*problem);
  const VecX x = Vec<3>(2, 3, 5);
  CHECK(values.count() == 1);
  CHECK_FALSE(values.is_multibody());
  CHECK(values.residual(x, 0.5)[0] == Approx(6 - 2.5));
  CHECK(values.B(x, 0.5) == MatX(Vec<3>(0, 2, 1)));
  // G = (x2, x1, -t).
  CHECK(values.GB(x, 0.5)(0, 0) == Approx(4 - 0.5));
}

TEST_CASE("a constraint of a motion has a residual of positions and one of velocities",
          "[nonlinear]") {
  const DaeProblemPtr problem = problem_of(with_autodiff(Heavy{}));
  const testing::DrivenPendulum::Derivatives exact;
  ConstraintValues values(*problem);
  CHECK(values.count() == 2);
  CHECK(values.is_multibody());
  const Vec<2> q(0.7, -1.1), v(2, 3);
  VecX state(4);
  state << q, v;
  const VecX off = values.residual(state, 0.4);
  REQUIRE(off.size() == 2);
  CHECK(off[0] == Approx(exact.g(q, 0.4)[0]));
  CHECK(off[1] == Approx((exact.G(q, 0.4) * v + exact.g_t(q, 0.4))[0]));
  // What follows the state, as unknown parameters do, is not looked at.
  VecX more(6);
  more << state, 77, 88;
  CHECK(values.residual(more, 0.4) == off);
  const MatX G = exact.G(q, 0.4), M{{2, 1}, {1, 5}};
  const MatX range = M.inverse() * G.transpose();
  CHECK((values.B(state, 0.4) - range).norm() < 1e-13);
  CHECK((values.GB(state, 0.4) - G * range).norm() < 1e-13);
}

TEST_CASE("constraints of a chain have the values of its dense matrices", "[nonlinear]") {
  const problems::Chain chain{.rods = 3};
  const DaeProblemPtr problem = problem_of(chain);
  const VecX state = VecX::LinSpaced(problem->state_size(), 0.3, 1.7);
  ConstraintValues values(*problem);
  const int nq = problem->sizes().nq, ny = problem->sizes().ny;
  const VecX q = state.head(nq), v = state.tail(nq);
  const VecX off = values.residual(state, 0);
  REQUIRE(off.size() == 2 * ny);
  // G by differences of g.
  MatX G(ny, nq);
  for (int j = 0; j < nq; ++j) {
    constexpr double step = 1e-6;
    VecX more = state, less = state;
    more[j] += step;
    less[j] -= step;
    G.col(j) = (values.residual(more, 0).head(ny) - values.residual(less, 0).head(ny)) / (2 * step);
  }
  CHECK((off.tail(ny) - G * v).norm() < 1e-7);
  const MatX range = values.B(state, 0), GB = values.GB(state, 0);
  CHECK((G * range - GB).norm() < 1e-7);
  CHECK(range.rows() == nq);
  CHECK(range.cols() == ny);
  CHECK((GB - GB.transpose()).norm() < 1e-12);
}

TEST_CASE("ordinary equations have no residual of constraints", "[nonlinear]") {
  struct Free {
    using State = Vec<2>;
    State f(const State& x, double) const { return x; }
  };
  const DaeProblemPtr problem = problem_of(Free{});
  ConstraintValues values(*problem);
  CHECK(values.count() == 0);
  CHECK(values.residual(Vec<2>(1, 2), 0).size() == 0);
}

}  // namespace daewave::bvp
