#pragma once
// Right sides of conditions alone, one in each column, along a chain and back: how large they make
// the nodes. For all of them the factors are read once.

#include <memory>
#include <vector>

#include "core/blocks/block_chain.hpp"
#include "core/types.hpp"

namespace daewave {

class ConditionColumns {
 public:
  /// Columns side by side; those behind the last condition are zero.
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, BlockChain::together, Eigen::RowMajor>;

  /// Whether there is anything to be had of it, and room.
  static bool pay(Eigen::Index count) { return count > 2 && count <= BlockChain::together; }

  /// Along the chain, which is kept by reference.
  /// @param carried  rows of `conditions` that the chain carries. @param conditions  one a column.
  ConditionColumns(const BlockChain& chain, const std::vector<int>& carried, const MatX& conditions)
      : chain_(chain), u_(BlockChain::memory_of_conditions(chain.shape())) {
    carry_.setZero(chain.shape().carried, BlockChain::together);
    for (int r = 0; r < chain.shape().carried; ++r) {
      carry_.row(r).head(conditions.cols()) = conditions.row(carried[r]);
    }
    chain_.forward_conditions(carry_.data(), u_.get());
  }

  /// What of carried row r has arrived at the end of the chain, of condition c.
  double arrived(int r, int c) const { return carry_(r, c); }

  /// The largest size of each row at the nodes of the chain and the one at its end. To be called
  /// once. @param far  that node.
  Rows sizes(const Rows& far) {
    Rows sizes = far.cwiseAbs();
    chain_.back_conditions(far.data(), u_.get(), sizes.data());
    return sizes;
  }

 private:
  const BlockChain& chain_;
  std::unique_ptr<double[]> u_;
  Rows carry_;
};

}  // namespace daewave
