// Step by step and sweep by sweep are the same computation, to the last bit, and step by step needs
// no memory while it goes.

#include <cmath>
#include <vector>

#include "core/regularize/regularize_problem.hpp"
#include "ivp/srm/srm_step.hpp"
#include "ivp/srm/srm_sweeps.hpp"
#include "problems/al2.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/srm_problems.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;

namespace {

/// Steps of two lengths, so that nothing depends on one.
std::vector<double> steps() {
  std::vector<double> lengths;
  for (int i = 0; i < 24; ++i) lengths.push_back(i % 3 == 0 ? 0.004 : 0.007);
  return lengths;
}

void check_same_bits(const DaeProblem& problem, const VecX& start, const Regularization& form,
                     const ivp::ExplicitTableau& formula) {
  CAPTURE(name_of(form.variant), name_of(form.weight), ivp::name_of(formula.stepper));
  constexpr int iterates = 3;
  const auto y_0 = [](double t, VecX& y) { y.setConstant(1 + 0.1 * t); };
  const auto ode = regularize(problem, form);
  ivp::SrmStep step(ode->clone(), formula, iterates, y_0);
  ivp::SrmSweeps sweeps(ode->clone(), formula, y_0);
  REQUIRE(sweeps.run(0, start, steps(), iterates));
  REQUIRE(step.start(0, start));
  int node = 0;
  for (double h : steps()) {
    REQUIRE(step.attempt(h) == 0);
    step.accept();
    ++node;
    CHECK((step.state().array() == sweeps.x(node).array()).all());
    CHECK((step.iterate(iterates).carried.array() == sweeps.carried(node).array()).all());
    CHECK(step.t() == sweeps.t(node));
  }
  CHECK(step.state().allFinite());
}

template <class P>
void check_all(const P& problem, const std::vector<Variant>& variants) {
  const DaeProblemPtr erased = problem_of(problem);
  const VecX start = problem.z_exact(0);
  for (Variant variant : variants) {
    Regularization form;
    form.variant = variant;
    form.epsilon = 0.01;
    for (const ivp::ExplicitTableau& formula : ivp::all_tableaux()) {
      check_same_bits(*erased, start, form, formula);
    }
    if (carries_By(variant)) continue;
    for (Weight weight : {Weight::identity, Weight::transpose}) {
      form.weight = weight;
      check_same_bits(*erased, start, form, ivp::tableau(ivp::Stepper::heun));
    }
  }
}

}  // namespace

TEST_CASE("step-local and sweep orders give the same bits for every formula and variant",
          "[srm][AL2-6]") {
  check_all(problems::Al2Example61(), variants_of_index_2());
  check_all(MovingCircle(), variants_of_index_3());
  check_all(MovingCylinder(), variants_of_index_3());
}

TEST_CASE("a rejected step leaves no trace", "[srm]") {
  const DaeProblemPtr problem = problem_of(problems::Al2Example61{});
  const VecX start = *problem->start();
  Regularization form;
  form.variant = Variant::direct;
  form.epsilon = 0.02;
  for (const ivp::ExplicitTableau& formula : ivp::all_tableaux()) {
    CAPTURE(ivp::name_of(formula.stepper));
    ivp::SrmStep straight(regularize(*problem, form), formula, 3);
    ivp::SrmStep wavering(regularize(*problem, form), formula, 3);
    REQUIRE(straight.start(0, start));
    REQUIRE(wavering.start(0, start));
    for (int i = 0; i < 10; ++i) {
      straight.attempt(0.01);
      straight.accept();
      wavering.attempt(0.02);
      wavering.attempt(0.01);
      wavering.accept();
      CHECK(straight.state() == wavering.state());
      VecX x;
      wavering.interpolate(0.3, x);  // Nor does dense output.
    }
  }
}
