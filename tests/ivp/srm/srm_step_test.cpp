// A step of all iterates: dense output, drift, and what is said when something is not
// finite.

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "core/adapt/problem_of.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "ivp/srm/srm_step.hpp"
#include "problems/al2.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/srm_problems.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;

namespace {

Regularization form_of(Variant variant, Weight weight = Weight::inverse) {
  Regularization form;
  form.variant = variant;
  form.weight = weight;
  form.epsilon = 0.02;
  return form;
}

/// Example 6.1 with an f, or a G, that is not a number from t = 0.05 on.
struct Breaking : problems::Al2Example61 {
  bool in_f = true;

  State f(const State& x, double t) const {
    State value = problems::Al2Example61::f(x, t);
    if (in_f && t > 0.05) value[1] = std::numeric_limits<double>::quiet_NaN();
    return value;
  }
  Mat<1, 2> G(const State& x, double t) const {
    Mat<1, 2> value = problems::Al2Example61::G(x, t);
    if (!in_f && t > 0.05) value[0] = std::numeric_limits<double>::infinity();
    return value;
  }
};

std::string failure_of(const Breaking& problem, Variant variant, Vec<2>& last) {
  const DaeProblemPtr erased = problem_of(problem);
  ivp::SrmStep step(regularize(*erased, form_of(variant)), ivp::tableau(ivp::Stepper::heun), 2);
  REQUIRE(step.start(0, problem.start()));
  while (step.t() < 1) {
    const VecX before = step.state();
    if (std::isnan(step.attempt(0.01))) {
      CHECK(step.state() == before);
      CHECK(step.t() == Approx(0.05).margin(1e-12));
      last = step.state();
      return step.failure();
    }
    step.accept();
  }
  return "none";
}

}  // namespace

TEST_CASE("a number that is not finite is named with its equation, row, time and iterate",
          "[srm]") {
  Breaking problem;
  Vec<2> last;
  for (Variant variant : variants_of_index_2()) {
    CAPTURE(name_of(variant));
    problem.in_f = true;
    CHECK(failure_of(problem, variant, last) == "iterate 1: f, row 2, is not finite at t = 0.06");
    CHECK(last.allFinite());
    problem.in_f = false;
    CHECK(failure_of(problem, variant, last) == "iterate 1: G, row 1, is not finite at t = 0.06");
  }
}

TEST_CASE("an error estimate that overflows rejects the step", "[srm]") {
  const DaeProblemPtr problem = problem_of(problems::Al2Example61{});
  ivp::Options options;
  options.atol = options.rtol = 1e-200;  // The square of error / tolerance is infinite.
  for (const ivp::Stepper stepper : {ivp::Stepper::dopri5, ivp::Stepper::dop853}) {
    for (const int iterates : {1, 3}) {
      CAPTURE(ivp::name_of(stepper), iterates);
      ivp::SrmStep step(regularize(*problem, form_of(Variant::direct)), ivp::tableau(stepper),
                        iterates, {}, ivp::Tolerance(options, 2), true);
      REQUIRE(step.start(0, *problem->start()));
      CHECK_FALSE(step.attempt(0.01) <= 1);
    }
  }
}

TEST_CASE("a singular GB where the weight needs its inverse is told, with the way out", "[srm]") {
  const problems::Al2Example62 problem;  // G = B^T = 0 at its exact solution of t = 0.5.
  const DaeProblemPtr erased = problem_of(problem);
  const VecX x = problem.z_exact(0.5);
  const auto ode = regularize(*erased, form_of(Variant::direct));
  VecX slope, y, By;
  CHECK_FALSE(ode->evaluate(x, 0.5, VecX::Zero(1), slope, y));
  CHECK(ode->failure() == "at t = 0.5: GB is singular; take variant = singular");
  // The singular variant drops the row and goes on.
  const auto singular = regularize(*erased, form_of(Variant::singular));
  CHECK(singular->evaluate(x, 0.5, VecX::Zero(2), slope, By));
  CHECK(singular->guarded() == 1);
  CHECK(slope.allFinite());
}

TEST_CASE("E = I needs neither the inverse nor the rank of G M^-1 G^T", "[srm][AL2-5.3]") {
  const problems::SliderCrank crank;
  const DaeProblemPtr problem = problem_of(crank);
  const VecX z = crank.state(std::numbers::pi / 2, 1);  // The last row of G vanishes here.
  VecX slope, lambda;
  const auto identity = regularize(*problem, form_of(Variant::invariant, Weight::identity));
  CHECK(identity->evaluate(z, 0, VecX::Zero(5), slope, lambda));
  CHECK(identity->guarded() == 0);
  const auto inverse = regularize(*problem, form_of(Variant::invariant, Weight::inverse));
  CHECK(inverse->evaluate(z, 0, VecX::Zero(5), slope, lambda));
  CHECK(inverse->guarded() == 1);
}

TEST_CASE("dense output of the last iterate has the order of the formula's", "[srm]") {
  const DaeProblemPtr problem = problem_of(problems::Al2Example61{});
  const VecX start = *problem->start();
  const Regularization form = form_of(Variant::direct);
  const auto error = [&](const ivp::ExplicitTableau& formula, double h) {
    // Against steps so short that they count as exact.
    ivp::SrmStep step(regularize(*problem, form), formula, 2);
    ivp::SrmStep fine(regularize(*problem, form), formula, 2);
    REQUIRE(step.start(0, start));
    REQUIRE(fine.start(0, start));
    double largest = 0;
    for (int i = 0; i < 4; ++i) {
      step.attempt(h);
      step.accept();
      for (int j = 1; j <= 64; ++j) {
        fine.attempt(h / 64);
        fine.accept();
        VecX x;
        step.interpolate(j / 64.0, x);
        largest = std::max(largest, (x - fine.state()).cwiseAbs().maxCoeff());
      }
    }
    return largest;
  };
  for (ivp::Stepper stepper : {ivp::Stepper::rk4, ivp::Stepper::dopri5, ivp::Stepper::dop853}) {
    const ivp::ExplicitTableau& formula = ivp::tableau(stepper);
    CAPTURE(ivp::name_of(stepper));
    const double coarse = error(formula, 4e-3), fine = error(formula, 2e-3);
    CAPTURE(coarse, fine);
    // One step of error O(h^{order + 1}); more where rounding is far and terms cancel.
    CHECK(std::log2(coarse / fine) > std::min(formula.order, formula.dense_order) + 0.6);
    CHECK(fine < 1e-7);
  }
}

TEST_CASE("drift is that of the state, position and velocity", "[srm]") {
  const MovingCircle problem;
  const DaeProblemPtr erased = problem_of(problem);
  const auto ode = regularize(*erased, form_of(Variant::invariant));
  for (const ivp::ExplicitTableau& formula : ivp::all_tableaux()) {
    ivp::SrmStep step(ode->clone(), formula, 3);
    REQUIRE(step.start(0, problem.z_exact(0)));
    for (int i = 0; i < 5; ++i) {
      step.attempt(0.01);
      step.accept();
      const Vec<4> z = step.state();
      const Vec<2> x = z.head<2>(), v = z.tail<2>();
      const ivp::Drift drift = step.drift();
      CHECK(drift.position == std::abs(problem.g(x, step.t())[0]));
      const Vec<1> velocity = problem.G(x, step.t()) * v + problem.g_t(x, step.t());
      CHECK(drift.velocity == Approx(std::abs(velocity[0])).margin(1e-15));
    }
  }
}
