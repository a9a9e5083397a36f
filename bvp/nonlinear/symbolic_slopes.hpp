#pragma once
// In which order the components of an interval are eliminated from each other where many entries of
// J vanish, as most do of problems that were of higher order, and what fills in: symbolic
// factorization of I - h A (x) J by blocks, one of stages x stages for each pair of components.
//
// A component whose rate does not depend on itself has the unit matrix for a pivot until another
// one fills it in: neither to be factorized nor to be solved with.

#include <cstdint>
#include <vector>

namespace daewave::bvp {

class SymbolicSlopes {
 public:
  /// Which entries of J are other than zero: entry (i, j) as i + j n.
  using Pattern = std::vector<std::uint8_t>;

  static constexpr int none = -1;

  /// Where an entry of J goes; or zeros, where `entry` is none.
  struct Made {
    int to = 0, entry = none;
    bool has_unit = false;  ///< A unit matrix is added.
  };
  /// target -= left right.
  struct Product {
    int left = 0, right = 0, target = 0;
  };
  /// A component that is eliminated from those after it, or, in the last step, what those after
  /// each make of it. Blocks and columns are numbered; column r holds the right side of component
  /// r, and those from n on what nodes do to the slopes.
  struct Step {
    int diagonal = none;                       ///< Block of it; none: the unit matrix.
    std::vector<int> row;                      ///< Blocks right of it.
    std::vector<int> rights, nodes;            ///< Columns of its row.
    std::vector<int> below;                    ///< Blocks of the components after it.
    std::vector<Product> of_blocks;            ///< Of blocks with blocks.
    std::vector<Product> of_rights, of_nodes;  ///< Of blocks with columns.
  };

  /// @param pattern  n x n.
  SymbolicSlopes(int n, int stages, const Pattern& pattern);

  int n() const { return n_; }
  int blocks() const { return block_count_; }
  int columns() const { return n_ + node_count_; }
  /// The column of what node component j does to component i; none: nothing.
  int node_column(int i, int j) const { return node_[static_cast<std::size_t>(i + j * n_)]; }

  const std::vector<Made>& made_blocks() const { return made_blocks_; }
  const std::vector<Made>& made_nodes() const { return made_nodes_; }
  const std::vector<Step>& steps() const { return steps_; }
  /// Multiplications of one interval, with what nodes do; and those where no entry vanishes.
  double work() const { return work_; }
  double dense_work() const;

 private:
  int block(int i, int j);
  int node(int i, int j);
  double cost(int component, const std::vector<bool>& done) const;
  void eliminate(int component, const std::vector<bool>& done);
  void substitute_back();

  int n_, stages_;
  int block_count_ = 0, node_count_ = 0;
  std::vector<int> block_;  ///< Of components i and j, i + j n; none: zero, or the unit matrix.
  std::vector<int> node_;
  std::vector<Made> made_blocks_, made_nodes_;
  std::vector<Step> steps_;
  std::vector<int> order_;
  double work_ = 0;
};

}  // namespace daewave::bvp
