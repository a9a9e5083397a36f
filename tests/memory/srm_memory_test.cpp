// Steps of a sequential regularization ask for no memory, in each of the types that the library is
// compiled for.

#include "core/adapt/problem_of.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "ivp/srm/srm_step.hpp"
#include "problems/al2.hpp"
#include "problems/chain.hpp"
#include "problems/scissors.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/srm_problems.hpp"
#include "tests/memory/counted_malloc.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

Regularization form_of(Variant variant, Weight weight) {
  Regularization form;
  form.variant = variant;
  form.weight = weight;
  form.epsilon = 0.02;
  return form;
}

bool steps_ask_for_malloc(std::unique_ptr<RegularizedOde> ode, const VecX& start,
                          const ExplicitTableau& formula, double h) {
  const Tolerance tolerance(Options{}, static_cast<int>(start.size()));
  SrmStep step(std::move(ode), formula, 3, {}, tolerance, true);
  REQUIRE(step.start(0, start));
  VecX x = start;
  step.drift();  // Takes the memory of what it asks.
  return testing::asks_for_malloc([&] {
    for (int i = 0; i < 5; ++i) {
      step.attempt(h);
      step.attempt(h / 2);
      step.accept();
      step.interpolate(0.5, x);
      step.drift();
    }
  });
}

using Regularize = std::unique_ptr<RegularizedOde> (*)(const DaeProblem&, const Regularization&);

void check_no_malloc(Regularize regularized, const DaeProblem& problem, const VecX& start,
                     const std::vector<Variant>& variants, double h = 0.01) {
  for (Variant variant : variants) {
    for (Weight weight : {Weight::inverse, Weight::identity, Weight::transpose}) {
      if (carries_By(variant) && weight != Weight::inverse) continue;
      for (const ExplicitTableau& formula : all_tableaux()) {
        CAPTURE(problem.name(), problem.sizes().nq, name_of(variant), name_of(weight),
                name_of(formula.stepper));
        CHECK_FALSE(steps_ask_for_malloc(regularized(problem, form_of(variant, weight)), start,
                                         formula, h));
      }
    }
  }
}

}  // namespace

TEST_CASE("steps of every variant, weight and formula need no memory", "[srm]") {
  const DaeProblemPtr index_2 = problem_of(problems::Al2Example61{});
  check_no_malloc(regularize, *index_2, *index_2->start(), variants_of_index_2());
  const VecX on_circle = MovingCircle().z_exact(0);
  check_no_malloc(regularize, *problem_of(MovingCircle(), on_circle), on_circle,
                  variants_of_index_3());
  const DaeProblemPtr arm = problem_of(problems::Al2Example64{});
  check_no_malloc(regularize, *arm, *arm->start(), variants_of_index_3());
  check_no_malloc(daewave::detail::regularize_any_multibody, *arm, *arm->start(),
                  variants_of_index_3());
  const DaeProblemPtr crank = problem_of(problems::SliderCrank{});
  check_no_malloc(regularize, *crank, *crank->start(), {Variant::singular, Variant::invariant});
}

TEST_CASE("steps of regularized chains and joints need no memory", "[srm]") {
  for (const DaeProblemPtr& problem :
       {problem_of(problems::Chain{.rods = 4}), problem_of(problems::Scissors(2))}) {
    check_no_malloc(regularize, *problem, *problem->start(), variants_of_index_3(), 1e-4);
  }
}

}  // namespace daewave::ivp
