#pragma once
// The beta-blocked multistep formulas of [AFS] for x' = f - B lambda, 0 = c(x):
//
//   rho x_n / h = sigma (f - B lambda)_n + B(x_n) tau lambda_n,   tau = c nabla^k    [AFS] (2.4)
//
//   BDF             rho = sum_{j<=k} nabla^j / j,  sigma = 1,                     tau = 0
//   DCBDF           rho as above,                  sigma = 1 - nabla^k / (k+1),   tau = sigma - 1
//   Adams-Moulton   rho = nabla,  sigma = sum_{j<=k} gamma_j nabla^j,  gamma = 1, -1/2, -1/12, ..
//
// A sigma that is not a BDF's makes the multiplier grow without bound; tau blocks that where all
// roots of sigma - tau lie inside the unit circle. tau lambda is O(h^k): x keeps the order k + 1 of
// (rho, sigma), as what tau adds lies in the range of B(x_n), and lambda is left with order k.
// Where tau acts on B lambda instead, (2.6), both have order k. For DCBDF that is the compound
// (3.2) of DCBDF for f and BDF for B lambda.

#include <optional>

#include "ivp/options/multistep.hpp"

namespace daewave::ivp {

enum class MultistepFamily { bdf, dcbdf, adams_moulton };

/// One formula. An aggregate without checks, so that unstable ones can be looked at, too; see
/// blocked_formula().
struct BlockedFormula {
  MultistepFamily family = MultistepFamily::dcbdf;
  int k = 3;     ///< Steps, >= 1.
  double c = 0;  ///< Of tau; 0 leaves sigma unblocked.
  Blocking blocking = Blocking::multiplier;

  /// Of x. That of lambda is k.
  int order() const;
  /// Of (rho, sigma): that of x where B lambda does not enter.
  int order_of_pair() const { return family == MultistepFamily::bdf ? k : k + 1; }
};

/// gamma_j of Adams and Moulton: 1, -1/2, -1/12, -1/24, -19/720, ...; j <= 7.
double adams_moulton_coefficient(int j);

/// max |zeta| over the roots of sigma - tau on a grid of equal steps: by this factor an error of
/// lambda is multiplied from step to step.                                    [AFS] Fig. 4.1
double blocking_radius(const BlockedFormula& formula);

/// The largest root of rho beside zeta = 1, on a grid of equal steps.
double parasitic_radius(MultistepFamily family, int k);

/// Where blocking_radius() < 1, for Adams-Moulton formulas.
struct BlockingInterval {
  double best = 0;                 ///< c of the smallest radius.
  double radius = 0;               ///< There.
  double least = 0, greatest = 0;  ///< Ends of the interval; -infinity for no end.
  bool empty() const { return !(least < greatest); }
};
BlockingInterval adams_moulton_blocking(int k);

/// The formula, with c as given or by default: -1/2, -7/48, -0.091 for k = 1, 2, 3, where the
/// radius is smallest: 0, 1/3, 0.673. [AFS] takes -0.15 and -0.1 for k = 2 and 3.
/// @param c  for Adams-Moulton only; the others have theirs.
/// @throws InvalidOption for a formula that is not stable, with the root that is to blame.
BlockedFormula blocked_formula(MultistepFamily family, int k, std::optional<double> c,
                               Blocking blocking);

/// The formula asked for, of order 3 where that is open. @throws InvalidOption as above.
BlockedFormula blocked_formula(const BlockedMultistep& method);

/// How much longer than the one before a step may be: the largest ratio for which rho and sigma -
/// tau stay stable where each step is longer by it, and, with a margin, in any other sequence.
double largest_step_ratio(const BlockedFormula& formula);

}  // namespace daewave::ivp
