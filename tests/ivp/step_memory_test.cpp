// No memory is asked for while steps are made. An executable of its own: what is defined here
// changes how Eigen is compiled.

#include <atomic>
#include <cstdlib>
#include <new>
#include <stdexcept>

#define EIGEN_RUNTIME_NO_MALLOC
#define eigen_assert(condition)                           \
  do {                                                    \
    if (!(condition)) throw std::logic_error(#condition); \
  } while (false)

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
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size > 0 ? size : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace daewave::ivp {
namespace {

/// Eigen asks malloc, not operator new.
struct MallocForbidden {
  MallocForbidden() { Eigen::internal::set_is_malloc_allowed(false); }
  ~MallocForbidden() { Eigen::internal::set_is_malloc_allowed(true); }
};

template <class Work>
bool asks_for_memory(const Work& work) {
  const long before = allocations;
  try {
    const MallocForbidden guard;
    work();
  } catch (const std::logic_error&) {
    return true;
  }
  return allocations != before;
}

template <class System>
bool steps_ask_for_memory(const ExplicitTableau& formula, const typename System::State& z0) {
  System system;
  ExplicitRkStep<System> step(system, formula, Tolerance());
  REQUIRE(step.start(0, z0));
  typename System::State z = z0;
  typename System::Multiplier y;
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
  double sum = 0;
  CHECK(asks_for_memory([&] { sum += VecX::Ones(3).eval().sum(); }));
  CHECK(asks_for_memory([&] { sum += std::vector<double>(3, 1.0).back(); }));
  CHECK_FALSE(asks_for_memory([&] { sum += Vec<3>::Ones().eval().sum(); }));
  CHECK(sum >= 3);
}

TEST_CASE("steps of every explicit formula ask for no memory", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    CHECK_FALSE(steps_ask_for_memory<SlowingCircle>(formula, SlowingCircle::exact(0)));
    CHECK_FALSE(steps_ask_for_memory<Decay<SmallVec>>(formula, SmallVec::Ones(7)));
    CHECK_FALSE(steps_ask_for_memory<Decay<VecX>>(formula, VecX::Ones(30)));
  }
}

}  // namespace daewave::ivp
