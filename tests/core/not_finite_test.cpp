#include "core/not_finite.hpp"

#include <limits>

#include "core/types.hpp"
#include "tests/catch.hpp"

using namespace daewave;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("of two numbers the larger is taken, and NaN wherever it stands", "[not-finite]") {
  CHECK(larger(1, 2) == 2);
  CHECK(larger(2, 1) == 2);
  CHECK(larger(-infinite, 0) == 0);
  for (const double other : {0.0, -1.0, infinite, not_a_number}) {
    CHECK(std::isnan(larger(not_a_number, other)));
    CHECK(std::isnan(larger(other, not_a_number)));
  }
}

TEST_CASE("no entry that is NaN is passed over, whatever the size", "[not-finite]") {
  CHECK(largest_size(VecX()) == 0);
  for (int n = 1; n <= 17; ++n) {
    VecX a = VecX::LinSpaced(n, -n, -1);
    CHECK(largest_size(a) == n);
    CHECK(largest_size(a - a) == 0);
    for (int i = 0; i < n; ++i) {
      const double kept = a[i];
      a[i] = not_a_number;
      CHECK(std::isnan(largest_size(a)));
      CHECK(std::isnan(largest_size(a.transpose() * 2)));
      a[i] = kept;
    }
  }
}
