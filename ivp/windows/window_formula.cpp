#include "ivp/windows/window_formula.hpp"

#include <cmath>

namespace daewave::ivp {
namespace {

constexpr int nodes = WindowFormula::nodes;

/// Values of P_0 to P_{count - 1} at x in [-1, 1].
template <class Real>
void legendre(Real x, Real* P, int count) {
  P[0] = 1;
  P[1] = x;
  for (int k = 1; k + 1 < count; ++k) {
    P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
  }
}

/// Integrals from 0 to theta of P_0 to P_{count - 1} on [0, 1], from values of one more of them.
template <class Real>
void integrated(Real theta, const Real* P, Real* once, int count) {
  once[0] = theta;
  for (int k = 1; k < count; ++k) once[k] = (P[k + 1] - P[k - 1]) / (2 * (2 * k + 1));
}

/// The roots of P_8, increasing, by Newton's method.
std::array<long double, nodes> roots() {
  std::array<long double, nodes> x{};
  for (int i = 0; i < nodes; ++i) {
    long double root = -std::cos(std::acos(-1.0L) * (i + 0.75L) / (nodes + 0.5L));
    for (int pass = 0; pass < 8; ++pass) {
      long double P[nodes + 1];
      legendre(root, P, nodes + 1);
      const long double slope = nodes * (root * P[nodes] - P[nodes - 1]) / (root * root - 1);
      root -= P[nodes] / slope;
    }
    x[i] = root;
  }
  return x;
}

WindowFormula make() {
  WindowFormula formula{};
  const auto x = roots();
  long double P[nodes][nodes + 1], once[nodes][nodes], b[nodes], A[nodes][nodes];
  for (int i = 0; i < nodes; ++i) {
    legendre(x[i], P[i], nodes + 1);
    integrated((1 + x[i]) / 2, P[i], once[i], nodes);
    const long double before = nodes * P[i][nodes - 1];
    b[i] = (1 - x[i] * x[i]) / (before * before);
    formula.c[i] = static_cast<double>((1 + x[i]) / 2);
    formula.b[i] = static_cast<double>(b[i]);
    formula.end[i] = static_cast<double>(b[i] * (1 - x[i]) / 2);
  }
  for (int j = 0; j < nodes; ++j) {
    for (int k = 0; k < nodes; ++k) {
      formula.coefficient[k][j] = static_cast<double>((2 * k + 1) * b[j] * P[j][k]);
    }
    for (int i = 0; i < nodes; ++i) {
      A[i][j] = 0;
      for (int k = 0; k < nodes; ++k) A[i][j] += (2 * k + 1) * b[j] * P[j][k] * once[i][k];
      formula.once[j][i] = static_cast<double>(A[i][j]);
    }
  }
  for (int j = 0; j < nodes; ++j) {
    for (int i = 0; i < nodes; ++i) {
      long double sum = 0;
      for (int l = 0; l < nodes; ++l) sum += A[i][l] * A[l][j];
      formula.twice[j][i] = static_cast<double>(sum);
    }
  }
  return formula;
}

}  // namespace

const WindowFormula& window_formula() {
  static const WindowFormula formula = make();
  return formula;
}

LegendreAt::LegendreAt(double theta) {
  double P[nodes + 2], J[nodes + 1];
  legendre(2 * theta - 1, P, nodes + 2);
  integrated(theta, P, J, nodes + 1);
  twice[0] = theta * theta / 2;
  for (int k = 0; k < nodes; ++k) {
    value[k] = P[k];
    once[k] = J[k];
    if (k > 0) twice[k] = (J[k + 1] - J[k - 1]) / (2 * (2 * k + 1));
  }
}

}  // namespace daewave::ivp
