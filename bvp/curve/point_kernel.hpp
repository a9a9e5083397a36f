#pragma once
// What StagePolynomials and curves are at many points, as many at once as a register of the machine
// has numbers. One quantity of the points lies side by side, those of another behind them.

#include <cstddef>

namespace daewave::bvp {

/// k polynomials at points, and where their values go: that of polynomial l at point p to
/// found[l points + p].
struct PolynomialPoints {
  const double* theta = nullptr;
  int points = 0, k = 0;
  double* found = nullptr;
};

/// scales_l prod (theta - c_j), j != l.
void lagrange_values(const PolynomialPoints& at, const double* c, const double* scales);

/// sum_j coefficients[l + j k] s^j, j up to k, where s = 2 theta - 1.
void polynomial_values(const PolynomialPoints& at, const double* coefficients);

/// sums[p] = first + sum_l weights[l] values[l stride + p].
void weigh_at_points(const double* values, std::ptrdiff_t stride, int points, int k,
                     const double* weights, double first, double* sums);

/// sums[i points + p] = sum_j factors[j n + i] rows[j points + p], i below n.
void map_at_points(const double* factors, int n, const double* rows, int points, double* sums);

/// Of one point, whose quantities lie side by side: sums[i] = sum_j weights[j stride] columns[j
/// rows
/// + i], i below rows; or the same added to what is there.
void weigh_columns(const double* columns, std::ptrdiff_t rows, std::ptrdiff_t count,
                   const double* weights, std::ptrdiff_t stride, double* sums);
void add_columns(const double* columns, std::ptrdiff_t rows, std::ptrdiff_t count,
                 const double* weights, std::ptrdiff_t stride, double* sums);

/// value[p] = a[p] - b[p], size[p] = |a[p]| + |b[p]|.
void subtract_at_points(const double* a, const double* b, int points, double* value, double* size);

}  // namespace daewave::bvp
