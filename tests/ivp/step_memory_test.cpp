// No memory is asked for while steps are made.

#include <atomic>
#include <cstdlib>
#include <new>

#include "ivp/explicit_rk_step.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/plain_systems.hpp"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace daewave::ivp {
namespace {

template <class System>
long allocations_in_steps(const ExplicitTableau& formula, const typename System::State& z0) {
  System system;
  ExplicitRkStep<System> step(system, formula, Tolerance());
  REQUIRE(step.start(0, z0));
  typename System::State z = z0;
  const long before = allocations;
  for (int i = 0; i < 20; ++i) {
    step.attempt(0.02);
    step.attempt(0.01);
    step.accept();
    step.interpolate(0.5, z);
  }
  return allocations - before;
}

}  // namespace

TEST_CASE("memory is counted", "[steppers]") {
  const long before = allocations;
  const std::vector<double> some(3);
  CHECK(allocations == before + 1);
}

TEST_CASE("steps of every explicit formula need no memory", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    CHECK(allocations_in_steps<SlowingCircle>(formula, SlowingCircle::exact(0)) == 0);
    CHECK(allocations_in_steps<Decay<SmallVec>>(formula, SmallVec::Ones(7)) == 0);
  }
}

}  // namespace daewave::ivp
