#pragma once
// Which bodies the joints of a mechanism connect, and what follows from that alone: rows and
// columns of G, and the order and fill of an elimination of
//
//   S = G W G^T,   W block diagonal by bodies:   S_jk != 0 where joints j, k share a body.
//
// Computed once and then shared by everything that evaluates the mechanism, in any thread.

#include <memory>
#include <vector>

namespace daewave {

/// Constraints between two bodies, or between one and the ground.
struct Joint {
  static constexpr int ground = -1;
  int rows;    ///< Constraints, 1 to the coordinates of a body.
  int first;   ///< Body.
  int second;  ///< Another body, or ground.
};

/// Joints are eliminated in an order of approximately minimum degree. Where the number of joints on
/// a body is bounded, chains and trees have a fill that is linear in the joints, and so have loops
/// that follow each other in a row; a body with d joints couples them all, in d^2 / 2 blocks.
class JointPattern {
 public:
  /// One step of the elimination; joints in positions of the order.
  struct Column {
    int joint;       ///< Which one.
    int begin, end;  ///< Of its blocks below the diagonal.
    int targets;     ///< Where its part of `targets()` begins.
  };
  /// A product of two ends that enters a block below the diagonal of S; end 2 j of a joint j is its
  /// first, 2 j + 1 its second.
  struct Product {
    int lower, upper;  ///< Ends: S_{lower, upper}, lower eliminated later.
    int block;
  };

  /// @throws InvalidProblem  a body that is none, a joint of a body with itself, rows < 1.
  JointPattern(int bodies, std::vector<Joint> joints);

  /// @throws InvalidProblem  a joint has more rows than that.
  void check_most_rows(int most) const;

  int bodies() const { return bodies_; }
  const std::vector<Joint>& joints() const { return joints_; }
  /// Rows of G.
  int rows() const { return first_row_.back(); }
  /// Of a joint; those of the next one follow.
  int first_row(int joint) const { return first_row_[static_cast<std::size_t>(joint)]; }

  const std::vector<Column>& columns() const { return columns_; }
  /// Position of the joint that a block below the diagonal lies in the row of, ascending in each
  /// column.
  const std::vector<int>& row_of_block() const { return row_of_block_; }
  /// For the blocks a > b of each column, b running faster: the block at their rows,
  /// (row of a, row of b).
  const std::vector<int>& targets() const { return targets_; }
  const std::vector<Product>& products() const { return products_; }
  /// Blocks below the diagonal, fill included.
  int blocks() const { return static_cast<int>(row_of_block_.size()); }

 private:
  void check() const;
  /// The order of elimination: joint at each position.
  std::vector<int> order(const std::vector<std::vector<int>>& neighbours) const;
  /// Joints that share a body with each joint.
  std::vector<std::vector<int>> neighbours(const std::vector<std::vector<int>>& ends) const;
  void fill_columns(const std::vector<std::vector<int>>& neighbours, const std::vector<int>& place);
  void find_targets();
  void find_products(const std::vector<std::vector<int>>& ends, const std::vector<int>& place);
  /// Of a row and column that are known to have one.
  int block_at(int row, int column) const;

  int bodies_;
  std::vector<Joint> joints_;
  std::vector<int> first_row_;
  std::vector<Column> columns_;
  std::vector<int> row_of_block_, targets_;
  std::vector<Product> products_;
};

using JointPatternPtr = std::shared_ptr<const JointPattern>;

}  // namespace daewave
