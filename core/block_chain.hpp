#pragma once
// Block elimination with row pivoting along a run of intervals: the part of every block LU that has
// a length, from either end.
//
//   S_i u_i + R_i u_{i+1} = b_i,  i = first..end-1
//
// To the right, nodes first..end-1 are eliminated one after the other, and rows carried along move
// from u_first to u_end; to the left, nodes end..first+1, and rows move from u_end to u_first. Each
// time a panel of the carried rows and those of one interval loses the columns of one node. Carried
// rows may also have columns of one far node, the border.
//
// Row pivoting within the panel decouples growing from decaying modes (Ascher, Mattheij, Russell,
// section 7.2), so chains without a border are stable; those with one may not be.

#include <cstddef>
#include <memory>

#include "core/babd_matrix.hpp"
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
  /// Columns of a carried row: those of the node it has come to, then the border.
  int columns() const { return border ? 2 * size : size; }
  /// Multiplications of an elimination, about.
  double work_per_interval() const;
};

class BlockChain {
 public:
  explicit BlockChain(const ChainShape& shape);

  const ChainShape& shape() const { return shape_; }

  /// Eliminates. @param carry  carried x columns(), row-major, replaced by what arrives at the end.
  /// @return  the interval at which a pivot is zero or not finite, as which the factors are
  ///          worthless; -1 for none.
  int factorize(const BabdMatrix& matrix, double* carry);

  /// The same for a right side: `carry` has the carried entries, and u gets what is left for back()
  /// at the nodes eliminated.
  void forward(const VecX& right, double* carry, VecX& u) const;

  /// Solves for the nodes eliminated, from the node at the end of the chain, which is in u.
  /// @param far  the n entries of the far node; not used without a border.
  void back(const double* far, VecX& u) const;

  double bytes() const;

 private:
  template <int N, int C, bool Border>
  int factorize_sized(const BabdMatrix& matrix, double* carry);
  template <int N, int C, bool Border>
  void forward_sized(const VecX& right, double* carry, VecX& u) const;
  template <int N, int C, bool Border>
  void back_sized(const double* far, VecX& u) const;

  int rows() const { return shape_.carried + shape_.size; }
  bool to_left() const { return shape_.direction == ChainShape::Direction::left; }
  /// The interval of a step along the chain.
  int interval(int step) const { return to_left() ? shape_.end - 1 - step : shape_.first + step; }
  std::size_t left_entries() const { return static_cast<std::size_t>(rows()) * shape_.size; }
  std::size_t right_entries() const {
    return static_cast<std::size_t>(shape_.size) * shape_.columns();
  }

  ChainShape shape_;
  // Not set to zero: that would take as long as the elimination, and touch all of it on the thread
  // that analyzes.
  std::unique_ptr<double[]> left_, right_;
  std::unique_ptr<int[]> pivots_;
};

}  // namespace daewave
