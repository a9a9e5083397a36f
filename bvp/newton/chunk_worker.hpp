#pragma once
// What one thread works with on the chunks of a mesh.

#include <cstddef>
#include <memory>

#include "bvp/equations/iterate_system.hpp"
#include "core/machine/aligned.hpp"

namespace daewave::bvp {

class ChunkWorker {
 public:
  /// @param intervals  of a chunk, at most. @param n  entries of x. @param panel  numbers that the
  ///                   elimination of slopes needs.
  ChunkWorker(int intervals, int stages, int n, std::size_t panel);

  IterateSystem* system = nullptr;
  std::unique_ptr<IterateSystem> own;  ///< Of other threads than the first.

  /// At the stages of a chunk, rows of x or one; behind them whole registers may be read and
  /// written, behind all of these.
  double *t, *X, *right, *y;
  double *end, *dx;  ///< Rows of its intervals.
  double* x;         ///< Rows of its nodes.
  double* h;         ///< Of its intervals.
  double* J;         ///< n x n rows at its stages.
  double* panel;     ///< On a cache line.

 private:
  UnsetVector memory_;
  std::unique_ptr<double[]> panel_;
};

}  // namespace daewave::bvp
