#pragma once
// The arithmetic of SlopeElimination, compiled for each instruction set and picked at run time.

namespace daewave::bvp {

class SymbolicSlopes;

/// A chunk of intervals, and what is made of it. Rows are those of StageChunks.
struct SlopePanels {
  int n = 0, stages = 0, width = 0;
  const double* a = nullptr;  ///< stages x stages, by row.
  const double* b = nullptr;
  const double* h = nullptr;
  const SymbolicSlopes* symbolic = nullptr;  ///< Null: by rows, and all entries of J.
  const double* J = nullptr;  ///< Entries by their numbers, which of all are i + j n.
  const double* r = nullptr;
  double* nodes = nullptr;  ///< Rows (number stages + l): dK_l,i / dx_j, which has that number; of
                            ///< all i n + j.
  double* of_node = nullptr;  ///< n x n by row for each interval; null: neither is wanted.
  double* y = nullptr;
  double* end = nullptr;
  double* work = nullptr;
};

/// Doubles of `work`.
int slope_work(int n, int stages);

/// By blocks of components where that is known to pay; else, and where a pivot is small, by
/// columns, with row pivoting in each interval where the diagonal is small.
/// @return the first interval at which a pivot is zero or not finite; -1 for none.
int eliminate_slopes(const SlopePanels& at);

/// dK_l,i += sum_j nodes dx_j.
void add_of_node(int n, const SymbolicSlopes* symbolic, int stages, int width, const double* nodes,
                 const double* dx, double* dK);

}  // namespace daewave::bvp
