#include "core/blocks/interface_tree.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/machine/flush_denormals.hpp"

namespace daewave {
namespace {

void append(const VecX& from, std::vector<double>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

VecX vector_of(const std::string& text) {
  const std::vector<double> numbers = as_numbers(text);
  return Eigen::Map<const VecX>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

std::string text_of(const VecX& numbers) {
  return as_text({numbers.data(), static_cast<std::size_t>(numbers.size())});
}

std::string text_of(InterfaceTree::Row row) {
  row.blocks.push_back(row.failed);
  row.blocks.push_back(row.of_pair ? 1 : 0);
  return as_text(row.blocks);
}

InterfaceTree::Row row_of(std::vector<double> numbers) {
  InterfaceTree::Row row;
  row.of_pair = numbers.back() != 0;
  numbers.pop_back();
  row.failed = static_cast<int>(numbers.back());
  numbers.pop_back();
  row.blocks = std::move(numbers);
  return row;
}

}  // namespace

void InterfaceTree::analyze(int block_size, std::vector<int> owners, const MeshShare& share) {
  size_ = block_size;
  owners_ = std::move(owners);
  share_ = share;
  levels_.clear();
  while (left() > most_left) {
    const std::size_t below = levels_.size();
    const int rows_below = left();
    Level level;
    level.count = (rows_below + 1) / 2;
    for (int index = 0; index < level.count; ++index) {
      const int left = owner(below, 2 * index);
      if (2 * index + 1 == rows_below) {
        if (left == me()) level.alone = 2 * index;
        continue;
      }
      const int right = owner(below, 2 * index + 1);
      if (right == me() && left != me()) level.sent.push_back({2 * index + 1, left});
      if (left != me()) continue;
      ChainShape shape;
      shape.size = shape.carried = size_;
      shape.border = true;
      shape.end = 1;
      level.pairs.push_back(
          {index, right, BabdMatrix(size_, 1), std::make_unique<ReflectionChain>(shape)});
    }
    levels_.push_back(std::move(level));
  }
}

std::vector<InterfaceTree::Row> InterfaceTree::factorize(std::vector<Row> rows, Ends& ends) {
  const FlushDenormals flush;
  const std::size_t n = static_cast<std::size_t>(size_);
  for (std::size_t below = 0; below < levels_.size(); ++below) {
    Level& level = levels_[below];
    std::vector<Row> made(static_cast<std::size_t>(level.count));
    for (const Sent& one : level.sent) {
      share_.ranks->send(one.to, text_of(rows[static_cast<std::size_t>(one.index)]));
    }
    for (Pair& pair : level.pairs) {
      const auto at = 2 * static_cast<std::size_t>(pair.index);
      Row& left = rows[at];
      const Row right = pair.right_owner == me()
                            ? std::move(rows[at + 1])
                            : row_of(as_numbers(share_.ranks->receive(pair.right_owner)));
      if (left.failed < 0) {
        left.failed = right.failed;
        left.of_pair = right.of_pair;
      }
      for (std::size_t r = 0; r < n; ++r) {
        const double* const from = right.blocks.data() + 2 * r * n;
        std::copy_n(from, n, pair.right.R(0) + r * n);
        std::copy_n(from + n, n, pair.right.S(0) + r * n);
      }
      if (left.failed < 0 && pair.chain->factorize(pair.right, left.blocks.data()) >= 0) {
        left.failed = pair.index << (below + 1);
        left.of_pair = true;
      }
      made[static_cast<std::size_t>(pair.index)] = std::move(left);
    }
    if (level.alone >= 0) made.back() = std::move(rows[static_cast<std::size_t>(level.alone)]);
    rows = std::move(made);
  }
  std::vector<double> mine;
  for (const Row& row : rows) {
    if (row.blocks.empty()) continue;
    mine.insert(mine.end(), row.blocks.begin(), row.blocks.end());
    mine.push_back(row.failed);
    mine.push_back(row.of_pair ? 1 : 0);
  }
  const std::vector<double> all = told(std::move(mine), ends);
  const auto size = static_cast<std::ptrdiff_t>(2 * n * n + 2);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(row) * size;
    rows[row] = row_of({from, from + size});
  }
  return rows;
}

/// What ranks have of the rows that are left, one after the other; and the ends.
std::vector<double> InterfaceTree::told(std::vector<double> of_rows, Ends& ends) const {
  if (!share_.is_shared()) return of_rows;
  std::vector<double> mine;
  if (ends.has_first) append(ends.first, mine);
  mine.insert(mine.end(), of_rows.begin(), of_rows.end());
  if (ends.has_last) append(ends.last, mine);
  const std::vector<double> all = gather(*share_.ranks, mine);
  const auto first = static_cast<std::ptrdiff_t>(ends.first.size());
  const auto last = static_cast<std::ptrdiff_t>(ends.last.size());
  std::copy(all.begin(), all.begin() + first, ends.first.begin());
  std::copy(all.end() - last, all.end(), ends.last.begin());
  return {all.begin() + first, all.end() - last};
}

std::vector<VecX> InterfaceTree::solve(
    std::vector<VecX> right, Ends& ends,
    const std::function<VecX(const VecX& right)>& solve_left) const {
  const int n = size_;
  // Of each pair the node that went, as far as it is known before those at the ends are.
  std::vector<std::vector<VecX>> between(levels_.size());
  for (std::size_t below = 0; below < levels_.size(); ++below) {
    const FlushDenormals flush;
    const Level& level = levels_[below];
    std::vector<VecX> made(static_cast<std::size_t>(level.count));
    for (const Sent& one : level.sent) {
      share_.ranks->send(one.to, text_of(right[static_cast<std::size_t>(one.index)]));
    }
    for (const Pair& pair : level.pairs) {
      const auto at = 2 * static_cast<std::size_t>(pair.index);
      const VecX of_right = pair.right_owner == me()
                                ? right[at + 1]
                                : vector_of(share_.ranks->receive(pair.right_owner));
      VecX u(2 * n);
      pair.chain->forward(of_right, right[at].data(), u);
      between[below].push_back(std::move(u));
      made[static_cast<std::size_t>(pair.index)] = std::move(right[at]);
    }
    if (level.alone >= 0) made.back() = std::move(right[static_cast<std::size_t>(level.alone)]);
    right = std::move(made);
  }
  std::vector<double> mine;
  for (const VecX& one : right) append(one, mine);
  const std::vector<double> all = told(std::move(mine), ends);
  const VecX top =
      solve_left(Eigen::Map<const VecX>(all.data(), static_cast<Eigen::Index>(all.size())));
  std::vector<VecX> nodes(static_cast<std::size_t>(left()));
  for (int row = 0; row < left(); ++row) {
    if (owner(levels_.size(), row) != me()) continue;
    nodes[static_cast<std::size_t>(row)] = top.segment(static_cast<Eigen::Index>(row) * n, 2 * n);
  }
  for (std::size_t below = levels_.size(); below-- > 0;) {
    const FlushDenormals flush;
    const Level& level = levels_[below];
    const int rows_below = below == 0 ? rows() : levels_[below - 1].count;
    std::vector<VecX> made(static_cast<std::size_t>(rows_below));
    for (const Sent& one : level.sent) {
      made[static_cast<std::size_t>(one.index)] = vector_of(share_.ranks->receive(one.to));
    }
    for (std::size_t p = 0; p < level.pairs.size(); ++p) {
      const Pair& pair = level.pairs[p];
      const VecX& around = nodes[static_cast<std::size_t>(pair.index)];
      VecX& u = between[below][p];
      u.tail(n) = around.tail(n);
      pair.chain->back(around.data(), u);
      VecX of_left(2 * n);
      of_left << around.head(n), u.head(n);
      const auto at = 2 * static_cast<std::size_t>(pair.index);
      made[at] = std::move(of_left);
      if (pair.right_owner == me()) {
        made[at + 1] = std::move(u);
      } else {
        share_.ranks->send(pair.right_owner, text_of(u));
      }
    }
    if (level.alone >= 0) made.back() = std::move(nodes.back());
    nodes = std::move(made);
  }
  return nodes;
}

double InterfaceTree::bytes() const {
  double sum = 0;
  for (const Level& level : levels_) {
    for (const Pair& pair : level.pairs) sum += pair.right.bytes() + pair.chain->bytes();
  }
  return sum;
}

}  // namespace daewave
