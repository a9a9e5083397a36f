#pragma once
// Elimination of the slopes K of the intervals of a mesh, for Newton's method:
//
//   (I - h A (x) J) dK = r + J dx_i,   A (x) J having J_j, of stage j, in its rows,
//
// as many intervals at once as a register has numbers, and by blocks of components where enough
// entries of J vanish in all of a chunk (bvp/nonlinear/symbolic_slopes.hpp). Factors are not kept:
// to bring them back from memory takes as long as to make them again, and they are the larger part
// of all there is.

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "bvp/nonlinear/stage_chunks.hpp"
#include "bvp/nonlinear/symbolic_slopes.hpp"
#include "core/time/collocation_scheme.hpp"

namespace daewave::bvp {

class SlopeElimination {
 public:
  /// @param n  entries of x.
  SlopeElimination(int n, const Collocation& scheme, const StageChunks& chunks);

  /// Numbers that one thread needs, on a cache line.
  std::size_t memory() const;

  /// Where J of the stages of a chunk goes before factorize(): entry (i, j) as row i + j n.
  double* jacobians(int chunk) { return chunks_->of(jacobians_, n_ * n_, chunk); }
  /// Where others go meanwhile, and their turn. They have no memory until it is asked for.
  void make_next();
  double* next_jacobians(int chunk) { return chunks_->of(next_, n_ * n_, chunk); }
  void take_next() { std::swap(jacobians_, next_); }

  /// What is left of the slopes of a chunk for the nodes.
  struct Reduced {
    /// sum_l h b_l (d dK_l / dx), n x n by row for each interval; null: not wanted.
    double* of_node = nullptr;
    double* y = nullptr;    ///< dK for dx = 0, at stages; not r.
    double* end = nullptr;  ///< sum_l h b_l y_l; rows of intervals.
  };
  /// Eliminates the slopes of a chunk. @param h  of its intervals. @param r  at its stages.
  /// @param memory  of this thread.
  /// With of_node, J may be other than the last time.
  /// @return the first interval of the chunk at which a pivot is zero or not finite; -1 for none.
  int eliminate(int chunk, const double* h, const double* r, double* memory, const Reduced& to);

  /// dK += (d dK / dx_i) dx, as eliminate() with of_node left it. @param dx  rows of intervals.
  void add_of_node(int chunk, const double* dx, double* dK) const;

 private:
  const SymbolicSlopes* symbolic_of(int chunk);

  int n_, size_;  ///< size_: all slopes of an interval.
  const Collocation* scheme_;
  const StageChunks* chunks_;
  AlignedVector a_;  ///< By row.
  AlignedVector jacobians_, next_;
  AlignedVector nodes_;                          ///< d dK / dx_i.
  std::vector<const SymbolicSlopes*> symbolic_;  ///< By chunk; null: by rows.
  std::map<SymbolicSlopes::Pattern, SymbolicSlopes> known_;
  std::mutex mutex_;  ///< Of known_, whose entries stay where they are.
};

}  // namespace daewave::bvp
