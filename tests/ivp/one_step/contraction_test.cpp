#include "ivp/one_step/contraction.hpp"

#include "tests/catch.hpp"

using namespace daewave::ivp;

TEST_CASE("a geometric sequence is known from its second change on", "[steppers]") {
  Contraction seen;
  CHECK_FALSE(seen.see(1));
  CHECK(seen.rate() == 0);
  REQUIRE(seen.see(0.25));
  CHECK(seen.rate() == 0.25);
  CHECK(seen.change() == 0.25);
  // 1/16 + 1/64 + ... = 1/12.
  CHECK(Contraction::left(seen.rate(), seen.change()) == Approx(1.0 / 12));
  seen.begin();
  CHECK_FALSE(seen.see(0.5));
}

TEST_CASE("after a change of zero no rate is known", "[steppers]") {
  Contraction seen;
  seen.see(0);
  CHECK_FALSE(seen.see(1e-17));
  CHECK(seen.see(1e-18));
}
