#include "core/eigenvalues.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/catch.hpp"

namespace daewave {
namespace {

TEST_CASE("eigenvalues are those of a matrix that is known by them", "[core]") {
  MatX A(3, 3);
  A << 2, 1, 0, 1, 2, 0, 0, 0, -5;
  VecX found = eigenvalues(A).real();
  std::sort(found.begin(), found.end());
  CHECK((found - VecX(Vec<3>(-5, 1, 3))).norm() < 1e-14);
  const Eigenvectors all = eigenvectors(A);
  for (int j = 0; j < 3; ++j) {
    CHECK((A * all.vectors.col(j) - all.values[j] * all.vectors.col(j)).norm() < 1e-14);
  }
}

TEST_CASE("a matrix that is not finite has no eigenvalues", "[core]") {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    MatX A = MatX::Identity(4, 4);
    A(2, 2) = bad;
    CHECK(std::isnan(eigenvalues(A)[0].real()));
    const Eigenvectors all = eigenvectors(A);
    CHECK(std::isnan(all.values[3].real()));
    CHECK(all.vectors.rows() == 4);
  }
}

}  // namespace
}  // namespace daewave
