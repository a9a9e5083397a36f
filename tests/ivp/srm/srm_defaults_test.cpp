#include "ivp/srm/srm_defaults.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "ivp/srm/srm_step.hpp"
#include "problems/al2.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/srm_problems.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;

namespace {

template <class P, class Start>
ivp::SrmChoices choose(const P& problem, const Start& start, const ivp::Srm& asked,
                       const ivp::Options& options, ivp::Stepper stepper) {
  return ivp::choose_srm(problem, start, {0, 1}, asked, options, ivp::tableau(stepper));
}

ivp::SrmChoices choose_61(const ivp::Srm& asked, const ivp::Options& options,
                          ivp::Stepper stepper) {
  const problems::Al2Example61 problem;
  return choose(problem, problem.start(), asked, options, stepper);
}

}  // namespace

TEST_CASE("intervals of stability on the real axis", "[srm]") {
  using ivp::Stepper;
  const auto stable = [](Stepper stepper) {
    return ivp::stability_on_real_axis(ivp::tableau(stepper));
  };
  CHECK(stable(Stepper::forward_euler) == Approx(2));
  CHECK(stable(Stepper::heun) == Approx(2));
  CHECK(stable(Stepper::explicit_midpoint) == Approx(2));
  CHECK(stable(Stepper::ralston) == Approx(2));
  // The real root of 1 - z/2 + z^2/6 - z^3/24 = 0.
  CHECK(stable(Stepper::rk4) == Approx(2.785293563405282));
  CHECK(stable(Stepper::dopri5) == Approx(3.3065).epsilon(1e-3));
}

TEST_CASE("with a fixed step epsilon is h for Heun's formula, and its order and one iterates",
          "[srm][AL2-2.2]") {
  const ivp::SrmChoices chosen = choose_61({}, {.h = 1e-3}, ivp::Stepper::heun);
  CHECK(chosen.form.epsilon == Approx(1e-3));
  CHECK(chosen.iterates == 3);
  CHECK(chosen.form.variant == Variant::singular);
  CHECK(chosen.form.weight == Weight::inverse);
  for (const Choice& choice : chosen.choices) {
    CAPTURE(choice.name);
    CHECK_FALSE(choice.by_user);
    CHECK_FALSE(choice.reason.empty());
  }
}

TEST_CASE("with a fixed step of an implicit formula epsilon is h/10, whatever rtol says", "[srm]") {
  const problems::Al2Example61 problem;
  for (const Scheme family : {Scheme::gauss, Scheme::radau}) {
    for (int stages : {1, 2, 3, 5}) {
      CAPTURE(name_of(family), stages);
      ivp::Options options;
      options.rtol = 1e-3;
      double before = 0;
      for (double h : {1e-2, 5e-3}) {
        options.h = h;
        const ivp::SrmChoices chosen = ivp::choose_srm(problem, problem.start(), {0, 1}, ivp::Srm{},
                                                       options, collocation(family, stages));
        CHECK(chosen.form.epsilon == Approx(h / 10));
        CHECK(chosen.iterates == stages + 1);
        CHECK(std::isinf(chosen.largest_step));
        if (before > 0) CHECK(before == Approx(2 * chosen.form.epsilon));
        before = chosen.form.epsilon;
        for (const Choice& choice : chosen.choices) {
          if (choice.name != "epsilon") continue;
          CHECK_THAT(choice.reason, contains_text("stable with any") && contains_text("h = 0.0") &&
                                        contains_text(name_of(family)));
        }
      }
    }
  }
}

TEST_CASE("with variable steps of an implicit formula epsilon follows the tolerance", "[srm]") {
  const problems::Al2Example61 problem;
  const auto choose_for = [&](double rtol) {
    return ivp::choose_srm(problem, problem.start(), {0, 1}, ivp::Srm{}, ivp::Options{.rtol = rtol},
                           collocation(Scheme::radau, 3));
  };
  CHECK(choose_for(1e-4).form.epsilon == Approx(10 * choose_for(1e-9).form.epsilon));
  CHECK(choose_for(1e-9).iterates > choose_for(1e-3).iterates);
}

TEST_CASE("what is given is kept, and said to be given", "[srm]") {
  const ivp::Srm asked{.epsilon = 5e-3, .iterates = 2, .weight = Weight::identity};
  const ivp::SrmChoices chosen = choose_61(asked, {.h = 1e-3}, ivp::Stepper::heun);
  CHECK(chosen.form.epsilon == 5e-3);
  CHECK(chosen.iterates == 2);
  CHECK(chosen.form.variant == Variant::direct);  // Carrying B y has no other weight.
  int given = 0;
  for (const Choice& choice : chosen.choices) given += choice.by_user;
  CHECK(given == 3);
}

TEST_CASE("epsilon follows |GBE| of the weight", "[srm]") {
  // GB = |x|^2 = 9 at the start.
  struct Scaled : problems::Al2Example61 {
    State start() const { return {3, 0}; }
  };
  const Scaled problem;
  const auto epsilon = [&](Weight weight) {
    return choose(problem, problem.start(), {.weight = weight}, {.h = 1e-3}, ivp::Stepper::heun)
        .form.epsilon;
  };
  CHECK(epsilon(Weight::identity) == Approx(9e-3));
  CHECK(epsilon(Weight::transpose) == Approx(81e-3));
}

TEST_CASE("a step that is not stable for a given epsilon is refused with what would be", "[srm]") {
  const ivp::Srm asked{.epsilon = 4e-3};
  CHECK_THROWS_WITH(choose_61(asked, {.h = 1e-2}, ivp::Stepper::heun),
                    contains_text("h <= 2 epsilon") && contains_text("h = 0.00792") &&
                        contains_text("epsilon = 0.00505"));
  CHECK_NOTHROW(choose_61(asked, {.h = 8e-3}, ivp::Stepper::heun));
}

TEST_CASE("beyond the limit of stability it is lost, below it is not", "[srm]") {
  const DaeProblemPtr problem = problem_of(problems::Al2Example61{});
  Regularization form;
  form.variant = Variant::direct;
  form.epsilon = 1e-3;
  const auto drift = [&](const ivp::ExplicitTableau& formula, double ratio) {
    ivp::SrmStep step(regularize(*problem, form), formula, 1);
    step.start(0, *problem->start());
    const double h = ratio * ivp::stability_on_real_axis(formula) * form.epsilon;
    while (step.t() < 1) {
      if (std::isnan(step.attempt(h))) return INFINITY * 1.0;
      step.accept();
    }
    return step.drift().position;
  };
  for (const ivp::ExplicitTableau& formula : ivp::all_tableaux()) {
    CAPTURE(ivp::name_of(formula.stepper));
    CHECK(drift(formula, 0.95) < 0.01);
    CHECK_FALSE(drift(formula, 1.1) < 0.02);
  }
}

TEST_CASE("a tolerance decides epsilon and the iterates", "[srm]") {
  ivp::Options options;
  double before = 1;
  for (double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    options.rtol = rtol;
    const ivp::SrmChoices chosen = choose_61({}, options, ivp::Stepper::dopri5);
    CHECK(chosen.form.epsilon < before);
    CHECK(std::pow(chosen.form.epsilon, chosen.iterates) < rtol);  // Time scale: 1/sqrt 2.
    CHECK(chosen.largest_step < 3.31 * chosen.form.epsilon);
    before = chosen.form.epsilon;
  }
}

TEST_CASE("forms that a problem has not are refused", "[srm]") {
  struct WithoutCurvature {
    using Position = Vec<2>;
    using Multiplier = Vec<1>;
    Position f(const Position&, const Position&, double) const { return {0, -1}; }
    Position B(const Position& x, double) const { return x; }
    Multiplier g(const Position& x, double) const { return Multiplier{x.squaredNorm() - 1}; }
    Mat<1, 2> G(const Position& x, double) const { return 2 * x.transpose(); }
    Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
  };
  const WithoutCurvature problem;
  const Vec<4> start{1, 0, 0, 0};
  const auto choose_with = [&](auto change) {
    ivp::Srm asked;
    change(asked);
    return choose(problem, start, asked, {.h = 1e-3}, ivp::Stepper::heun);
  };
  using ivp::Srm;
  CHECK_NOTHROW(choose_with([](Srm&) {}));
  CHECK_THROWS_WITH(choose_with([](Srm& r) { r.variant = Variant::invariant_reduced; }),
                    contains_text("curvature") && contains_text("with_autodiff"));
  CHECK_THROWS_WITH(choose_with([](Srm& r) { r.alpha1 = 1; }), contains_text("curvature"));
  CHECK_THROWS_WITH(choose_with([](Srm& r) { r.variant = Variant::direct; }),
                    contains_text("index 3 has singular, baumgarte-form"));
  CHECK_THROWS_WITH(choose_with([](Srm& r) { r.epsilon = -1; }),
                    contains_text("epsilon = -1: must be > 0"));
  CHECK_THROWS_WITH(choose_with([](Srm& r) { r.iterates = 0; }),
                    contains_text("iterates = 0: must be >= 1"));
  CHECK_THROWS_WITH(choose_with([](Srm& r) {
                      r.variant = Variant::singular;
                      r.weight = Weight::identity;
                    }),
                    contains_text("take weight = inverse"));
}

TEST_CASE("a multibody system is regularized by E = I where its variant allows", "[srm][AL2-5.3]") {
  const MovingCylinder problem;
  const ivp::SrmChoices chosen =
      choose(problem, problem.z_exact(0), {.variant = Variant::invariant}, {.h = 1e-3},
             ivp::Stepper::heun);
  CHECK(chosen.form.weight == Weight::identity);
  // |G M^-1 G^T| by an eigenvalue solver is what epsilon is in proportion to.
  const Vec<3> q = problem.z_exact(0).head<3>();
  Mat<2, 3> G;
  G << problem.G(q, 0), problem.K(q, 0);
  const Mat<2, 2> GB = G * problem.M(q).llt().solve(G.transpose());
  const double mean = GB.trace() / 2;
  const double largest = mean + std::sqrt(mean * mean - GB.determinant());
  CHECK(chosen.form.epsilon == Approx(1e-3 * largest).epsilon(0.01));
}
