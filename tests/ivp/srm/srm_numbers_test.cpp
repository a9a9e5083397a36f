// Form, epsilon, iterates and steps that are chosen from numbers of the start.

#include <cmath>

#include "core/error.hpp"
#include "ivp/srm/srm_defaults.hpp"
#include "ivp/srm/srm_look.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

/// The choice of that name, "value (reason)" or "value (given)".
std::string told(const SrmChoices& all, const std::string& name) {
  for (const Choice& one : all.choices) {
    if (one.name == name) return one.value + " (" + (one.by_user ? "given" : one.reason) + ")";
  }
  return "";
}

SrmFormula formula_of_heun() {
  SrmFormula formula(tableau(Stepper::heun));
  formula.stable = 2;
  return formula;
}

SrmChoices numbers(const SrmStart& start, const Srm& asked, const Options& options,
                   const SrmFormula& formula = formula_of_heun()) {
  SrmChoices chosen = choose_form(start, asked, 1e-7);
  choose_numbers(start, asked, options, formula, chosen);
  return chosen;
}

}  // namespace

TEST_CASE("the form follows what is asked for and what there is", "[srm]") {
  const SrmStart first{}, second{.second_order = true, .reducible = true},
      mechanism{.second_order = true, .multibody = true, .reducible = true};
  struct Row {
    SrmStart start;
    Srm asked;
    Variant variant;
    Weight weight;
    const char* why;
  };
  const char* const passes = "passes points where the constraints become dependent";
  const char* const of_alpha1 = "the one that has alpha1";
  const char* const of_weight = "the one that has the weight asked for";
  const Row rows[] = {
      {first, {}, Variant::singular, Weight::inverse, passes},
      {mechanism, {}, Variant::singular, Weight::inverse, passes},
      {first, {.alpha1 = 1}, Variant::direct, Weight::inverse, of_alpha1},
      {second, {.alpha1 = 1}, Variant::baumgarte_form, Weight::inverse, of_alpha1},
      {first, {.alpha1 = 0}, Variant::singular, Weight::inverse, passes},
      {first, {.weight = Weight::transpose}, Variant::direct, Weight::transpose, of_weight},
      {second, {.weight = Weight::identity}, Variant::invariant, Weight::identity, of_weight},
      {first, {.weight = Weight::inverse}, Variant::singular, Weight::inverse, passes},
      {mechanism, {.weight = Weight::transpose}, Variant::invariant, Weight::transpose, of_weight}};
  for (const Row& row : rows) {
    const SrmChoices chosen = choose_form(row.start, row.asked, 1e-7);
    CHECK(chosen.form.variant == row.variant);
    CHECK(chosen.form.weight == row.weight);
    CHECK(told(chosen, "variant") == std::string(name_of(row.variant)) + " (" + row.why + ")");
    CHECK(chosen.form.rank_tolerance == 1e-7);
  }
  const SrmChoices cheap = choose_form(mechanism, {.variant = Variant::invariant}, 0);
  CHECK(told(cheap, "variant") == std::string(name_of(Variant::invariant)) + " (given)");
  CHECK(told(cheap, "weight") ==
        "identity (G M^-1 G^T is positive definite, and E = I never forms it)");
  CHECK(told(choose_form(second, {.variant = Variant::invariant}, 0), "weight") ==
        "inverse (damps all constraints at the rate 1/epsilon)");
}

TEST_CASE("alphas that are not given are 0, 1 and 1", "[srm]") {
  const SrmStart second{.second_order = true, .reducible = true};
  const Regularization open = choose_form(second, {}, 0).form;
  CHECK(open.alpha1 == 0);
  CHECK(open.alpha2 == 1);
  CHECK(open.alpha3 == 1);
  const Regularization given = choose_form(second, {.alpha1 = 2, .alpha2 = 3, .alpha3 = 4}, 0).form;
  CHECK(given.alpha1 == 2);
  CHECK(given.alpha2 == 3);
  CHECK(given.alpha3 == 4);
}

TEST_CASE("with h given epsilon is where h is half of what is stable", "[srm]") {
  // |GBE| = 3: h rate / epsilon = 1 of the 2 that Heun's formula is stable for.
  const SrmChoices chosen = numbers({.GBE = 3}, {}, {.h = 0.1});
  CHECK(chosen.form.epsilon == Approx(0.3));
  CHECK(told(chosen, "epsilon") ==
        "0.3 (h = 0.1 is half of what is stable then: h |GBE| / epsilon = 1)");
  CHECK(chosen.iterates == 3);
  CHECK(told(chosen, "iterates") ==
        "3 (epsilon is in proportion to h: 3 iterates reach the order 2 that x has then)");
  CHECK(chosen.largest_step == Approx(0.9 * 0.2));
  CHECK(numbers({.GBE = 3}, {}, {.h = 0.1, .largest_step = 0.15}).largest_step == 0.15);
  CHECK(numbers({.GBE = 3}, {.alpha2 = 2, .alpha3 = 1}, {.h = 0.1}).form.epsilon == Approx(0.6));
}

TEST_CASE("without h epsilon follows the tolerance and the time scale", "[srm]") {
  SrmFormula formula = formula_of_heun();
  formula.order = 5;
  const SrmStart start{.time_scale = 4, .GBE = 3};
  const SrmChoices chosen = numbers(start, {}, {.rtol = 1e-5}, formula);
  CHECK(chosen.form.epsilon == Approx(0.04));
  CHECK(told(chosen, "epsilon") ==
        "0.04 (0.1 rtol^(1/5) of the time scale 4 of the solution at its start: as short as the "
        "steps of that tolerance are)");
  // 0.02^3 is 8e-6, below 1e-5; and one more.
  CHECK(chosen.iterates == 4);
  CHECK(told(chosen, "iterates") ==
        "4 ((2 epsilon / time scale)^iterates below rtol = 1e-05, and one more)");
  // A rate of 3/0.04.
  CHECK(chosen.largest_step == Approx(0.9 * 2 * 0.04 / 3));
  const auto iterates_with = [&](double epsilon, double rtol) {
    return numbers(start, {.epsilon = epsilon}, {.rtol = rtol}, formula).iterates;
  };
  CHECK(iterates_with(1, 1e-3) == 11);    // 2^-10 < 1e-3.
  CHECK(iterates_with(3.9, 1e-3) == 11);  // No gain is counted as a half.
  CHECK(iterates_with(1, 1e-6) == 12);    // No more than that.
  CHECK(iterates_with(2e-9, 0.5) == 2);
}

TEST_CASE("alpha1 is not stiff: an epsilon of 1e-4 |GBE| and two iterates, steps as alpha allows",
          "[srm]") {
  const SrmStart start{.GBE = 3};
  const SrmChoices chosen = numbers(start, {.alpha1 = 2, .alpha2 = 4}, {.h = 0.1});
  CHECK(chosen.form.epsilon == Approx(6e-4));
  CHECK(told(chosen, "epsilon") ==
        "0.0006 (alpha1 > 0 is not stiff, and each iterate gains epsilon / (alpha1 |GBE|), with "
        "|GBE| = 3: small enough for two)");
  CHECK(chosen.iterates == 2);
  CHECK(chosen.largest_step == Approx(0.9 * 2 * 2 / 4));
  // By the tolerance where that is tight: 0.1 sqrt(1e-8) is 1e-5.
  CHECK(numbers(start, {.alpha1 = 2}, {.rtol = 1e-8}).form.epsilon == Approx(6e-5));
  CHECK(numbers(start, {.alpha1 = 2}, {.rtol = 1e-4}).form.epsilon == Approx(6e-4));
  CHECK_THROWS_WITH(numbers(start, {.alpha1 = 2, .alpha2 = 4}, {.h = 1.01}),
                    contains_text("h = 1.01 with alpha1 = 2 and alpha2 = 4") &&
                        contains_text("is stable for h <= 1; take h = 0.99; or leave h open"));
}

TEST_CASE("a step beyond the limit of stability is refused, one at it is not", "[srm]") {
  const SrmStart start{.GBE = 1};
  CHECK_NOTHROW(numbers(start, {.epsilon = 0.05}, {.h = 0.1}));
  CHECK_THROWS_WITH(numbers(start, {.epsilon = 0.04}, {.h = 0.1}),
                    contains_text("h <= 2 epsilon; leave epsilon open; or take h = 0.0792; or "
                                  "epsilon = 0.0505"));
  // Of another weight the rate is known at the start alone.
  CHECK_NOTHROW(numbers(start, {.epsilon = 0.04, .weight = Weight::transpose}, {.h = 0.1}));
}

TEST_CASE("a regularized equation that grows is refused, rounding about zero is not", "[srm]") {
  const Srm asked{.weight = Weight::identity};
  CHECK_THROWS_WITH(numbers({.least_eigenvalue = -0.5}, asked, {.h = 0.1}),
                    contains_text("weight = identity: GB has the eigenvalue -0.5 |GB|"));
  CHECK_THROWS_AS(numbers({.least_eigenvalue = -1.1e-10}, asked, {.h = 0.1}), InvalidOption);
  CHECK_NOTHROW(numbers({.least_eigenvalue = -1e-10}, asked, {.h = 0.1}));
  CHECK_NOTHROW(numbers({.least_eigenvalue = 0.5}, asked, {.h = 0.1}));
}

TEST_CASE("a mode that is not damped is warned of where the constraint is oblique", "[srm]") {
  SrmFormula gauss = formula_of_heun();
  gauss.damps = false;
  gauss.stable = INFINITY;
  gauss.name = "gauss of 2 stages";
  const auto warns = [&](double obliqueness, const Srm& asked, const Options& options) {
    return numbers({.obliqueness = obliqueness}, asked, options, gauss).warnings;
  };
  const auto told_of = warns(1.5, {.epsilon = 0.008}, {.h = 0.1});
  REQUIRE(told_of.size() == 1);
  CHECK_THAT(told_of[0], contains_text("gauss of 2 stages with epsilon = 0.008 far below h = 0.1 "
                                       "does not damp the constraint mode"));
  CHECK(warns(1.5, {}, {.h = 0.1}).empty());  // A tenth of h.
  CHECK(warns(1.5, {.epsilon = 0.0091}, {.h = 0.1}).empty());
  CHECK(warns(1.005, {.epsilon = 0.008}, {.h = 0.1}).empty());
  CHECK(warns(1.01, {.epsilon = 0.008}, {.h = 0.1}).size() == 1);
  CHECK(warns(1.5, {.epsilon = 0.008}, {}).empty());
  CHECK(warns(1.5, {.epsilon = 0.008, .alpha1 = 1}, {.h = 0.1}).empty());
  gauss.damps = true;
  CHECK(warns(1.5, {.epsilon = 0.008}, {.h = 0.1}).empty());
}

TEST_CASE("a formula is stable as far as the first step that grows, though longer ones may not",
          "[srm]") {
  // R = 1 - x + 3/2 x^2 - 1/2 x^3 = 1 - x (x - 1) (x - 2) / 2 is above 1 for 1 < x < 2, and beyond
  // between 1 and -1 as far as 2.79.
  ExplicitTableau formula;
  formula.stages = 3;
  formula.a = {Combination{}, {{0, 1. / 3}}, {{1, 1.5}}};
  formula.b = {{2, 1}};
  CHECK(stability_on_real_axis(formula) == Approx(1).epsilon(1e-9));
}

TEST_CASE("the least eigenvalue of a matrix is told of its largest entry", "[srm]") {
  CHECK(detail::least_eigenvalue(MatX{{2, 0}, {0, -4}}) == Approx(-1));
  CHECK(detail::least_eigenvalue(MatX{{2, 0}, {0, 4}}) == Approx(0.5));
  CHECK(detail::least_eigenvalue(MatX{{0, 1}, {-1, 0}}) == Approx(0).margin(1e-15));
  CHECK(detail::least_eigenvalue(MatX::Zero(2, 2)) == 0);
  CHECK(detail::least_eigenvalue(MatX{{NAN, 0}, {0, -4}}) == 0);
}

}  // namespace daewave::ivp
