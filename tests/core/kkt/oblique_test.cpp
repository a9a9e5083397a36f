// The oblique projector and its correction, and what has none.

#include "core/kkt/oblique.hpp"

#include <Eigen/LU>
#include <limits>
#include <random>

#include "tests/catch.hpp"
#include "tests/core/random_babd.hpp"

namespace daewave {
namespace {

struct Ranges {
  MatX B, G;

  explicit Ranges(unsigned seed) {
    std::mt19937_64 random(seed);
    B = testing::random_orthogonal(5, random).leftCols(2);
    G = testing::random_orthogonal(5, random).topRows(2);
  }
};

}  // namespace

TEST_CASE("what is along B and against G is the projector of both", "[kkt][AL2-3]") {
  for (unsigned seed = 1; seed < 10; ++seed) {
    const Ranges ranges(seed);
    ObliqueSplit<VecX, VecX> split;
    REQUIRE(split.split(ranges.B, ranges.G, 1e-12));
    CHECK(split.rank() == 2);
    const MatX GB = ranges.G * ranges.B, inverse = GB.inverse();
    const MatX along = ranges.B * inverse;
    const VecX u = VecX::LinSpaced(5, -1, 2), c = u.head(2);
    VecX a;
    split.forbidden(u, a);
    CHECK((a - along * ranges.G * u).norm() < 1e-13 * (1 + along.norm()));
    split.correct(c, a);
    CHECK((a - along * c).norm() < 1e-13 * (1 + along.norm()));
  }
}

TEST_CASE("an oblique split of what is not finite is refused, wherever that stands", "[kkt]") {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 2; ++j) {
        CAPTURE(bad, i, j);
        ObliqueSplit<VecX, VecX> split;
        Ranges ranges(20);
        ranges.B(i, j) = bad;
        CHECK_FALSE(split.split(ranges.B, ranges.G, 1e-12));
        ranges = Ranges(20);
        ranges.G(j, i) = bad;
        CHECK_FALSE(split.split(ranges.B, ranges.G, 1e-12));
      }
    }
  }
}

}  // namespace daewave
