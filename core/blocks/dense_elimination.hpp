#pragma once
// Gaussian elimination of the first columns of a dense panel: the kernel behind condensation.

namespace daewave {

/// Eliminates columns 0..pivots-1 of a row-major panel, with row pivoting among the first `pivots`
/// rows; the rows after them are reduced but never chosen.
///
/// Afterwards row j < pivots holds row j of the upper triangle and its reduced right part; the rows
/// after them hold the Schur complement in columns >= pivots. Entries left of the diagonal are
/// the factors by which rows were subtracted. Rows are exchanged by pointer.
/// @param rows     pointers to `count` rows of `stride` doubles each, aligned to 64 bytes; stride
/// is
///                 a multiple of 8.
/// @return smallest pivot divided by the largest; 0 when one is zero or not finite, and then the
///         panel is worthless.
double eliminate_panel(double** rows, int count, int pivots, int stride);

/// After it: solves with the upper triangle, so that columns `from`..stride-1 of row j < pivots
/// hold unknown j. stride - from is a multiple of 8, from >= pivots.
void back_substitute(double** rows, int pivots, int from, int stride);

/// sum[c - from] = sum over rows of weights[j] rows[j][c], c = from..stride-1; stride - from is a
/// multiple of 8.
void weigh_rows(double* const* rows, const double* weights, int count, int from, int stride,
                double* sum);

}  // namespace daewave
