#pragma once
// What residuals at the points of an interval come to, as many points at once as a register of the
// machine has numbers.

namespace daewave::bvp {

/// One row of a residual at points, and of what its terms are like; NaN where it is not known.
struct ResidualRow {
  double* values = nullptr;
  const double* sizes = nullptr;
  int points = 0;
  double rounding = 0;  ///< In units of the sizes, what no residual is seen in.
};

/// Of a row, beyond rounding.
struct RowMeasure {
  double largest = 0;
  double sum = 0;   ///< Of its size, each point for its part of the interval.
  double most = 0;  ///< The largest |integral| from the left node to a point.
};

/// @param parts  of the interval that points stand for.
RowMeasure measure_row(const ResidualRow& row, const double* parts);

/// Its largest size beyond rounding alone.
double largest_of_row(const ResidualRow& row);

/// Where what is not known counts as zero; the values are changed.
/// @param fit     two columns: their products with the values are coefficients
/// @param smooth  of these two columns, which are taken from the values.
void take_smooth(const ResidualRow& row, const double* fit, const double* smooth);
void forget_unknown(const ResidualRow& row);

/// The integral over the interval of its size beyond rounding, that of two neighbours which is
/// larger standing for what is between them.
/// @param gaps    points + 1. @param memory  points + 2, for what is done on the way.
double bound_of_integral(const ResidualRow& row, const double* gaps, double* memory);

}  // namespace daewave::bvp
