#pragma once
// In which order the components of an interval are eliminated from each other where many entries of
// J vanish, as most do of problems that were of higher order, and what fills in: symbolic
// factorization of I - h A (x) J by blocks, one of stages x stages for each pair of components.
//
// A component whose rate does not depend on itself has the unit matrix for a pivot until another
// one fills it in: neither to be factorized nor to be solved with.

#include <cstddef>
#include <memory>
#include <vector>

namespace daewave::bvp {

class SymbolicSlopes {
 public:
  /// Which entries of J are other than zero: entry (i, j) as i + j n. (Of vectors of unsigned bytes
  /// gcc 12 warns where they are compared.)
  using Pattern = std::vector<char>;

  static constexpr int none = -1;

  /// Where an entry of J, by its number, goes; or zeros, where that is none.
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
  /// @return null where blocks take hardly less work than rows do, which know of no zeros.
  static std::unique_ptr<const SymbolicSlopes> where_it_pays(int n, int stages,
                                                             const Pattern& pattern);
  /// Multiplications that rows take in one interval.
  static double by_rows(int n, int stages);

  /// An entry that is other than zero; they are numbered as in memory.
  struct Entry {
    int i = 0, j = 0;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  /// The number of entry (i, j); none: it is zero.
  int entry(int i, int j) const { return entry_[at(i, j)]; }

  /// What nodes do to the slopes: so many pairs, and the number of what node component j does to
  /// component i; none: nothing.
  int nodes() const { return node_count_; }
  int node(int i, int j) const { return node_[at(i, j)]; }

  int blocks() const { return block_count_; }
  /// The column of a node's number.
  int column_of(int node) const { return n_ + node; }

  const std::vector<Made>& made_blocks() const { return made_blocks_; }
  const std::vector<Made>& made_nodes() const { return made_nodes_; }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  SymbolicSlopes(int n, int stages, const Pattern& pattern);
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(n_);
  }
  bool order(double most_work);
  int block(int i, int j);
  int node_of(int i, int j);
  double cost(int component, const std::vector<bool>& done) const;
  void eliminate(int component, const std::vector<bool>& done);
  void substitute_back();

  int n_, stages_;
  int block_count_ = 0, node_count_ = 0;
  double work_ = 0;  ///< Multiplications of one interval, with what nodes do.
  std::vector<Entry> entries_;
  std::vector<int> entry_;
  std::vector<int> block_;  ///< Of components i and j, i + j n; none: zero, or the unit matrix.
  std::vector<int> node_;
  std::vector<Made> made_blocks_, made_nodes_;
  std::vector<Step> steps_;
  std::vector<int> order_;
};

}  // namespace daewave::bvp
