// No memory is asked for while multistep steps are made.

#include "core/adapt/problem_of.hpp"
#include "ivp/equations/index_two_system_of.hpp"
#include "ivp/multistep/blocked_multistep_step.hpp"
#include "problems/pendulum.hpp"
#include "problems/scissors.hpp"
#include "problems/truck.hpp"
#include "problems/velocity_pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/memory/counted_malloc.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

/// After the starting values, with derivatives, factorizations and a step that is tried twice.
bool steps_ask_for_malloc(const DaeProblem& problem, const BlockedFormula& formula, double h,
                          bool estimate) {
  const double begin = problem.interval()->begin;
  const auto system = index_two_system_of(problem, *problem.start(), begin);
  BlockedMultistepStep step(*system, formula, Tolerance(Options{}, system->nx()), estimate);
  REQUIRE(step.start(begin, *problem.start()));
  for (int i = 0; i < formula.order() + 3; ++i) {
    REQUIRE(!std::isnan(step.attempt(h)));
    REQUIRE(step.accept());
  }
  VecX x = step.state(), lambda;
  step.multiplier(lambda);
  step.drift();
  const long factors = step.newton().factorizations();
  const bool asked = testing::asks_for_malloc([&] {
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

TEST_CASE("multistep steps of every formula ask for no memory", "[multistep]") {
  const DaeProblemPtr of_problems[] = {
      problem_of(problems::VelocityPendulum{}), problem_of(problems::Pendulum{}),
      problem_of(problems::Truck{.pace = 15}), problem_of(problems::Scissors(1))};
  const std::vector<BlockedMultistep> methods{Bdf{}, Dcbdf{}, DcbdfBdf{}, AdamsMoulton{}};
  for (BlockedMultistep method : methods) {
    for (int k = 1; k <= (std::holds_alternative<AdamsMoulton>(method) ? 3 : 6); ++k) {
      std::visit([k](auto& one) { one.order = k; }, method);
      const BlockedFormula formula = blocked_formula(method);
      for (const bool estimate : {true, false}) {
        for (const DaeProblemPtr& problem : of_problems) {
          // It rests until it comes to a bump, and multipliers of steps in which x moves by less
          // than the tolerance come from the underlying equation, which no usual step asks for.
          if (estimate && problem->name() == "truck") continue;
          CAPTURE(method.index(), k, estimate, problem->name());
          CHECK_FALSE(steps_ask_for_malloc(*problem, formula, 1e-3, estimate));
        }
      }
    }
  }
}

}  // namespace daewave::ivp
