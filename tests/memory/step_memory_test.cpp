// No memory is asked for while steps are made.

#include "tests/memory/counted_allocations.hpp"

#include "ivp/one_step/explicit_rk_step.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/plain_systems.hpp"

namespace daewave::ivp {
namespace {

using testing::asks_for_memory;

template <class System>
bool steps_ask_for_memory(const ExplicitTableau& formula, const VecX& z0) {
  System system;
  ExplicitRkStep step(system, formula, Tolerance());
  REQUIRE(step.start(0, z0));
  VecX z = z0, y(1);
  return asks_for_memory([&] {
    for (int i = 0; i < 20; ++i) {
      step.attempt(0.02);
      step.attempt(0.01);
      step.accept();
      step.interpolate(0.5, z);
      step.multiplier(y);
      step.drift();
    }
  });
}

}  // namespace

TEST_CASE("memory that is asked for is noticed", "[steppers]") {
  CHECK(testing::memory_is_watched());
}

TEST_CASE("steps of every explicit formula ask for no memory", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    CHECK_FALSE(steps_ask_for_memory<SlowingCircle>(formula, SlowingCircle::exact(0)));
    CHECK_FALSE(steps_ask_for_memory<Decay>(formula, VecX::Ones(7)));
    CHECK_FALSE(steps_ask_for_memory<Decay>(formula, VecX::Ones(30)));
  }
}

}  // namespace daewave::ivp
