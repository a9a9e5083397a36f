// No memory is asked for while a BDF steps and projects.

#include <cstdlib>

#include "ivp/equations/dae_system_of_struct.hpp"
#include "ivp/multistep/bdf_step.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/rolling_on_circle.hpp"
#include "tests/memory/counted_malloc.hpp"

namespace daewave::ivp {
namespace {

using testing::malloc_calls;

long calls_of_steps(DaeSystem& system, const VecX& z0, const BdfOptions& options, double h) {
  BdfStep step(system, options, Tolerance());
  REQUIRE(step.start(0, z0));
  VecX between(system.nz()), multiplier;
  // The first of each kind of call may size what it returns; fixed steps start by a run of its own.
  bool fine = true;
  const auto some = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const double tried = options.fixed ? h : step.next_length();
      const bool taken = step.attempt(tried) <= 1 && step.accept();
      fine = fine && (taken || !options.fixed);
      step.interpolate(0.5, between);
      fine = fine && step.multiplier(multiplier);
      step.drift();
    }
  };
  if (options.fixed) {
    some(8);
  } else {
    fine = step.attempt(0.01 * h) <= 1 && step.accept() && step.multiplier(multiplier);
  }
  const long before = malloc_calls();
  some(60);
  const long asked = malloc_calls() - before;
  CHECK(fine);
  return asked;
}

}  // namespace

TEST_CASE("memory that is asked for by a library is noticed", "[bdf]") {
  const long before = malloc_calls();
  void* volatile memory = std::malloc(8);
  std::free(memory);
  CHECK(malloc_calls() - before == (testing::malloc_is_watched() ? 1 : 0));
}

TEST_CASE("steps of a BDF, and projections, ask for no memory", "[bdf]") {
  const problems::Pendulum pendulum;
  const RollingOnCircle<> rolling;
  for (auto form : {MultiplierForm::eliminated, MultiplierForm::index_1}) {
    for (auto metric :
         {ProjectionMetric::orthogonal, ProjectionMetric::weighted, ProjectionMetric::mass}) {
      for (bool fixed : {false, true}) {
        CAPTURE(static_cast<int>(form), static_cast<int>(metric), fixed);
        BdfOptions options{.order = 5, .fixed = fixed, .projection = {.metric = metric}};
        const auto motion = dae_system_of(pendulum, pendulum.start(), 0, form);
        CHECK(calls_of_steps(*motion, VecX(pendulum.start()), options, 1e-3) == 0);
        if (metric == ProjectionMetric::mass) continue;
        options.projection.estimate = true;
        const auto contact =
            dae_system_of(rolling, rolling.start(), rolling.start_algebraic(), 0, form);
        CHECK(calls_of_steps(*contact, VecX(rolling.start()), options, 1e-3) == 0);
      }
    }
  }
}

TEST_CASE("steps of a BDF with multipliers for invariants ask for no memory", "[bdf][invariants]") {
  const problems::Pendulum pendulum;
  const RollingOnCircle<> rolling;
  for (auto form : {MultiplierForm::eliminated, MultiplierForm::index_1}) {
    for (bool fixed : {false, true}) {
      CAPTURE(static_cast<int>(form), fixed);
      const BdfOptions options{.order = 5, .fixed = fixed, .multipliers = true};
      const auto motion = dae_system_of(pendulum, pendulum.start(), 0, form);
      CHECK(calls_of_steps(*motion, VecX(pendulum.start()), options, 1e-3) == 0);
      const auto contact =
          dae_system_of(rolling, rolling.start(), rolling.start_algebraic(), 0, form);
      CHECK(calls_of_steps(*contact, VecX(rolling.start()), options, 1e-3) == 0);
    }
  }
}

}  // namespace daewave::ivp
