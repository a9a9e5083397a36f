#pragma once
// The bordered almost block diagonal matrix that every whole-interval discretization ends in:
//
//   S_i u_i + R_i u_{i+1} = b_i,  i = 0..N-1,      B0 u_0 + B1 u_N = beta.
//
// No linear solver knows where it comes from. Ranks that share it have the rows of their intervals
// each, and all of them those of the conditions.

#include "core/machine/aligned.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/threads/executor.hpp"
#include "core/types.hpp"

namespace daewave {

class BabdMatrix {
 public:
  BabdMatrix() = default;
  BabdMatrix(int block_size, int intervals);

  int block_size() const { return block_size_; }
  int intervals() const { return intervals_; }
  int rows() const { return block_size_ * (intervals_ + 1); }

  /// Row-major blocks of block_size x block_size.
  double* S(int i) { return S_.data() + offset(i); }
  double* R(int i) { return R_.data() + offset(i); }
  const double* S(int i) const { return S_.data() + offset(i); }
  const double* R(int i) const { return R_.data() + offset(i); }

  /// Boundary rows, block_size x block_size each.
  MatX B0, B1;

  /// Which intervals of which matrix these are, where ranks share it. Intervals and vectors are
  /// then those that are here, and what is found of all is told to all.
  MeshShare share{};

  /// Intervals of all ranks.
  int all_intervals() const { return share.is_shared() ? share.all : intervals_; }
  /// The entries of u at the first and at the last node of all.
  std::pair<VecX, VecX> ends_of(const VecX& u) const;

  /// residual = right - M u.
  /// @param right  block_size entries per interval, then those of the boundary rows.
  /// @param u      block_size entries per node.
  /// @return       the largest block-row backward error |residual_i| / (|S_i||u_i| + |R_i||u_{i+1}|
  ///               + |right_i|) in max norms, for boundary rows with the largest |u| of all nodes;
  ///               infinity when a number is not finite. Rows whose terms are all below 1e-290 are
  ///               measured against that: solvers may take what is denormal for zero.
  double residual(const VecX& right, const VecX& u, VecX& residual,
                  const Executor& executor = Serial()) const;

  /// Of each component of u the largest |u| of all nodes, block_size.
  VecX sizes_of(const VecX& u) const;
  /// The largest error of a row by itself, |residual_r| / (sum_c |M_rc| |u_c| + |right_r|): where
  /// components are of very different sizes, rows that are about small ones are nothing beside the
  /// others of their block, and may be off by all that they say.
  /// @param sizes  as sizes_of(); what is below a thousandth of its component's counts as that.
  double row_error(const VecX& right, const VecX& u, const VecX& sizes, const VecX& residual,
                   const Executor& executor = Serial()) const;

  /// Memory of the blocks in bytes.
  double bytes() const { return 8.0 * static_cast<double>(S_.size() + R_.size()); }

 private:
  std::size_t offset(int i) const {
    return static_cast<std::size_t>(i) * block_size_ * block_size_;
  }

  int block_size_ = 0, intervals_ = 0;
  AlignedVector S_, R_;
};

/// Which boundary rows act at which end, and the row order the block solvers use: left and coupled
/// rows are carried from the left, right rows join at the end.
struct ConditionOrder {
  std::vector<int> carried;  ///< Rows of B0 | B1 that touch u_0.
  std::vector<int> right;    ///< Rows that touch u_N only.
  bool coupled = false;      ///< Some carried row touches u_N too.
  bool operator==(const ConditionOrder&) const = default;
};
ConditionOrder order_conditions(const MatX& B0, const MatX& B1);

}  // namespace daewave
