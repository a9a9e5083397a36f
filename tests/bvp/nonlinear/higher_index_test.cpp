// Problems whose index is higher than is said: G B is singular at all times, not small or now and
// then.

#include "bvp/nonlinear/higher_index.hpp"

#include "core/adapt/problem_of.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// 0 = q1, which B moves by `direct` up to t = until, and by 1 from there on.
struct Indirect {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  double direct = 0, until = 1, unit = 1;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], 0}; }
  Vec<2> B(const State&, double t) const { return {unit * (t < until ? direct : 1), unit}; }
  Vec<1> g(const State& x, double) const { return Vec<1>(x[0]); }
  Mat<1, 2> G(const State&, double) const { return {1, 0}; }
  Vec<1> g_t(const State&, double) const { return Vec<1>::Zero(); }
};

/// Two constraints, 0 = x1 and 0 = x1 + apart x2, and multipliers that move x1 and x2, or x1 and
/// nearly x1.
struct Pair {
  using State = Vec<3>;
  using Multiplier = Vec<2>;
  double apart = 1, moved_apart = 1, direct = 0;
  Interval interval() const { return {0, 1}; }
  State f(const State&, double) const { return State::Zero(); }
  Mat<3, 2> B(const State&, double) const {
    return Mat<3, 2>{{1, 1}, {0, direct}, {0, moved_apart}};
  }
  Vec<2> g(const State& x, double) const { return {x[0], x[0] + apart * x[1]}; }
  Mat<2, 3> G(const State&, double) const { return Mat<2, 3>{{1, 0, 0}, {1, apart, 0}}; }
  Vec<2> g_t(const State&, double) const { return Vec<2>::Zero(); }
};

template <class P>
bool is_higher(const P& problem) {
  const int nx = P::State::RowsAtCompileTime;
  return is_of_higher_index(*problem_of(problem), {0, 1},
                            [nx](double) -> VecX { return VecX::Ones(nx); });
}

}  // namespace

TEST_CASE("an index is higher where multipliers nowhere move what is constrained, however little",
          "[nonlinear]") {
  for (const double unit : {1e-6, 1.0, 1e6}) {
    CAPTURE(unit);
    CHECK(is_higher(Indirect{.direct = 0, .unit = unit}));
    for (const double direct : {1.0, 1e-2, 1e-4, 1e-8}) {
      CAPTURE(direct);
      CHECK_FALSE(is_higher(Indirect{.direct = direct, .unit = unit}));
    }
    // At some times they do.
    CHECK_FALSE(is_higher(Indirect{.direct = 0, .until = 0.8, .unit = unit}));
  }
}

TEST_CASE("constraints, or multipliers, that depend on each other are no higher index",
          "[nonlinear]") {
  CHECK(is_higher(Pair{}));
  CHECK_FALSE(is_higher(Pair{.direct = 1e-3}));
  CHECK_FALSE(is_higher(Pair{.apart = 0}));
  CHECK_FALSE(is_higher(Pair{.moved_apart = 0}));
}

}  // namespace daewave::bvp
