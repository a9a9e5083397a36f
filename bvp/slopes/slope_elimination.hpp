#pragma once
// Elimination of the slopes K of the intervals of a mesh, for Newton's method:
//
//   (I - h A (x) J) dK = r + J dx_i,   A (x) J having J_j, of stage j, in its rows,
//
// as many intervals at once as a register has numbers, and by blocks of components where enough
// entries of J vanish in all of a chunk (bvp/slopes/symbolic_slopes.hpp). Factors are not kept:
// to bring them back from memory takes as long as to make them again, and they are the larger part
// of all there is.

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "bvp/slopes/slab_memory.hpp"
#include "bvp/slopes/stage_chunks.hpp"
#include "bvp/slopes/symbolic_slopes.hpp"
#include "core/time/collocation_scheme.hpp"

namespace daewave::bvp {

class SlopeElimination {
 public:
  /// @param n  entries of x.
  SlopeElimination(int n, const Collocation& scheme, const StageChunks& chunks);

  /// Numbers that one thread needs, on a cache line.
  std::size_t memory() const;

  /// Keeps J at the stages of a chunk, entry (i, j) as row i + j n; where many entries vanish, the
  /// others.
  void take(int chunk, const double* J);
  /// f(i, j, values at the stages) of each entry that is kept.
  template <class F>
  void each_entry(int chunk, F f) const {
    const Kept& kept = kept_[static_cast<std::size_t>(chunk)];
    const double* values = kept.numbers;
    const int count = entries_of(kept);
    for (int e = 0; e < count; ++e, values += rows_of(chunk)) {
      const SymbolicSlopes::Entry at = kept.symbolic != nullptr
                                           ? kept.symbolic->entries()[static_cast<std::size_t>(e)]
                                           : SymbolicSlopes::Entry{e % n_, e / n_};
      f(at.i, at.j, values);
    }
  }

  /// What is left of the slopes of a chunk for the nodes.
  struct Reduced {
    /// sum_l h b_l (d dK_l / dx), n x n by row for each interval; null: not wanted.
    double* of_node = nullptr;
    double* y = nullptr;    ///< dK for dx = 0, at stages; not r.
    double* end = nullptr;  ///< sum_l h b_l y_l; rows of intervals.
  };
  /// Eliminates the slopes of a chunk. @param h  of its intervals. @param r  at its stages.
  /// @param memory  of this thread.
  /// @return the first interval of the chunk at which a pivot is zero or not finite; -1 for none.
  int eliminate(int chunk, const double* h, const double* r, double* memory, const Reduced& to);

  /// dK += (d dK / dx_i) dx, as eliminate() with of_node left it. @param dx  rows of intervals.
  void add_of_node(int chunk, const double* dx, double* dK) const;

 private:
  /// Of a chunk: entries of J, and behind them d dK / dx_i.
  struct Kept {
    const SymbolicSlopes* symbolic = nullptr;  ///< Null: by rows, and all entries.
    double* numbers = nullptr;
    std::size_t room = 0;
  };

  void make_room(Kept& kept, std::size_t room);
  const SymbolicSlopes* symbolic_of(int chunk, const double* J);
  int entries_of(const Kept& kept) const {
    return kept.symbolic != nullptr ? static_cast<int>(kept.symbolic->entries().size()) : n_ * n_;
  }
  double* nodes_of(const Kept& kept, int chunk) const {
    return kept.numbers + entries_of(kept) * rows_of(chunk);
  }
  std::ptrdiff_t rows_of(int chunk) const {
    return static_cast<std::ptrdiff_t>(scheme_->stages) * chunks_->width(chunk);
  }

  int n_;
  const Collocation* scheme_;
  const StageChunks* chunks_;
  AlignedVector a_;  ///< By row.
  std::vector<Kept> kept_;
  std::map<SymbolicSlopes::Pattern, std::unique_ptr<const SymbolicSlopes>> known_;
  SlabMemory memory_;
  int without_memory_;  ///< Chunks.
  std::mutex mutex_;    ///< Of what is above, from known_ on.
};

}  // namespace daewave::bvp
