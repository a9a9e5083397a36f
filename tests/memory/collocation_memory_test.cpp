// No memory is asked for while implicit steps are made. Counts malloc, which Eigen calls directly.

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "core/regularize/regularize.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "ivp/srm/srm_step.hpp"
#include "problems/al2.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/plain_systems.hpp"

// Sanitizers bring a malloc of their own, and other C libraries no second name for theirs.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DAEWAVE_SANITIZED
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(DAEWAVE_SANITIZED)

namespace {
std::atomic<long> allocations{0};
}

extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

namespace daewave::ivp {
namespace {

template <class S, class State>
long allocations_in_steps(S& step, const State& start) {
  REQUIRE(step.start(0, start));
  VecX z = start;
  const long before = allocations;
  bool good = step.attempt(0.01) >= 0 && step.accept();  // The first one too.
  for (int i = 0; i < 20; ++i) {
    step.attempt(0.02);
    good = good && !std::isnan(step.attempt(0.01 + 1e-4 * i)) && step.accept();
    step.interpolate(0.5, z);
  }
  const long after = allocations;
  REQUIRE(good);
  return after - before;
}

template <class System>
long allocations_of(Scheme family, int stages, bool estimate, const VecX& start) {
  System system;
  CollocationStep step(system, collocation(family, stages), Tolerance(), estimate);
  return allocations_in_steps(step, start);
}

}  // namespace

TEST_CASE("malloc is counted", "[collocation-step]") {
  const long before = allocations;
  const VecX some = VecX::Ones(3);
  const std::vector<double> more(3);
  CHECK(allocations == before + 2);
  CHECK(some.size() + static_cast<long>(more.size()) == 6);
}

TEST_CASE("implicit steps need no memory", "[collocation-step]") {
  for (const Scheme family : {Scheme::gauss, Scheme::radau}) {
    for (int k = 1; k <= most_implicit_stages; ++k) {
      for (const bool estimate : {false, true}) {
        CAPTURE(name_of(family), k, estimate);
        CHECK(allocations_of<SlowingCircle>(family, k, estimate, SlowingCircle::exact(0)) == 0);
        CHECK(allocations_of<CircleMotion>(family, k, estimate, CircleMotion::exact(0)) == 0);
        CHECK(allocations_of<Decay>(family, k, estimate, VecX::Ones(7)) == 0);
      }
    }
  }
}

TEST_CASE("iterates by collocation need no memory", "[srm-collocation]") {
  const problems::Al2Example61 problem;
  for (const double epsilon : {1e-2, 1e-6}) {
    CAPTURE(epsilon);
    const Regularization form{
        .variant = Variant::direct, .weight = Weight::identity, .epsilon = epsilon};
    SrmStep step(regularize(problem, form, problem.start()), collocation(Scheme::radau, 3), 3);
    CHECK(allocations_in_steps(step, problem.start()) == 0);
  }
}

}  // namespace daewave::ivp

#endif
