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
  const double* J = nullptr;
  const double* r = nullptr;
  const SymbolicSlopes* symbolic = nullptr;  ///< By blocks, where they pay; null: by rows.
  double* nodes = nullptr;    ///< Row (l n + i) n + j: dK_l,i / dx_j; null: not wanted. Those that
                              ///< vanish by structure are left as they are.
  double* of_node = nullptr;  ///< n x n by row for each interval, where nodes are.
  double* y = nullptr;
  double* end = nullptr;
  double* work = nullptr;
};

/// Doubles of `work`.
int slope_work(int n, int stages);

/// By columns, with row pivoting in each interval where the diagonal is small.
/// @return the first interval at which a pivot is zero or not finite; -1 for none.
int eliminate_slopes(const SlopePanels& at);

/// dK_l,i += sum_j nodes dx_j. @param symbolic  what the nodes were made with.
void add_of_node(int n, int stages, int width, const SymbolicSlopes* symbolic, const double* nodes,
                 const double* dx, double* dK);

}  // namespace daewave::bvp
