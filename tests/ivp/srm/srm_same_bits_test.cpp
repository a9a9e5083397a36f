// Step by step and sweep by sweep are the same computation, to the last bit, and step by step needs
// no memory while it goes.

#include <cmath>
#include <vector>

#include "core/regularize/with_regularized.hpp"
#include "ivp/srm/srm_step.hpp"
#include "ivp/srm/srm_sweeps.hpp"
#include "problems/al2.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/srm_problems.hpp"

using namespace daewave;

namespace {

/// Steps of two lengths, so that nothing depends on one.
std::vector<double> steps() {
  std::vector<double> lengths;
  for (int i = 0; i < 24; ++i) lengths.push_back(i % 3 == 0 ? 0.004 : 0.007);
  return lengths;
}

template <class P>
void check_same_bits(const P& problem, const RegularizedForm& form,
                     const ivp::ExplicitTableau& formula) {
  CAPTURE(name_of(form.variant), name_of(form.weight), ivp::name_of(formula.stepper));
  with_regularized(problem, form, [&](auto ode) {
    using R = decltype(ode);
    constexpr int iterates = 3;
    const auto y_0 = [](double t, typename R::Carried& y) { y.setConstant(1 + 0.1 * t); };
    ivp::SrmStep<R> step(ode, formula, iterates, y_0);
    ivp::SrmSweeps<R> sweeps(std::move(ode), formula, y_0);
    REQUIRE(sweeps.run(0, problem.z_exact(0), steps(), iterates));
    REQUIRE(step.start(0, problem.z_exact(0)));
    int node = 0;
    for (double h : steps()) {
      REQUIRE(step.attempt(h) == 0);
      step.accept();
      ++node;
      const ivp::IterateState<R>& swept = sweeps.at(node);
      CHECK((step.state().array() == swept.x.array()).all());
      CHECK((step.iterate(iterates).carried.array() == swept.carried.array()).all());
      CHECK(step.t() == sweeps.t(node));
    }
    CHECK(step.state().allFinite());
    return 0;
  });
}

template <class P>
void check_all(const P& problem, const std::vector<Variant>& variants) {
  for (Variant variant : variants) {
    RegularizedForm form;
    form.variant = variant;
    form.epsilon = 0.01;
    for (const ivp::ExplicitTableau& formula : ivp::all_tableaux()) {
      check_same_bits(problem, form, formula);
    }
    if (carries_By(variant)) continue;
    for (Weight weight : {Weight::identity, Weight::transpose}) {
      form.weight = weight;
      check_same_bits(problem, form, ivp::tableau(ivp::Stepper::heun));
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
  const problems::Al2Example61 problem;
  using R = RegularizedIndex2<problems::Al2Example61>;
  RegularizedForm form;
  form.variant = Variant::direct;
  form.epsilon = 0.02;
  for (const ivp::ExplicitTableau& formula : ivp::all_tableaux()) {
    CAPTURE(ivp::name_of(formula.stepper));
    ivp::SrmStep<R> straight(R(problem, form), formula, 3), wavering(R(problem, form), formula, 3);
    REQUIRE(straight.start(0, problem.start()));
    REQUIRE(wavering.start(0, problem.start()));
    for (int i = 0; i < 10; ++i) {
      straight.attempt(0.01);
      straight.accept();
      wavering.attempt(0.02);
      wavering.attempt(0.01);
      wavering.accept();
      CHECK(straight.state() == wavering.state());
      Vec<2> x;
      wavering.interpolate(0.3, x);  // Nor does dense output.
    }
  }
}
