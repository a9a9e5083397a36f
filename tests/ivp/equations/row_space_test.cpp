#include "ivp/equations/row_space.hpp"

#include <cmath>

#include "core/types.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

void fill(RowSpace& space, const MatX& H) {
  for (int i = 0; i < H.rows(); ++i) {
    for (int j = 0; j < H.cols(); ++j) space.row(i)[j] = H(i, j);
  }
}

}  // namespace

TEST_CASE("the smallest change that a wide matrix asks for is that of its pseudoinverse",
          "[projection]") {
  const MatX H{{1, 2, 0, -1}, {0.5, -3, 1, 2}, {4, 0, 0.1, 1}};
  const VecX c{{0.3, -1, 2}};
  RowSpace space;
  space.resize(4, 5);  // Larger than what comes.
  fill(space, H);
  REQUIRE(space.orthonormalize(3, 4, 1e-12));
  CHECK(space.rank() == 3);
  VecX d = VecX::Constant(5, 9);
  space.smallest(c.data(), d.data());
  const VecX expected = H.transpose() * (H * H.transpose()).inverse() * c;
  // Inverses of H H^T have rounding times its condition, some hundred.
  CHECK((d.head(4) - expected).norm() < 1e-13);
  CHECK(d[4] == 9);
  VecX e{{1, -2, 0.5, 3}};
  const VecX rest = e - H.transpose() * (H * H.transpose()).inverse() * (H * e);
  space.remove(e.data());
  CHECK((e - rest).norm() < 1e-13);
}

TEST_CASE("a basis is orthonormal, largest rows first", "[projection]") {
  const MatX H{{1, 0, 0}, {0, 0, 3}, {1, 2, 1}};
  RowSpace space;
  space.resize(3, 3);
  fill(space, H);
  REQUIRE(space.orthonormalize(3, 3, 1e-12));
  CHECK(space.row_in_order(0) == 1);
  CHECK(space.row_in_order(1) == 2);
  CHECK(space.row_in_order(2) == 0);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double product = 0;
      for (int k = 0; k < 3; ++k) product += space.basis(i)[k] * space.basis(j)[k];
      CHECK(product == Approx(i == j ? 1 : 0).margin(1e-15));
    }
  }
}

TEST_CASE("rows of which nothing is left are dropped, as the tolerance tells", "[projection]") {
  RowSpace space;
  space.resize(3, 3);
  for (const double off : {1e-3, 1e-9}) {
    fill(space, MatX{{1, 0, 0}, {1, off, 0}, {0, 0, 1}});
    REQUIRE(space.orthonormalize(3, 3, 1e-6));
    CHECK(space.rank() == (off > 1e-6 ? 3 : 2));
  }
  // What is asked of a row that was dropped moves nothing.
  const VecX c{{2, 2, 3}};
  VecX d(3);
  space.smallest(c.data(), d.data());
  CHECK((d - VecX{{2, 0, 3}}).norm() < 1e-8);
  fill(space, MatX::Zero(3, 3));
  REQUIRE(space.orthonormalize(3, 3, 1e-6));
  CHECK(space.rank() == 0);
}

TEST_CASE("a matrix that is not finite has no basis", "[projection]") {
  RowSpace space;
  space.resize(2, 2);
  fill(space, MatX{{1, 0}, {NAN, 1}});
  CHECK_FALSE(space.orthonormalize(2, 2, 1e-6));
}

}  // namespace daewave::ivp
