// No memory is asked for while multistep steps are made. The sources of the step are compiled here,
// with Eigen watched.

#include "tests/memory/counted_allocations.hpp"

// Not in alphabetical order: the watch comes first.
#include "ivp/multistep/blocked_multistep_step.cpp"
#include "ivp/multistep/grid_coefficients.cpp"
#include "ivp/multistep/multistep_newton.cpp"
#include "ivp/multistep/multistep_past.cpp"

#include "ivp/equations/index_two_of_kernel.hpp"
#include "problems/pendulum.hpp"
#include "problems/truck.hpp"
#include "problems/velocity_pendulum.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

using testing::asks_for_memory;

/// After the starting values, with derivatives, factorizations and a step that is tried twice.
template <class P>
bool steps_ask_for_memory(const P& problem, const BlockedFormula& formula, double h,
                          bool estimate) {
  const double begin = problem.interval().begin;
  IndexTwoSystemOf<P> system(problem, problem.start(), begin);
  BlockedMultistepStep step(system, formula, Tolerance(Options{}, system.nx()), estimate);
  REQUIRE(step.start(begin, VecX(problem.start())));
  for (int i = 0; i < formula.order() + 3; ++i) {
    REQUIRE(!std::isnan(step.attempt(h)));
    REQUIRE(step.accept());
  }
  VecX x = step.state(), lambda;
  step.multiplier(lambda);
  const long factors = step.newton().factorizations();
  const bool asked = asks_for_memory([&] {
    for (int i = 0; i < 30; ++i) {
      const double length = i % 4 < 2 ? 0.9 * h : h;
      step.attempt(2 * length);
      step.attempt(length);
      step.accept();
      step.interpolate(0.5, x);
      step.multiplier(lambda);
      step.multiplier_at(step.t(), x, lambda);
      step.drift();
    }
  });
  CHECK(step.newton().factorizations() > factors);
  return asked;
}

}  // namespace

TEST_CASE("memory that is asked for is noticed in multistep steps", "[multistep]") {
  CHECK(testing::memory_is_watched());
}

TEST_CASE("multistep steps of every formula ask for no memory", "[multistep]") {
  const std::vector<BlockedMultistep> methods{Bdf{}, Dcbdf{}, DcbdfBdf{}, AdamsMoulton{}};
  for (BlockedMultistep method : methods) {
    for (int k = 1; k <= (std::holds_alternative<AdamsMoulton>(method) ? 3 : 6); ++k) {
      std::visit([k](auto& one) { one.order = k; }, method);
      const BlockedFormula formula = blocked_formula(method);
      for (const bool estimate : {true, false}) {
        CAPTURE(method.index(), k, estimate);
        CHECK_FALSE(steps_ask_for_memory(problems::VelocityPendulum{}, formula, 1e-3, estimate));
        CHECK_FALSE(steps_ask_for_memory(problems::Pendulum{}, formula, 1e-3, estimate));
        CHECK_FALSE(steps_ask_for_memory(problems::Truck{.pace = 15}, formula, 1e-3, estimate));
      }
    }
  }
}

}  // namespace daewave::ivp
