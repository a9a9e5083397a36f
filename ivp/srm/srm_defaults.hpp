#pragma once
// What a sequential regularization uses where the options leave it open, and why.
//
// The constraints are damped at the rate alpha2 |GBE| / epsilon, and an explicit formula is stable
// up to h rate <= s (2 for Heun's, 3.3 for dopri5). So h and epsilon go together, and iterates make
// up for an epsilon that is not small: the error is O(epsilon^iterates).            [AL2] 2.2
// Implicit formulas are stable with any h; there the steps need not resolve what is damped.

#include <string>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "core/regularize/regularization.hpp"
#include "core/report/report.hpp"
#include "ivp/options/options.hpp"
#include "ivp/srm/srm_formula.hpp"

namespace daewave::ivp {

/// All a run needs to know, and who chose it.
struct SrmChoices {
  Regularization form{};
  int iterates = 3;
  double largest_step = 0;  ///< Of stability at the start; the step control cares for the rest.
  double time_scale = 1;    ///< As SrmStart has it.
  /// With controlled steps: epsilon is so small that one iterate is foreseen to be right to rtol.
  bool one_suffices = false;
  std::vector<Choice> choices{};
  std::vector<std::string> warnings{};
};

/// What the choices depend on, at the start.
struct SrmStart {
  bool second_order = false;
  bool multibody = false;
  bool reducible = false;
  double time_scale = 1;  ///< On which the solution changes, > 0; in the problem's unit of time.
  double GBE = 1;         ///< |GBE| of the weight asked for.
  /// Least real part of the eigenvalues of GB, of |GB|, where E = I and index 2; must not be < 0.
  double least_eigenvalue = 0;
  double obliqueness = 1;  ///< |P| of P = B (GB)^-1 G, index 2: 1 where G is normal to B's range.
};

/// The variant and the weight; the rest needs |GBE|, which depends on them.
/// @throws InvalidOption where the problem has no such variant, or numbers are wrong.
SrmChoices choose_form(const SrmStart& start, const Srm& asked, double rank_tolerance);

/// epsilon, iterates and the largest step, for the formula used.
/// @throws InvalidOption where a given h is not stable for a given epsilon, or the regularized
///         equation would grow with the weight asked for.
void choose_numbers(const SrmStart& start, const Srm& asked, const Options& options,
                    const SrmFormula& formula, SrmChoices& chosen);

/// Everything that is left open. @param z  a state at the begin of the span.
/// @throws InvalidOption as above.
SrmChoices choose_srm(const DaeProblem& problem, const VecX& z, const Interval& span,
                      const Srm& asked, const Options& options, const SrmFormula& formula);

}  // namespace daewave::ivp
