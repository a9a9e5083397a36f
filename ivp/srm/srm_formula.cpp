#include "ivp/srm/srm_formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ivp/srm/collocation_iterate.hpp"
#include "ivp/srm/explicit_iterate.hpp"

namespace daewave::ivp {
namespace {

/// |z(h) / z(0)| of z' = -z.
double amplification(const ExplicitTableau& formula, double h) {
  std::array<double, most_stages> k{};
  const auto sum = [&k](const Combination& row) {
    double total = 0;
    for (int i = 0; i < row.count; ++i) total += row.coefficient[i] * k[row.stage[i]];
    return total;
  };
  for (int i = 0; i < formula.stages; ++i) k[i] = -(1 + h * sum(formula.a[i]));
  return std::abs(1 + h * sum(formula.b));
}

}  // namespace

double stability_on_real_axis(const ExplicitTableau& formula) {
  double stable = 0, step = 0.25;
  // |R| grows without bound; the first place where it passes 1, by halving.
  while (step > 1e-12) {
    if (amplification(formula, stable + step) <= 1 + 1e-12) {
      stable += step;
    } else {
      step /= 2;
    }
  }
  return stable;
}

// Measured: with h / epsilon fixed x is of order 2 for explicit formulas of any higher order, as
// the damped part of a step is not resolved, and further iterates gain little or lose.
SrmFormula::SrmFormula(const ExplicitTableau& formula)
    : name(name_of(formula.stepper)),
      order(formula.order),
      reached(std::min(formula.order, 2)),
      stable(stability_on_real_axis(formula)),
      tableau_(&formula) {}

// Measured: k stages give at least order k. Steps of rtol are those of dopri5, whatever k is.
SrmFormula::SrmFormula(const Collocation& scheme)
    : name(name_of(scheme.scheme)),
      order(5),
      reached(scheme.stages),
      stable(std::numeric_limits<double>::infinity()),
      damps(scheme.damps()),
      scheme_(scheme) {}

std::unique_ptr<SrmIterate> SrmFormula::iterate(RegularizedOde& ode, const Tolerance& tolerance,
                                                bool estimate) const {
  if (tableau_ != nullptr) {
    return std::make_unique<ExplicitIterate>(ode, *tableau_, tolerance, estimate);
  }
  return std::make_unique<CollocationIterate>(ode, *scheme_, tolerance, estimate);
}

}  // namespace daewave::ivp
