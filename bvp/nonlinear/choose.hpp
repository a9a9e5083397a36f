#pragma once
// What a nonlinear boundary value solve uses where the options leave it open, and why.

#include "bvp/nonlinear/collocation_solve.hpp"
#include "core/problem/dae.hpp"

namespace daewave::bvp {

/// What the choice goes by.
struct NonlinearFacts {
  int index = 2;           ///< 2 or 3.
  bool reducible = false;  ///< The problem gives its curvature.
};

/// Fills in the form, scheme and epsilon of a DAE, with their reasons.
/// @throws InvalidOption where the problem has no such form.
RegularizedForm choose_regularized(const NonlinearOptions& options, const NonlinearFacts& facts,
                                   NonlinearProblem& problem);

/// The scheme of an ordinary differential equation.
/// @throws InvalidOption for options that belong to constraints.
void choose_ordinary(const NonlinearOptions& options, NonlinearProblem& problem);

/// @throws InvalidProblem unless begin < end, both finite.
void check_increasing(const Interval& interval);

namespace detail {

/// Whether a solve that failed may do with B y in place of y.
bool may_be_singular(const NonlinearOptions& options, const Report& report);

/// The second, told why it was made, where it is usable; else the first.
NonlinearSolution better_of(NonlinearSolution first, NonlinearSolution with_By);

/// @throws InvalidOption: the guess has `given` entries instead of nx.
[[noreturn]] void refuse_guess(int given, int nx);

}  // namespace detail

}  // namespace daewave::bvp
