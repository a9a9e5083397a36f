// Every sweep gains a factor epsilon, whatever the weight.                   [AL1] Theorem 3.1

#include "bvp/solve.hpp"
#include "core/derivatives/linear_derivatives.hpp"
#include "problems/al1.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/catch.hpp"
#include "tests/core/manufactured_dae.hpp"

namespace daewave::bvp {
namespace {

using testing::Errors;
using testing::observed_order;

template <class P>
Solution sweeps(const P& problem, int iterates, double epsilon, double alpha1, Weight weight,
                int intervals) {
  return solve(problem, {.scheme = Scheme::gauss,
                         .stages = 4,
                         .intervals = intervals,
                         .weight = weight,
                         .epsilon = epsilon,
                         .alpha1 = alpha1,
                         .iterates = iterates,
                         .conditioning = false});
}

}  // namespace

TEST_CASE(
    "behind the initial layer iterate s has an error of about epsilon^s, at t = 1 of [AL1] "
    "Example 1",
    "[srm][AL1-3.4]") {
  const problems::Al1Example1 problem;
  // The layer polynomials of degree s raise what is seen at these epsilon above s, by up to 0.7 at
  // s = 4, and never below it.
  for (const int s : {1, 2, 3, 4}) {
    const auto at_end = [&](double epsilon) {
      const Solution solution = sweeps(problem, s, epsilon, 0, Weight::inverse, 200);
      REQUIRE(solution.report.usable());
      return std::pair((solution.x(1) - problem.x_exact(1)).cwiseAbs().maxCoeff(),
                       (solution.By(1) - problem.By_exact(1)).cwiseAbs().maxCoeff());
    };
    const auto [x_coarse, By_coarse] = at_end(0.04);
    const auto [x_fine, By_fine] = at_end(0.02);
    CAPTURE(s, x_coarse, x_fine, By_coarse, By_fine);
    CHECK(observed_order(x_coarse, x_fine) > s - 0.1);
    CHECK(observed_order(x_coarse, x_fine) < s + 0.75);
    CHECK(observed_order(By_coarse, By_fine) > s - 0.1);
    CHECK(observed_order(By_coarse, By_fine) < s + 0.75);
  }
}

TEST_CASE("with alpha1 = 1 every weight gains a factor epsilon per sweep, on the whole interval",
          "[srm][AL1-3.15]") {
  const auto problem = with_differences(testing::random_symmetric_dae(4, 2, 7));
  for (const Weight weight : all_weights()) {
    for (const int s : {1, 2, 3}) {
      const auto errors = [&](double epsilon) {
        const Solution solution = sweeps(problem, s, epsilon, 1, weight, 60);
        INFO(solution.report.brief());
        REQUIRE(solution.report.usable());
        return testing::errors_of(solution, problem);
      };
      const Errors coarse = errors(4e-3), fine = errors(2e-3);
      CAPTURE(name_of(weight), s, coarse.x, fine.x, coarse.By, fine.By);
      CHECK(observed_order(coarse.x, fine.x) == Approx(s).margin(0.15));
      CHECK(observed_order(coarse.By, fine.By) == Approx(s).margin(0.15));
    }
  }
}

TEST_CASE("with alpha1 = 0 every weight gains a factor epsilon per sweep behind the layer",
          "[srm][AL1-3.4]") {
  const testing::ManufacturedDae problem = testing::random_symmetric_dae(3, 1, 11, {0, 2});
  for (const Weight weight : all_weights()) {
    for (const int s : {1, 2, 3}) {
      const auto errors = [&](double epsilon) {
        const Solution solution = sweeps(problem, s, epsilon, 0, weight, 400);
        REQUIRE(solution.report.usable());
        return testing::errors_of(solution, problem, 1.5);
      };
      const Errors coarse = errors(2e-2), fine = errors(1e-2);
      CAPTURE(name_of(weight), s, coarse.x, fine.x, coarse.By, fine.By);
      CHECK(observed_order(coarse.x, fine.x) == Approx(s).margin(0.35));
      CHECK(observed_order(coarse.By, fine.By) == Approx(s).margin(0.35));
    }
  }
}

TEST_CASE("a wrong B y_0 makes an initial layer with alpha1 = 0 and none with alpha1 = 1",
          "[srm][AL1-3.15]") {
  const auto problem = with_differences(testing::random_symmetric_dae(3, 1, 13));
  const auto first_error = [&](double alpha1) {
    const Solution solution = sweeps(problem, 2, 1e-3, alpha1, Weight::inverse, 4000);
    const VecX exact = problem.By_exact(solution.stage_time(0, 0));
    return (solution.By_at_stage(0, 0) - exact).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
  };
  // B y - B y_0 is divided by 1 + t / epsilon + ..: nearly all of it is left at the first stage.
  CHECK(first_error(0) > 0.5);
  CHECK(first_error(1) < 1e-4);
}

}  // namespace daewave::bvp
