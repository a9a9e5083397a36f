#include "ivp/multistep/grid_coefficients.hpp"

#include <algorithm>
#include <cmath>

#include "core/time/collocation_scheme.hpp"

namespace daewave::ivp {
namespace {

/// prod (theta - node_i) over first <= i < last, without i = j.
double product(const GridNodes& nodes, int first, int last, int j, double theta) {
  double all = 1;
  for (int i = first; i < last; ++i) {
    if (i != j) all *= theta - nodes.at[i];
  }
  return all;
}

/// y(0) - y(-1 step) = sum over increments, where y(0) = sum_j weight_j y_{n-j}, j = 1..count, with
/// weights that sum to one.
void weights_of_increments(const GridCoefficients::Row& weight, int count,
                           GridCoefficients::Row& out) {
  double after = 0;
  for (int j = count; j-- > 1;) {
    after += weight[j + 1];
    out[j] = -after;
  }
}

/// Coefficients of d_n; that of node n is 1.
GridCoefficients::Row divided_difference(const GridNodes& nodes, int k) {
  GridCoefficients::Row d{};
  const double scale = product(nodes, 1, k + 1, -1, 0);
  for (int j = 0; j <= k; ++j) d[j] = scale / product(nodes, 0, k + 1, j, nodes.at[j]);
  return d;
}

/// p'(t_n) h = sum_j alpha_j x_{n-j} = sum_j increment_j D_{n-j}.
void differentiate(const GridNodes& nodes, int k, GridCoefficients::Row& increment) {
  double sum = 0;
  for (int i = 1; i <= k; ++i) sum -= 1 / nodes.at[i];
  increment[0] = sum;
  for (int j = 1; j < k; ++j) {
    sum += product(nodes, 1, k + 1, j, 0) / product(nodes, 0, k + 1, j, nodes.at[j]);
    increment[j] = sum;
  }
}

/// int_{-1}^0 of l_j of the nodes 0..k, and of the last polynomial of Newton's form, scaled as d_n.
double integrate(const GridNodes& nodes, int k, GridCoefficients::Row& sigma) {
  // Exact up to degree 7.
  static const Collocation gauss = collocation(Scheme::gauss, 4);
  double last = 0;
  std::fill(sigma.begin(), sigma.end(), 0.0);
  for (int q = 0; q < gauss.stages; ++q) {
    const double theta = gauss.c[q] - 1;
    for (int j = 0; j <= k; ++j) sigma[j] += gauss.b[q] * lagrange(nodes, k + 1, j, theta);
    last += gauss.b[q] * product(nodes, 0, k, -1, theta);
  }
  return last / product(nodes, 1, k + 1, -1, 0);
}

/// sigma, and c of tau on this grid.
double find_sigma(const BlockedFormula& formula, const GridNodes& nodes,
                  const GridCoefficients::Row& d, GridCoefficients::Row& sigma) {
  const int k = formula.k;
  if (formula.family == MultistepFamily::adams_moulton) {
    const double last = integrate(nodes, k, sigma);
    return formula.c == 0 ? 0 : last - (adams_moulton_coefficient(k) - formula.c);
  }
  std::fill(sigma.begin(), sigma.end(), 0.0);
  sigma[0] = 1;
  if (formula.family == MultistepFamily::dcbdf) {
    for (int j = 0; j <= k; ++j) sigma[j] -= d[j] / (k + 1);
  }
  return formula.c;
}

/// What the formula leaves of P, which vanishes at order + 1 nodes before n, in units of what
/// prediction from these leaves.
double error_factor(const GridCoefficients& at, const GridNodes& nodes, int k, int order) {
  const int count = order + 2;
  const double predicted = product(nodes, 1, count, -1, 0);
  double slope = 0;
  for (int i = 1; i < count; ++i) slope -= predicted / nodes.at[i];
  double sum = at.slope[0] * slope;
  for (int j = 1; j <= k; ++j) sum += at.slope[j] * product(nodes, 1, count, j, nodes.at[j]);
  return 1 - sum / (at.increment[0] * predicted);
}

}  // namespace

double lagrange(const GridNodes& nodes, int count, int j, double theta) {
  return product(nodes, 0, count, j, theta) / product(nodes, 0, count, j, nodes.at[j]);
}

void find_coefficients(const BlockedFormula& formula, const GridNodes& nodes,
                       GridCoefficients& out) {
  const int k = formula.k, order = formula.order_of_pair();
  out.increment.fill(0);
  if (formula.family == MultistepFamily::adams_moulton) {
    out.increment[0] = 1;
  } else {
    differentiate(nodes, k, out.increment);
  }
  const GridCoefficients::Row d = divided_difference(nodes, k);
  const double c = find_sigma(formula, nodes, d, out.slope);
  const bool on_multiplier = formula.blocking == Blocking::multiplier;
  for (int j = 0; j <= k; ++j) {
    out.tau[j] = on_multiplier ? c * d[j] : 0.0;
    out.term[j] = out.slope[j] - (on_multiplier ? 0.0 : c * d[j]);
  }
  out.multiplier = out.slope[0] - c;

  const auto extrapolate = [&nodes](int count, GridCoefficients::Row& weight) {
    for (int j = 1; j <= count; ++j) {
      weight[j] = product(nodes, 1, count + 1, j, 0) / product(nodes, 1, count + 1, j, nodes.at[j]);
    }
    return count;
  };
  GridCoefficients::Row weight{};
  out.predicts_from = extrapolate(std::min(nodes.count - 1, order + 1), weight);
  weights_of_increments(weight, out.predicts_from, out.predict);
  out.extrapolates_from = extrapolate(std::min(nodes.count - 1, k), out.extrapolate);
  out.error = nodes.count >= order + 2 ? error_factor(out, nodes, k, order) : 0;
  const int used = out.predicts_from;
  out.between =
      std::abs(product(nodes, 0, used, -1, 0.5 * nodes.at[1]) / product(nodes, 1, used + 1, -1, 0));
}

}  // namespace daewave::ivp
