// Numbers in SIMD lanes, and linear algebra with them, do in each lane what numbers do.

#include <cmath>
#include <cstdlib>

#include "core/lanes/lane_accelerations.hpp"
#include "core/lanes/lane_array.hpp"
#include "core/lanes/lane_chain.hpp"
#include "core/lanes/lane_cholesky.hpp"
#include "core/lanes/lane_elimination.hpp"
#include "core/lanes/lane_null_space.hpp"
#include "core/lanes/lanes_in_eigen.hpp"
#include "core/machine/sine_cosine.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

template <class T>
T lanes_with(double (*value)(int)) {
  T x;
  for (int i = 0; i < T::width; ++i) x.set(i, value(i));
  return x;
}

TEMPLATE_TEST_CASE("a lane does what a number does", "[lanes]", (Lanes<2, Sse2>), (Lanes<4, Sse2>),
                   (Lanes<8, Sse2>)) {
  const auto a = lanes_with<TestType>([](int i) { return 0.7 + 1.3 * i; });
  const auto b = lanes_with<TestType>([](int i) { return 2.1 - 0.9 * i; });
  for (int i = 0; i < TestType::width; ++i) {
    CHECK((a + b)[i] == a[i] + b[i]);
    CHECK((a - 3.0)[i] == a[i] - 3);
    CHECK((2.0 * a / b)[i] == 2 * a[i] / b[i]);
    CHECK((-b)[i] == -b[i]);
    CHECK(sqrt(a)[i] == std::sqrt(a[i]));
    CHECK(abs(b)[i] == std::abs(b[i]));
    CHECK(max(a, b)[i] == std::max(a[i], b[i]));
    CHECK(min(a, b)[i] == std::min(a[i], b[i]));
    CHECK(sin(a)[i] == sine_cosine(a[i]).sine);
    CHECK(cos(b)[i] == sine_cosine(b[i]).cosine);
    CHECK(exp(b)[i] == std::exp(b[i]));
    CHECK(((a < b).bits() >> i & 1U) == (a[i] < b[i] ? 1U : 0U));
    CHECK(select(a < b, a, b)[i] == std::min(a[i], b[i]));
    CHECK(moved_up(a, -1)[i] == (i == 0 ? -1 : a[i - 1]));
  }
}

TEMPLATE_TEST_CASE("the larger in each lane is NaN where one of them is", "[lanes]",
                   (Lanes<2, Sse2>), (Lanes<4, Sse2>), (Lanes<8, Sse2>)) {
  const auto a = lanes_with<TestType>([](int i) { return i % 4 == 1 ? NAN : 1.5 - i; });
  const auto b = lanes_with<TestType>([](int i) { return i % 4 == 2 ? NAN : 0.0; });
  for (int i = 0; i < TestType::width; ++i) {
    if (i % 4 == 1 || i % 4 == 2) {
      CHECK(std::isnan(larger(a, b)[i]));
    } else {
      CHECK(larger(a, b)[i] == std::max(a[i], b[i]));
    }
  }
}

TEMPLATE_TEST_CASE("functions of the standard library are those of each lane", "[lanes]",
                   (Lanes<2, Sse2>), (Lanes<4, Sse2>), (Lanes<8, Sse2>)) {
  const auto a = lanes_with<TestType>([](int i) { return 0.1 + 0.11 * i; });
  const auto b = lanes_with<TestType>([](int i) { return 2.1 - 0.9 * i; });
  for (int i = 0; i < TestType::width; ++i) {
    CHECK(tan(a)[i] == std::tan(a[i]));
    CHECK(asin(a)[i] == std::asin(a[i]));
    CHECK(acos(a)[i] == std::acos(a[i]));
    CHECK(atan(b)[i] == std::atan(b[i]));
    CHECK(log(a)[i] == std::log(a[i]));
    CHECK(sinh(b)[i] == std::sinh(b[i]));
    CHECK(cosh(b)[i] == std::cosh(b[i]));
    CHECK(tanh(b)[i] == std::tanh(b[i]));
    CHECK(pow(a, 2.5)[i] == std::pow(a[i], 2.5));
    CHECK(pow(a, b)[i] == std::pow(a[i], b[i]));
    CHECK(atan2(b, a)[i] == std::atan2(b[i], a[i]));
    CHECK(hypot(a, b)[i] == std::hypot(a[i], b[i]));
  }
}

TEST_CASE("a lane with a large angle, or none, leaves the others their bits", "[lanes]") {
  using T = Lanes<4, Sse2>;
  T x;
  const double angles[4] = {1.25, 3e7, std::nan(""), -2.5};
  for (int i = 0; i < 4; ++i) x.set(i, angles[i]);
  const T s = sin(x), c = cos(x);
  for (int i : {0, 3}) {
    CHECK(s[i] == sine_cosine(angles[i]).sine);
    CHECK(c[i] == sine_cosine(angles[i]).cosine);
  }
  CHECK(s[1] == std::sin(3e7));
  CHECK(c[1] == std::cos(3e7));
  CHECK(std::isnan(s[2]));
  CHECK((finite_in(x).bits() & 0xFU) == 0xBU);
}

TEST_CASE("each lane is eliminated with pivots of its own", "[lanes]") {
  using T = Lanes<4, Sse2>;
  constexpr int n = 3, m = 5;
  std::srand(7);
  for (int round = 0; round < 20; ++round) {
    Mat<n, m> A[4];
    MatOf<T, n, m> lanes;
    for (int lane = 0; lane < 4; ++lane) {
      A[lane].setRandom();
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j) lanes(i, j).set(lane, A[lane](i, j));
      }
    }
    LaneElimination<T, n, m> elimination;
    CHECK_FALSE(elimination.eliminate(lanes, 1e-12).any());
    VecOf<T, n> c(T(1), T(-2), T(0.5)), lambda;
    VecOf<T, m> x, z[m - n];
    elimination.particular(c, x);
    for (int j = 0; j < m - n; ++j) elimination.null_space(j, z[j]);
    VecOf<T, m> f;
    for (int j = 0; j < m; ++j) f[j] = lanes(0, j) * 3.0 - lanes(2, j);
    elimination.transposed(f, lambda);
    for (int lane = 0; lane < 4; ++lane) {
      const auto of = [lane](const auto& v) {
        VecX one(v.size());
        for (int i = 0; i < v.size(); ++i) one[i] = v[i][lane];
        return one;
      };
      // Pivots of random rows are seldom below 1e-2: errors of a few hundred roundings.
      CHECK((A[lane] * of(x) - of(c)).norm() < 1e-12);
      for (int j = 0; j < m - n; ++j) {
        CHECK((A[lane] * of(z[j])).norm() < 1e-12 * (1 + of(z[j]).norm()));
      }
      CHECK((of(lambda) - Vec<3>(3, 0, -1)).norm() < 1e-11);
    }
  }
}

TEST_CASE("sizes of the type and those of run time give the same bits", "[lanes]") {
  using T = Lanes<4, Sse2>;
  constexpr int n = 3, m = 5;
  std::srand(11);
  MatOf<T, n, m> A;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      for (int lane = 0; lane < 4; ++lane) A(i, j).set(lane, Vec<1>::Random()[0]);
    }
  }
  LaneElimination<T, n, m> fixed;
  LaneElimination<T, Dynamic, Dynamic> loose(n, m);
  fixed.eliminate(A, 1e-12);
  loose.eliminate(A, 1e-12);
  LaneCholesky<T, m> fixed_squares;
  LaneCholesky<T, Dynamic> loose_squares(m);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j <= i; ++j) {
      const T entry = A(0, i) * A(0, j) + T(i == j ? 3 : 0);
      fixed_squares(i, j) = entry;
      loose_squares(i, j) = entry;
    }
  }
  CHECK_FALSE(fixed_squares.factorize().any());
  CHECK_FALSE(loose_squares.factorize().any());
  const VecOf<T, n> c(T(1), T(-2), T(0.5));
  VecOf<T, m> x, y;
  fixed.particular(c, x);
  loose.particular(c, y);
  fixed_squares.solve(x);
  loose_squares.solve(y);
  for (int i = 0; i < m; ++i) CHECK((x[i] == y[i]).all());
}

TEST_CASE("what was eliminated before changes no bit, wherever its pivots were", "[lanes]") {
  using T = Lanes<4, Sse2>;
  constexpr int n = 3, m = 5;
  std::srand(17);
  LaneElimination<T, n, m> used;
  LaneElimination<T, Dynamic, Dynamic> loose(n, m);
  Mat<n, m> A = Mat<n, m>::Random();
  for (int round = 0; round < 60; ++round) {
    // Near the one before, other matrices in other lanes, rows of equal entries, and another one.
    const int kind = round % 4;
    if (kind == 0) A = Mat<n, m>::Random();
    A += 1e-3 * Mat<n, m>::Random();
    if (kind == 3) A.row(round % n).setConstant(round % 8 == 3 ? 0.5 : -0.5);
    MatOf<T, n, m> lanes;
    for (int lane = 0; lane < 4; ++lane) {
      const Mat<n, m> of = kind == 2 && lane % 2 == 1 ? Mat<n, m>::Random() : A;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j) lanes(i, j).set(lane, of(i, j));
      }
    }
    LaneElimination<T, n, m> fresh;
    const unsigned lost = fresh.eliminate(lanes, 1e-12).bits();
    CHECK(used.eliminate(lanes, 1e-12).bits() == lost);
    CHECK(loose.eliminate(lanes, 1e-12).bits() == lost);
    CHECK((used.smallest_pivot() == fresh.smallest_pivot()).all());
    const VecOf<T, n> c(T(1), T(-2), T(0.5));
    VecOf<T, m> x, same, other;
    for (int j = 0; j <= m - n; ++j) {
      if (j == m - n) {
        fresh.particular(c, x);
        used.particular(c, same);
        loose.particular(c, other);
      } else {
        fresh.null_space(j, x);
        used.null_space(j, same);
        loose.null_space(j, other);
      }
      for (int i = 0; i < m; ++i) {
        CHECK((x[i] == same[i]).all());
        CHECK((x[i] == other[i]).all());
      }
    }
  }
}

TEST_CASE("light bodies on heavy ones lose no digits in lanes, each lane with its masses",
          "[lanes]") {
  using T = Lanes<4, Sse2>;
  // A heavy body and two light ones, each held to the one before by a rod along (1.5, 1).
  constexpr int nq = 6, nl = 2;
  const double light[4] = {1, 1e-4, 1e-9, 1e-14};
  MatOf<T, nl, nq> G;
  VecOf<T, nq> M, f, a, found;
  const double row[nl][nq] = {{-1.5, -1, 1.5, 1, 0, 0}, {0, 0, -1.5, -1, 1.5, 1}};
  const double at[nq] = {0.3, -0.7, 0.1, -0.2, 0.9, 0.4}, force[nl] = {0.6, -0.8};
  VecOf<T, nl> c, lambda, Ga;
  for (int lane = 0; lane < 4; ++lane) {
    for (int j = 0; j < nq; ++j) {
      M[j].set(lane, j < 2 ? 1 : light[lane]);
      a[j].set(lane, at[j]);
      for (int i = 0; i < nl; ++i) G(i, j).set(lane, row[i][j]);
    }
    for (int i = 0; i < nl; ++i) lambda[i].set(lane, light[lane] * force[i]);
  }
  f = M.cwiseProduct(a) + G.transpose() * lambda;
  Ga = G * a;
  c = -Ga;
  LaneAccelerations<T, nq, nl, true> accelerations(nq, nl, 0.1);
  for (int lane = 0; lane < 4; ++lane) {
    LaneAccelerations<T, nq, nl, true>::Order order;
    accelerations.choose(G, M, lane, order);
    const auto lost = accelerations.solve(G, M, f, c, 1e-12, order, found);
    CHECK((lost.bits() >> lane & 1U) == 0);
    for (int j = 0; j < nq; ++j) CHECK(std::abs(found[j][lane] - at[j]) < 1e-14);
  }
  LaneNullSpace<T, nq, nl, true> split;
  CHECK_FALSE(split.split(G, M, 1e-12).any());
  split.particular(Ga, found);
  VecOf<T, nq> force_left;
  split.apply_mass(found, force_left);
  force_left = f - force_left;
  split.add_free_part(force_left, found);
  split.apply_mass(found, force_left);
  force_left = f - force_left;
  split.transposed(force_left, lambda);
  for (int lane = 0; lane < 4; ++lane) {
    for (int j = 0; j < nq; ++j) CHECK(std::abs(found[j][lane] - at[j]) < 1e-14);
    for (int i = 0; i < nl; ++i) {
      CHECK(std::abs(lambda[i][lane] / light[lane] - force[i]) < 1e-14);
    }
  }
}

TEST_CASE("a lane whose chain has a light body between heavy ones is named", "[lanes]") {
  using T = Lanes<4, Sse2>;
  constexpr int bodies = 3;
  double M[3 * bodies][4], G[4 * bodies][4], f[3 * bodies][4], none[2 * bodies][4] = {};
  const double light[4] = {1, 1e-2, 1e-6, 1e-9};
  for (int lane = 0; lane < 4; ++lane) {
    for (int j = 0; j < 3 * bodies; ++j) {
      M[j][lane] = j / 3 == 1 ? light[lane] : 1;
      f[j][lane] = 0.1 * j;
    }
    for (int j = 0; j < 4 * bodies; ++j) G[j][lane] = j % 2 == 0 ? 0.5 : 0.1 * j;
  }
  LaneChain<T> chain(bodies);
  LaneArray<T> a(3 * bodies);
  chain.set_mass(M[0]);
  CHECK(chain.solve(f[0], G[0], none[0], a.data()).bits() == 0b1100);
}

TEST_CASE("a lane without full rank is named, and the others are not", "[lanes]") {
  using T = Lanes<4, Sse2>;
  MatOf<T, 2, 3> A;
  for (int lane = 0; lane < 4; ++lane) {
    const double last = lane == 1 ? 0 : lane == 3 ? std::nan("") : 1;
    const double rows[2][3] = {{1, 2, 3}, {2, 4 + last, 6}};
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 3; ++j) A(i, j).set(lane, rows[i][j]);
    }
  }
  LaneElimination<T, 2, 3> elimination;
  CHECK(elimination.eliminate(A, 1e-12).bits() == 0b1010U);
}

TEST_CASE("a pivot counts beside the largest entry of its lane, in any unit", "[lanes]") {
  using T = Lanes<4, Sse2>;
  // Of the second row `left` stays beside the first, and 4e-6 is the millionth of the largest
  // entry.
  const auto lost = [](double unit, double left, auto elimination) {
    MatOf<T, 2, 3> A;
    for (int lane = 0; lane < 4; ++lane) {
      const double rows[2][3] = {{1, 2, 4}, {0.5, 1 + (lane == 2 ? left : 1), 2}};
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 3; ++j) A(i, j).set(lane, unit * rows[i][j]);
      }
    }
    return elimination.eliminate(A, 1e-6).bits();
  };
  for (const double unit : {1.0, 1e-30, 1e30}) {
    CAPTURE(unit);
    CHECK(lost(unit, 4.1e-6, LaneElimination<T, 2, 3>()) == 0);
    CHECK(lost(unit, 3.9e-6, LaneElimination<T, 2, 3>()) == 0b0100U);
    CHECK(lost(unit, 4.1e-6, LaneElimination<T, Dynamic, Dynamic>(2, 3)) == 0);
    CHECK(lost(unit, 3.9e-6, LaneElimination<T, Dynamic, Dynamic>(2, 3)) == 0b0100U);
  }
}

}  // namespace
}  // namespace daewave
