#pragma once
// Elimination along a run of intervals: the part of every block factorization that has a length.
//
//   S_i u_i + R_i u_{i+1} = b_i,  i = first..end-1
//
// To the right, nodes first..end-1 are eliminated one after the other, and rows carried along move
// from u_first to u_end; to the left, nodes end..first+1, and rows move from u_end to u_first. Each
// time a panel of the carried rows and those of one interval loses the columns of one node. Carried
// rows may also have columns of one far node, the border.

#include "core/blocks/babd_matrix.hpp"
#include "core/types.hpp"

namespace daewave {

struct ChainShape {
  enum class Direction { right, left };

  int size = 0;         ///< n, entries per node.
  int carried = 0;      ///< Rows carried along.
  bool border = false;  ///< The carried rows have n columns of a far node.
  Direction direction = Direction::right;
  int first = 0, end = 0;  ///< Intervals first..end-1; there may be none.

  int intervals() const { return end - first; }
  int rows() const { return carried + size; }
  /// Columns of a carried row: those of the node it has come to, then the border.
  int columns() const { return border ? 2 * size : size; }
  bool to_left() const { return direction == Direction::left; }
};

class IntervalChain {
 public:
  virtual ~IntervalChain() = default;

  /// Eliminates. @param carry  carried x columns(), row-major, replaced by what arrives at the end.
  /// @return  the interval at which a pivot is zero or not finite, whereupon the factors are
  ///          worthless; -1 for none.
  virtual int factorize(const BabdMatrix& matrix, double* carry) = 0;

  /// The same for a right side: `carry` has the carried entries, and u gets what is left for back()
  /// at the nodes eliminated.
  virtual void forward(const VecX& right, double* carry, VecX& u) const = 0;

  /// Solves for the nodes eliminated, from the node at the end of the chain, which is in u.
  /// @param far  the n entries of the far node; not used without a border.
  virtual void back(const double* far, VecX& u) const = 0;

  /// Memory of the factors in bytes.
  virtual double bytes() const = 0;
};

}  // namespace daewave
