// How fast what lengths change falls.

#include "bvp/nonlinear/length_decay.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace daewave::bvp {

TEST_CASE("the power of a decay is that of the last two lengths", "[nonlinear]") {
  LengthDecay decay;
  CHECK(decay.power() == 0);
  decay.see(10, 1e-2);
  CHECK(decay.power() == 0);
  CHECK(decay.power_before() == 0);
  CHECK_FALSE(decay.rises());
  decay.see(20, 1e-2 / 4);
  CHECK(decay.power() == Approx(2));
  CHECK(decay.power_before() == 0);
  decay.see(40, 1e-2 / 4 / 8);
  CHECK(decay.count() == 3);
  CHECK(decay.gap() == 1e-2 / 32);
  CHECK(decay.power() == Approx(3));
  CHECK(decay.power_before() == Approx(2));
  decay.see(80, 0);
  CHECK(decay.power() == 100);
}

TEST_CASE("what does not fall has no power, and rises where it clearly does", "[nonlinear]") {
  LengthDecay decay;
  decay.see(10, 1e-3);
  decay.see(20, 1.05e-3);
  CHECK(decay.power() == 0);
  CHECK_FALSE(decay.rises());
  decay.see(40, 1.2e-3);
  CHECK(decay.power() == 0);
  CHECK(decay.rises());
}

}  // namespace daewave::bvp
