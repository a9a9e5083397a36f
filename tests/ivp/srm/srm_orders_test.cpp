// Each iterate gains a factor epsilon, for every variant and every weight.
//                                                             [AL2] Theorems 2.1, 2.2, 4.1

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/error.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "ivp/srm/srm_step.hpp"
#include "problems/al2.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/srm_problems.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;

namespace {

/// A problem whose solution is known.
struct Solved {
  DaeProblemPtr problem;
  std::function<VecX(double)> z, y, By;
};

template <class P>
Solved solved(const P& problem) {
  return {problem_of(problem), [problem](double t) -> VecX { return problem.z_exact(t); },
          [problem](double t) -> VecX { return problem.y_exact(t); },
          [problem](double t) -> VecX { return problem.By_exact(t); }};
}

/// y_0 that agrees with y at 0 to the second derivative, (2.14) with m = 2: no layers for s <= 3.
ivp::InitialIterate agreeing(const Solved& exact, Variant variant) {
  return [&exact, variant](double t, VecX& y) {
    const double wrong = 0.3 * t * t * t / (1 + t * t * t);
    y.setConstant(wrong);
    if (variant == Variant::invariant_reduced) {  // Where zeta = 0.
      // A wrong zeta1 can be mended by g alone, where all rows have one.
      if (exact.problem->sizes().nk > 0) y.head(2).setZero();
      return;
    }
    if (carries_By(variant)) {
      y = (1 + wrong) * exact.By(t);  // In the range of B, which is not projected always.
    } else {
      y += exact.y(t);
    }
  };
}

/// Largest errors of iterates 1 to 3 over [0, 1.5], by steps so short, and of so high an order,
/// that they add nothing.
std::vector<double> errors(const Solved& exact, const Regularization& form) {
  constexpr int iterates = 3;
  constexpr double h = 1e-3;
  std::vector<double> largest(iterates, 0.0);
  ivp::SrmStep step(regularize(*exact.problem, form), ivp::tableau(ivp::Stepper::dopri5), iterates,
                    agreeing(exact, form.variant));
  REQUIRE(step.start(0, exact.z(0)));
  for (int i = 0; i < 1500; ++i) {
    const double error = step.attempt(h);
    step.accept();
    if (error != 0) FAIL(step.failure());
    const VecX z = exact.z(step.t());
    for (int s = 1; s <= iterates; ++s) {
      double& most = largest[static_cast<std::size_t>(s - 1)];
      most = std::max(most, (step.iterate(s).x - z).cwiseAbs().maxCoeff());
    }
  }
  return largest;
}

void check_orders(const Solved& exact, Regularization form) {
  CAPTURE(name_of(form.variant), name_of(form.weight), form.alpha1);
  const std::vector<double> coarse = errors(exact, form);
  form.epsilon /= 2;
  const std::vector<double> fine = errors(exact, form);
  for (std::size_t s = 0; s < coarse.size(); ++s) {
    CAPTURE(s + 1, coarse[s], fine[s]);
    CHECK(std::log2(coarse[s] / fine[s]) == Approx(static_cast<double>(s) + 1).margin(0.3));
  }
}

bool is_allowed(const Regularization& form) {
  return form.weight != Weight::shifted &&
         (form.weight == Weight::inverse || !carries_By(form.variant));
}

void check_all(const Solved& exact, const std::vector<Variant>& variants, double epsilon = 0.01) {
  for (Variant variant : variants) {
    for (Weight weight : all_weights()) {
      Regularization form;
      form.variant = variant;
      form.weight = weight;
      form.epsilon = epsilon;
      form.alpha3 = 10;  // Of (4.5) with alpha1 = 0: g' + 10 g.
      if (!is_allowed(form)) {
        CHECK_THROWS_AS(regularize(*exact.problem, form), InvalidOption);
        continue;
      }
      check_orders(exact, form);
      const bool differentiates = variant == Variant::direct || variant == Variant::baumgarte_form;
      if (!differentiates) continue;
      form.alpha1 = 1;
      form.alpha2 = variant == Variant::direct ? 4 : 8;  // Stable: (tau + 4)^2 for index 3.
      form.alpha3 = 16;
      check_orders(exact, form);
    }
  }
}

/// P = P(t) alone, for which singular_linear is: G = (cos t, sin t) whatever x is, B across it.
struct TurningLine {
  using State = Vec<2>;
  using Multiplier = Vec<1>;

  State z_exact(double t) const { return {std::exp(-t), std::sin(t)}; }
  Multiplier y_exact(double t) const { return Multiplier{1 + t}; }
  State By_exact(double t) const { return B(z_exact(t), t) * (1 + t); }
  State f(const State& x, double t) const {
    return State{-std::exp(-t), std::cos(t)} + B(x, t) * (1 + t);
  }
  State B(const State&, double t) const { return {std::cos(t) - 0.3 * std::sin(t), std::sin(t)}; }
  Mat<1, 2> G(const State&, double t) const { return {std::cos(t), std::sin(t)}; }
  Multiplier g(const State& x, double t) const { return G(x, t) * (x - z_exact(t)); }
  Multiplier g_t(const State& x, double t) const {
    const State slope{-std::exp(-t), std::cos(t)};
    return Mat<1, 2>(-std::sin(t), std::cos(t)) * (x - z_exact(t)) - G(x, t) * slope;
  }
};

}  // namespace

TEST_CASE("each iterate of an index 2 problem gains a factor epsilon", "[srm][AL2-2.2]") {
  check_all(solved(problems::Al2Example61()), {Variant::direct, Variant::singular});
  Regularization form;
  form.variant = Variant::singular_linear;
  form.epsilon = 0.01;
  check_orders(solved(TurningLine()), form);
}

TEST_CASE("each iterate of an index 3 problem gains a factor epsilon", "[srm][AL2-4.1]") {
  check_all(solved(MovingCircle()), variants_of_index_3());
}

TEST_CASE(
    "each iterate of a multibody system with a nonholonomic constraint gains a factor epsilon",
    "[srm][AL2-4.1]") {
  check_all(solved(MovingCylinder()), variants_of_index_3(), 0.006);
}

TEST_CASE("with y_0 = 0 the orders of index 2 hold behind the layer at the start",
          "[srm][AL2-2.2]") {
  const problems::Al2Example61 problem;
  const DaeProblemPtr erased = problem_of(problem);
  for (Weight weight : {Weight::inverse, Weight::transpose, Weight::identity}) {
    const auto error = [&](double epsilon, int iterates) {
      Regularization form;
      form.variant = Variant::direct;
      form.weight = weight;
      form.epsilon = epsilon;
      ivp::SrmStep step(regularize(*erased, form), ivp::tableau(ivp::Stepper::dopri5), iterates);
      REQUIRE(step.start(0, problem.start()));
      for (int i = 0; i < 500; ++i) {
        REQUIRE(step.attempt(2e-3) == 0);
        step.accept();
      }
      return (step.state() - problem.z_exact(1)).cwiseAbs().maxCoeff();
    };
    for (int s = 1; s <= 4; ++s) {
      CAPTURE(name_of(weight), s, error(0.01, s));
      CHECK(std::log2(error(0.01, s) / error(0.005, s)) == Approx(s).margin(0.3));
    }
  }
}

TEST_CASE("the lists of variants are all variants", "[srm]") {
  for (Variant variant : all_variants()) {
    int found = 0;
    for (Variant other : variants_of_index_2()) found += other == variant;
    for (Variant other : variants_of_index_3()) found += other == variant;
    CHECK(found >= 1);
    CHECK(variant_named(name_of(variant)) == variant);
  }
  CHECK_THROWS_WITH(variant_named("barycentric"), contains_text("invariant-reduced"));
}
