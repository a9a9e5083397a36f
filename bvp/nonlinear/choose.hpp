#pragma once
// What a nonlinear boundary value solve uses where the options leave it open, and why.

#include <cmath>

#include "bvp/nonlinear/nonlinear_problem.hpp"
#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// Up to how many intervals meshes are refined.
int most_intervals(const Options& options);

/// What the choice goes by.
struct NonlinearFacts {
  int index = 2;           ///< 2 or 3.
  bool reducible = false;  ///< The problem gives its curvature.
  double time = 1;         ///< See constraint_time(): a part of the interval's length.
  bool has_constant_B = true;
  double range_turns_at = NAN;  ///< See range_of_B_turns_at().
};

/// Fills in the form, scheme and epsilon of a DAE, with their reasons.
/// @throws InvalidOption where the problem has no such form.
Regularization choose_regularized(const Options& options, const NonlinearFacts& facts,
                                  NonlinearProblem& problem);

/// With alpha1 = 1, from which a first iterate of a chosen form can be found.
Regularization easier_form(const Options& options, const NonlinearFacts& facts,
                           const NonlinearProblem& problem);

/// The scheme of an ordinary differential equation.
/// @throws InvalidOption for options that belong to constraints.
void choose_ordinary(const Options& options, NonlinearProblem& problem);

/// Whether Newton's method found no solution from the guess.
bool needs_guess(const Report& report);

/// Whether a solve that failed may do with B y in place of y.
bool may_be_singular(const Options& options, const Report& report);

/// Whether iterates leave what changes within some epsilon, and that is chosen.
bool has_open_epsilon(const Options& options, const NonlinearProblem& problem);

/// Whether a solve whose iterates did not settle may do with a smaller epsilon than was chosen.
bool may_settle(const NonlinearProblem& problem, const Report& report);

/// That solution, told why it was made. @param before  the epsilon with which they did not.
Solution settled_with(double epsilon, double before, Solution solution);

/// The second, told why it was made, where it is usable; else the first.
Solution better_of(Solution first, Solution with_By);

}  // namespace daewave::bvp
