#include "ivp/multistep/blocked_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/eigenvalues.hpp"
#include "core/error.hpp"
#include "core/types.hpp"
#include "ivp/multistep/grid_coefficients.hpp"

namespace daewave::ivp {
namespace {

/// Roots closer to the unit circle are taken to lie on it: double roots are known to 1e-8.
constexpr double inside = 1 - 1e-6;

/// A grid on which each step is `ratio` times the one before.
GridNodes geometric_nodes(int count, double ratio) {
  GridNodes nodes;
  nodes.count = count;
  double step = 1;
  for (int j = 1; j < count; ++j, step /= ratio) nodes.at[j] = nodes.at[j - 1] - step;
  return nodes;
}

GridCoefficients coefficients(const BlockedFormula& formula, double ratio) {
  GridCoefficients at;
  find_coefficients(formula, geometric_nodes(formula.k + 1, ratio), at);
  return at;
}

/// max |zeta| with sum_j row_j zeta^(degree - j) = 0.
double largest_root(const GridCoefficients::Row& row, int degree) {
  if (degree == 0) return 0;
  MatX companion = MatX::Zero(degree, degree);
  for (int j = 0; j < degree; ++j) companion(0, j) = -row[j + 1] / row[0];
  for (int j = 1; j < degree; ++j) companion(j, j - 1) = 1;
  return eigenvalues(companion).cwiseAbs().maxCoeff();
}

double blocking_radius(const BlockedFormula& formula, double ratio) {
  const GridCoefficients at = coefficients(formula, ratio);
  GridCoefficients::Row row = at.term;
  row[0] = at.multiplier;
  for (int j = 1; j <= formula.k; ++j) row[j] -= at.tau[j];
  return largest_root(row, formula.k);
}

double parasitic_radius(const BlockedFormula& formula, double ratio) {
  const int degree = formula.family == MultistepFamily::adams_moulton ? 0 : formula.k - 1;
  return largest_root(coefficients(formula, ratio).increment, degree);
}

/// Where `stable` changes between a, where it holds, and b.
template <class Stable>
double edge(const Stable& stable, double a, double b) {
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (a + b);
    (stable(middle) ? a : b) = middle;
  }
  return a;
}

const char* name_of(MultistepFamily family) {
  switch (family) {
    case MultistepFamily::bdf:
      return "BDF";
    case MultistepFamily::dcbdf:
      return "DCBDF";
    case MultistepFamily::adams_moulton:
      return "Adams-Moulton";
  }
  return "unknown";
}

/// The c of the smallest radius, which is where radii of these orders are smallest.
double default_c(int k) {
  constexpr double best[] = {0, -0.5, -7.0 / 48, -0.091};
  return k <= 3 ? best[k] : adams_moulton_blocking(k).best;
}

/// With what is stable instead.
void check_blocking(const BlockedFormula& formula) {
  const double radius = blocking_radius(formula);
  if (radius < inside) return;
  const BlockingInterval stable = adams_moulton_blocking(formula.k);
  if (stable.empty()) {
    throw InvalidOption(fmt::format(
        "order = {} with method = adams-moulton: no c nabla^{} makes the multiplier "
        "stable, the largest root of sigma - tau is {:.4f} at best (c = {:.4f}) and must be < 1; "
        "leave order open; or take method = dcbdf with order = {}",
        formula.k, formula.k, stable.radius, stable.best, formula.k));
  }
  throw InvalidOption(fmt::format(
      "c = {:g}: the largest root of sigma - tau of adams-moulton of order {} is {:.4f} "
      "and must be < 1; it is for c {}, smallest with {:.4f}",
      formula.c, formula.k, radius,
      std::isinf(stable.least)
          ? fmt::format("< {:.4f}", stable.greatest)
          : fmt::format("between {:.4f} and {:.4f}", stable.least, stable.greatest),
      stable.best));
}

BlockedFormula formula_of(const Dcbdf& method, int k) {
  return blocked_formula(MultistepFamily::dcbdf, k, {}, method.blocking);
}

BlockedFormula formula_of(const DcbdfBdf&, int k) {
  return blocked_formula(MultistepFamily::dcbdf, k, {}, Blocking::term);
}

BlockedFormula formula_of(const AdamsMoulton& method, int k) {
  return blocked_formula(MultistepFamily::adams_moulton, k, method.c, method.blocking);
}

BlockedFormula formula_of(const Bdf&, int k) {
  return blocked_formula(MultistepFamily::bdf, k, {}, Blocking::multiplier);
}

}  // namespace

int BlockedFormula::order() const { return blocking == Blocking::multiplier ? order_of_pair() : k; }

double adams_moulton_coefficient(int j) {
  // sum_i gamma_i / (j - i + 1) = 0 for j >= 1.
  double gamma[most_multistep_k + 1] = {1};
  for (int m = 1; m <= j; ++m) {
    gamma[m] = 0;
    for (int i = 0; i < m; ++i) gamma[m] -= gamma[i] / (m - i + 1);
  }
  return gamma[j];
}

double blocking_radius(const BlockedFormula& formula) { return blocking_radius(formula, 1); }

double parasitic_radius(MultistepFamily family, int k) {
  return parasitic_radius(BlockedFormula{family, k, 0, Blocking::multiplier}, 1);
}

BlockingInterval adams_moulton_blocking(int k) {
  const auto radius = [k](double c) {
    return blocking_radius({MultistepFamily::adams_moulton, k, c, Blocking::multiplier});
  };
  // Coarse first: the radius has kinks where roots meet.
  constexpr double from = -1, to = 0.5;
  constexpr int samples = 600;
  BlockingInterval found;
  found.radius = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= samples; ++i) {
    const double c = from + (to - from) * i / samples;
    if (c != 0 && radius(c) < found.radius) {
      found.best = c;
      found.radius = radius(c);
    }
  }
  double width = (to - from) / samples;
  for (int i = 0; i < 60; ++i, width *= 0.7) {
    for (const double c : {found.best - width, found.best + width}) {
      if (c == 0 || !(radius(c) < found.radius)) continue;
      found.best = c;
      found.radius = radius(c);
    }
  }
  if (found.radius >= inside) return found;
  const auto stable = [&radius](double c) { return radius(c) < 1; };
  constexpr double far = -1e6;
  found.least =
      stable(far) ? -std::numeric_limits<double>::infinity() : edge(stable, found.best, from);
  found.greatest = edge(stable, found.best, to);
  return found;
}

BlockedFormula blocked_formula(MultistepFamily family, int k, std::optional<double> c,
                               Blocking blocking) {
  if (k < 1 || k > most_multistep_k) {
    throw InvalidOption(
        fmt::format("order = {}: must be between 1 and {}", k, most_multistep_k - 1));
  }
  const bool adams = family == MultistepFamily::adams_moulton;
  if (c && !adams) {
    throw InvalidOption(fmt::format("c = {:g} with {}: is of adams-moulton alone; leave it out", *c,
                                    name_of(family)));
  }
  const double root = parasitic_radius(family, k);
  if (root >= inside) {
    throw InvalidOption(
        fmt::format("order = {}: rho of {} has a root of {:.4f} beside 1, which must be "
                    "< 1; leave order open, or up to {}",
                    k, name_of(family), root, most_multistep_k - 1));
  }
  BlockedFormula formula{family, k, 0, blocking};
  if (family == MultistepFamily::dcbdf) formula.c = -1.0 / (k + 1);
  if (adams) {
    formula.c = c.value_or(default_c(k));
    if (!std::isfinite(formula.c)) {
      throw InvalidOption(fmt::format("c = {}: must be finite", formula.c));
    }
    check_blocking(formula);
  }
  return formula;
}

BlockedFormula blocked_formula(const BlockedMultistep& method) {
  return std::visit([](const auto& one) { return formula_of(one, one.order.value_or(3)); }, method);
}

double largest_step_ratio(const BlockedFormula& formula) {
  constexpr double most = 2, margin = 0.8;
  const auto stable = [&formula](double ratio) {
    return parasitic_radius(formula, ratio) < inside && blocking_radius(formula, ratio) < inside;
  };
  return stable(1 + (most - 1) / margin) ? most : 1 + margin * (edge(stable, 1, 1 + most) - 1);
}

}  // namespace daewave::ivp
