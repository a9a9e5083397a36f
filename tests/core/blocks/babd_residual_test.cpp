// Residuals of a matrix of one unknown, by hand.

#include <cmath>

#include "core/blocks/babd_matrix.hpp"
#include "tests/catch.hpp"

namespace daewave {

namespace {

/// u_{i+1} = u_i, and u_0 = 1; more intervals than are looked at in one chunk.
BabdMatrix constant(int intervals) {
  BabdMatrix matrix(1, intervals);
  for (int i = 0; i < intervals; ++i) {
    *matrix.S(i) = -1;
    *matrix.R(i) = 1;
  }
  matrix.B0 = MatX{{1}};
  matrix.B1 = MatX{{0}};
  return matrix;
}

}  // namespace

TEST_CASE("the backward error of a row is found whichever row it is", "[linear]") {
  constexpr int intervals = 3000;
  const BabdMatrix matrix = constant(intervals);
  const VecX u = VecX::Ones(intervals + 1);
  VecX right = VecX::Zero(intervals + 1), residual;
  right[intervals] = 1;
  CHECK(matrix.residual(right, u, residual) == 0);
  CHECK(residual.isZero(0));
  for (const int row : {0, 1023, 1024, 2047, 2500, 2999}) {
    CAPTURE(row);
    VecX off = right;
    off[row] = 0.5;
    // Of |S| |u| + |R| |u| + |right|.
    CHECK(matrix.residual(off, u, residual) == Approx(0.5 / 2.5));
    CHECK(residual[row] == 0.5);
    CHECK(residual.sum() == 0.5);
  }
  right[intervals] = 1.5;
  CHECK(matrix.residual(right, u, residual) == Approx(0.5 / 2.5));
  CHECK(residual[intervals] == 0.5);
  right[1500] = NAN;
  CHECK(std::isinf(matrix.residual(right, u, residual)));
}

TEST_CASE("rounding of the whole solution is no residual where it vanishes", "[linear]") {
  constexpr int intervals = 10, jump = 5;
  const BabdMatrix matrix = constant(intervals);
  VecX u = VecX::Zero(intervals + 1), right = VecX::Zero(intervals + 1), residual;
  u.tail(intervals - jump).setOnes();
  right[jump] = 1;
  CHECK(matrix.residual(right, u, residual) == 0);
  u[2] = 1e-17;
  CHECK(matrix.residual(right, u, residual) < 1e-14);
  u[2] = 1e-12;
  CHECK(matrix.residual(right, u, residual) > 1e-10);
}

TEST_CASE(
    "the error of a row is that of its own terms, however small beside the others of its block",
    "[linear]") {
  constexpr int intervals = 1500;
  constexpr double unit = 1e-9;
  // Two that do not know of each other, the second in a small unit.
  BabdMatrix matrix(2, intervals);
  for (int i = 0; i < intervals; ++i) {
    const double of_both[4] = {1, 0, 0, 1};
    for (int e = 0; e < 4; ++e) {
      matrix.S(i)[e] = of_both[e];
      matrix.R(i)[e] = -of_both[e];
    }
  }
  matrix.B0 = MatX::Identity(2, 2);
  VecX u(matrix.rows()), right = VecX::Zero(matrix.rows()), residual;
  for (int i = 0; i <= intervals; ++i) u.segment(2 * i, 2) << 1, unit;
  right.tail(2) << 1, unit;
  const VecX sizes = matrix.sizes_of(u);
  CHECK(sizes == VecX{{1, unit}});
  CHECK(matrix.residual(right, u, residual) == 0);
  CHECK(matrix.row_error(right, u, sizes, residual) == 0);
  // Half of all that it is.
  for (const int row : {1, 2 * 1024 - 1, 2 * 1024 + 1, 2 * intervals - 1}) {
    CAPTURE(row);
    VecX off = right;
    off[row] = 0.5 * unit;
    CHECK(matrix.residual(off, u, residual) < unit);
    CHECK(matrix.row_error(off, u, sizes, residual) == Approx(0.5 / 2.5));
  }
  VecX off = right;
  off[2 * intervals + 1] = 1.5 * unit;
  CHECK(matrix.residual(off, u, residual) < unit);
  CHECK(matrix.row_error(off, u, sizes, residual) == Approx(0.5 / 2.5));
}

}  // namespace daewave
