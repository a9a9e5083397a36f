#pragma once
// The sums over stages of collocation, compiled for each instruction set and picked at run time.

namespace daewave::bvp {

/// Of a chunk of intervals; rows are those of StageChunks.
struct StageSums {
  int n = 0, stages = 0, width = 0;
  const double* a = nullptr;  ///< stages x stages, by row.
  const double* b = nullptr;
  const double* h = nullptr;
  const double* x = nullptr;  ///< n rows of width + 1 nodes.
  const double* K = nullptr;
  double* X = nullptr;    ///< x + h sum_l a_jl K_l at stages.
  double* off = nullptr;  ///< x + h sum_l b_l K_l less x at the next node, rows of intervals.
};

void add_up_stages(const StageSums& of);

/// right = part (F - K).
void slope_residuals(const double* F, const double* K, double part, int count, double* right);

/// sums_i += sum_l (factor (d_l,i - part e_l,i))^2 over so many rows of `width`.
void add_squares(const double* d, const double* e, double part, double factor, int rows, int width,
                 double* sums);

}  // namespace daewave::bvp
