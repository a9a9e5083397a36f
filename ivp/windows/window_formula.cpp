#include "ivp/windows/window_formula.hpp"

#include <cmath>

namespace daewave::ivp {
namespace {

constexpr int node_count = WindowFormula::nodes;

/// Values of P_0 to P_{count - 1} at x in [-1, 1].
void legendre(long double x, long double* P, int count) {
  P[0] = 1;
  P[1] = x;
  for (int k = 1; k + 1 < count; ++k) {
    P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
  }
}

/// Integrals from 0 to theta of P_0 to P_{count - 1} on [0, 1], from values of one more of them.
void integrated(long double theta, const long double* P, long double* once, int count) {
  once[0] = theta;
  for (int k = 1; k < count; ++k) once[k] = (P[k + 1] - P[k - 1]) / (2 * (2 * k + 1));
}

/// The roots of P_8, increasing, by Newton's method.
std::array<long double, node_count> roots() {
  std::array<long double, node_count> x{};
  for (int i = 0; i < node_count; ++i) {
    long double root = -std::cos(std::acos(-1.0L) * (i + 0.75L) / (node_count + 0.5L));
    for (int pass = 0; pass < 8; ++pass) {
      long double P[node_count + 1];
      legendre(root, P, node_count + 1);
      const long double slope =
          node_count * (root * P[node_count] - P[node_count - 1]) / (root * root - 1);
      root -= P[node_count] / slope;
    }
    x[i] = root;
  }
  return x;
}

/// Rounded to a multiple of 2^-55, so that sums and differences of such numbers in [-1/4, 1/4] are
/// exact: what is symmetric stays so to the last bit, as otherwise rounding would drift.
double on_grid(long double x) {
  constexpr double grid = 0x1p-55;
  return static_cast<double>(std::nearbyint(x / grid)) * grid;
}

/// A formula that read backward is itself: c_i + c_{9-i} = 1, b_i = b_{9-i}, A_ij + A_{9-i,9-j} =
/// b_j.
WindowFormula make_formula() {
  WindowFormula formula{};
  const auto x = roots();
  long double P[node_count][node_count + 1], once[node_count][node_count], b[node_count],
      A[node_count][node_count];
  for (int i = 0; i < node_count; ++i) {
    legendre(x[i], P[i], node_count + 1);
    integrated((1 + x[i]) / 2, P[i], once[i], node_count);
    const long double before = node_count * P[i][node_count - 1];
    b[i] = (1 - x[i] * x[i]) / (before * before);
  }
  for (int i = 0; i < node_count / 2; ++i) {
    const int mirrored = node_count - 1 - i;
    // Of the larger one, so that the other is exact.
    formula.c[mirrored] = static_cast<double>((1 + x[mirrored]) / 2);
    formula.c[i] = 1 - formula.c[mirrored];
    formula.b[i] = formula.b[mirrored] = on_grid(b[i]);
  }
  for (int j = node_count; j-- > 0;) {
    if (j >= node_count / 2) {
      formula.end[j] = on_grid(b[j] * (1 - x[j]) / 2);
      formula.end[node_count - 1 - j] = formula.b[j] - formula.end[j];
    }
    for (int k = 0; k < node_count; ++k) {
      formula.coefficient[j][k] = static_cast<double>((2 * k + 1) * b[j] * P[j][k]);
    }
    for (int i = 0; i < node_count; ++i) {
      A[i][j] = 0;
      for (int k = 0; k < node_count; ++k) A[i][j] += (2 * k + 1) * b[j] * P[j][k] * once[i][k];
    }
    for (int i = 0; i < node_count / 2; ++i) {
      formula.once[j][i] = on_grid(A[i][j]);
      formula.once[node_count - 1 - j][node_count - 1 - i] = formula.b[j] - formula.once[j][i];
    }
  }
  for (int j = 0; j < node_count; ++j) {
    for (int i = 0; i < node_count / 2; ++i) {
      long double sum = 0;
      for (int l = 0; l < node_count; ++l) sum += A[i][l] * A[l][j];
      formula.twice[j][i] = on_grid(sum);
      formula.twice[node_count - 1 - j][node_count - 1 - i] =
          on_grid(formula.twice[j][i] - formula.end[j] +
                  static_cast<long double>(formula.c[node_count - 1 - i]) * formula.b[j]);
    }
  }
  return formula;
}

}  // namespace

const WindowFormula& window_formula() {
  static const WindowFormula formula = make_formula();
  return formula;
}

}  // namespace daewave::ivp
