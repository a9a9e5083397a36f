#pragma once
// The rows that partitions leave of a matrix, S_r u_r + R_r u_{r+1} = b_r, eliminated in pairs: of
// two rows the node between them goes, by reflections, and one row of the nodes at their ends is
// left; then of two of those, and so on, until few are left:
//
//   rows 0 1 2 3 4 5 6      0-1 2-3 4-5 6      0-3 4-6      ...
//
// Which pairs come from the number of rows alone, whoever has them: so do the bits. Of ranks each
// eliminates what it has the left row of, which the rank with the right row sends it.

#include <functional>
#include <memory>
#include <vector>

#include "core/blocks/babd_matrix.hpp"
#include "core/blocks/reflection_chain.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/types.hpp"

namespace daewave {

class InterfaceTree {
 public:
  /// Rows that are left at most; as many as that need no tree.
  static constexpr int most_left = 64;

  /// @param owners  by row the rank that has it, increasing. @param share  with whom; kept.
  void analyze(int block_size, std::vector<int> owners, const MeshShare& share);

  /// Rows that are left, of as many nodes but one.
  int left() const { return levels_.empty() ? rows() : levels_.back().count; }
  /// The first of the rows that one of those is made of.
  int first_row_of(int of_left) const { return of_left << levels_.size(); }

  /// A row as it is eliminated: R and S side by side, row-major, size x 2 size.
  struct Row {
    std::vector<double> blocks{};
    int failed = -1;       ///< The row, or the first of those, whose pivot is zero or not finite.
    bool of_pair = false;  ///< It failed where rows meet.
  };
  /// What ranks tell all others with the rows that are left: the one before the first row, and the
  /// one behind the last. Of one size on all ranks.
  struct Ends {
    VecX first{}, last{};
    bool has_first = true, has_last = true;  ///< They are known here.
  };
  /// All ranks call it. @param rows  one for each; of others empty. @return what is left, on all.
  std::vector<Row> factorize(std::vector<Row> rows, Ends& ends);

  /// All ranks call it. @param right  of each row, `size`; of others empty.
  /// @param ends        of that too.
  /// @param solve_left  nodes of what is left, from its right side, with `ends` known to all; the
  ///                    same on all ranks.
  /// @return  of each row its nodes, u_r above u_{r+1}; of others empty.
  std::vector<VecX> solve(std::vector<VecX> right, Ends& ends,
                          const std::function<VecX(const VecX& right)>& solve_left) const;

  double bytes() const;

 private:
  /// A pair of rows of the level below, of which the left one is here.
  struct Pair {
    int index;  ///< Of the row that is left.
    int right_owner;
    BabdMatrix right;  ///< Its right row.
    std::unique_ptr<ReflectionChain> chain;
  };
  /// A right row that is here, whose left one is elsewhere.
  struct Sent {
    int index;
    int to;
  };
  struct Level {
    int count = 0;  ///< Rows that it leaves.
    std::vector<Pair> pairs{};
    std::vector<Sent> sent{};
    int alone = -1;  ///< The last row of the level below where it has no other, and is here.
  };

  std::vector<double> told(std::vector<double> of_rows, Ends& ends) const;

  int rows() const { return static_cast<int>(owners_.size()); }
  int me() const { return share_.is_shared() ? share_.ranks->rank() : 0; }
  /// Of a row of a level, 0 that of all rows.
  int owner(std::size_t level, int index) const {
    return owners_[static_cast<std::size_t>(index) << level];
  }

  int size_ = 0;
  std::vector<int> owners_;
  MeshShare share_;
  std::vector<Level> levels_;
};

}  // namespace daewave
