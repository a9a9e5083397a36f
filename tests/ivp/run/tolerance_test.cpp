#include "ivp/run/tolerance.hpp"

#include <cmath>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

TEST_CASE("an absolute tolerance that is left open is a tenth of rtol of the size, 1e-9 at most",
          "[ivp]") {
  Options options;
  options.rtol = 1e-10;
  CHECK(absolute_of(options, 1) == 0.1 * 1e-10);
  CHECK(absolute_of(options, 0.5) == Approx(0.5e-11).epsilon(1e-14));
  CHECK(absolute_of(options, 1e3) == 1e-9);
  options.rtol = 1e-4;
  CHECK(absolute_of(options, 1) == 1e-9);
  CHECK(absolute_of(options, 1e-6) == Approx(1e-11).epsilon(1e-14));
  options.atol = 1e-3;
  CHECK(absolute_of(options, 1e-6) == 1e-3);
}

TEST_CASE("errors are measured in atol and in rtol of the larger end", "[ivp]") {
  Options options;
  options.rtol = 1e-2;
  options.atol = 1e-3;
  const Tolerance tolerance(options, 2);
  CHECK(tolerance.relative() == 1e-2);
  CHECK(tolerance.weight(0, 2, -3) == Approx(1e-3 + 3e-2).epsilon(1e-14));
  CHECK(tolerance.weight(1, -4, 3) == Approx(1e-3 + 4e-2).epsilon(1e-14));
  CHECK(std::isnan(tolerance.weight(0, 1, NAN)));
  const VecX error{{0.031, -0.041}}, other{{0.062, 0.0}}, z0{{2, -4}}, z1{{-3, 3}};
  CHECK(tolerance.mean_square(error, z0, z1) == Approx(1).epsilon(1e-13));
  CHECK(tolerance.norm(VecX(2 * error), z0, z1) == Approx(2).epsilon(1e-13));
  const auto [one, second] = tolerance.mean_squares(error, other, z0, z1);
  CHECK(one == Approx(1).epsilon(1e-13));
  CHECK(second == Approx(2).epsilon(1e-13));
  const Tolerance tenfold = tolerance.times(10);
  CHECK(tenfold.relative() == Approx(0.1).epsilon(1e-14));
  CHECK(tenfold.norm(error, z0, z1) == Approx(0.1).epsilon(1e-13));
}

TEST_CASE("an absolute tolerance of each entry is that of the entry, one for each", "[ivp]") {
  Options options;
  options.rtol = 1e-2;
  options.atol = 7;
  options.atol_each = {1e-3, 1e-1};
  const Tolerance tolerance(options, 2);
  CHECK(tolerance.weight(0, 0, 1) == Approx(1e-3 + 1e-2).epsilon(1e-14));
  CHECK(tolerance.weight(1, 0, 1) == Approx(1e-1 + 1e-2).epsilon(1e-14));
  CHECK(tolerance.times(3).weight(1, 0, 1) == Approx(3e-1 + 3e-2).epsilon(1e-14));
  CHECK_THROWS_AS(Tolerance(options, 3), InvalidOption);
  CHECK_THROWS_WITH(Tolerance(options, 3), contains_text("atol_each has 2 entries") &&
                                               contains_text("the 3 entries of the state"));
}

}  // namespace daewave::ivp
