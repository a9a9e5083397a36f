// Block elimination in partitions of the intervals, each reduced by itself to rows of the nodes it
// shares with others:
//
//   separated conditions   B0 |------>|<----->|<----->|<------| B1
//   coupled conditions      |<----->|<----->|<----->|<----->|      B0 u_0 + B1 u_N
//
// With separated conditions the first partition carries those of the left end to the right, the
// last one those of the right end to the left, by pivoted rows as block_lu and at the same cost:
// two partitions are the twisted, or burn-at-both-ends, factorization, without fill. All others are
// reduced to S u_a + R u_b = b, for which each interior node drags columns of u_a along. They carry
// all modes, growing and decaying, which reflections alone keep apart (Wright, 1992), at four to
// five times the work. What is left is a block matrix of the nodes shared.
//
// The partitions come from the matrix and the setting alone, so results have the same bits whoever
// runs them. Of a matrix that ranks share, each eliminates its own; all of them know the rows that
// are left, and solve for the nodes shared alike. Of more than 64 partitions the rows are
// eliminated in pairs before, until as few are left (core/blocks/interface_tree.hpp), each pair by
// one rank.

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/blocks/block_chain.hpp"
#include "core/blocks/condition_columns.hpp"
#include "core/blocks/interface_tree.hpp"
#include "core/blocks/linear_solver.hpp"
#include "core/blocks/partitions.hpp"
#include "core/blocks/reflection_chain.hpp"
#include "core/machine/flush_denormals.hpp"
#include "core/not_finite.hpp"

namespace daewave {
namespace {

/// A power of two that brings the largest entry to about one; one where there is none such.
double balancing_scale(const double* row, int entries) {
  double largest = 0;
  for (int e = 0; e < entries; ++e) largest = std::max(largest, std::abs(row[e]));
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
}

class ParallelBlock final : public LinearSolver {
 public:
  explicit ParallelBlock(const SolverSetting& setting) : setting_(setting) {
    if (setting_.executor == nullptr) setting_.executor = &serial_;
  }

  const char* name() const override { return "parallel_block"; }

  void analyze(const BabdMatrix& matrix) override {
    size_ = matrix.block_size();
    order_ = order_conditions(matrix.B0, matrix.B1);
    share_ = matrix.share;
    const std::vector<int> borders = share_.ranks != nullptr ? share_.borders : own_borders(matrix);
    const int count = static_cast<int>(borders.size()) - 1;
    partitions_.clear();
    mine_.clear();
    for (int p = 0; p < count; ++p) {
      Partition& part = partitions_.emplace_back(partition(p, count));
      part.first = borders[p];
      part.end = borders[p + 1];
      const bool is_here =
          part.first >= share_.first && part.end <= share_.first + matrix.intervals();
      if (is_here || !part.shape.border) {
        part.carry.resize(static_cast<std::size_t>(part.shape.carried) * part.shape.columns());
      }
      if (!is_here) continue;
      mine_.push_back(p);
      // The rows of the first interval of a bordered partition are what it starts with.
      part.shape.first = part.first - share_.first + (part.shape.border ? 1 : 0);
      part.shape.end = part.end - share_.first;
      if (part.shape.border) {
        part.chain = std::make_unique<ReflectionChain>(part.shape);
      } else {
        part.chain = std::make_unique<BlockChain>(part.shape);
      }
    }
    analyze_reduced();
  }

  FactorStatus factorize(const BabdMatrix& matrix) override {
    over_mine([&](int p) {
      Partition& part = partitions_[p];
      start(matrix, part);
      part.failed = part.chain->factorize(matrix, part.carry.data());
      if (part.failed >= 0) part.failed += share_.first;
    });
    const FlushDenormals flush;
    const FactorStatus left = assemble_reduced(matrix);
    if (!left.usable) return left;
    const FactorStatus status = reduced_solver_->factorize(reduced_);
    if (status.usable) return status;
    if (status.interval < 0) {
      return {false,
              "zero or non-finite pivot where the partitions meet: the boundary conditions do not "
              "determine the solution"};
    }
    return failed_between(tree_.first_row_of(status.interval),
                          tree_.first_row_of(status.interval + 1) - 1);
  }

  void solve(const VecX& right, VecX& u) const override {
    const int n = size_;
    u.resize(right.size());
    const auto conditions = right.tail(n);
    VecX reduced_conditions = conditions;
    std::vector<std::vector<double>> left(partitions_.size());
    over_mine([&](int p) {
      const Partition& part = partitions_[p];
      std::vector<double>& carry = left[p];
      carry.resize(part.shape.carried);
      if (part.shape.border) {
        const double* const b = right.data() + here(part.first) * n;
        std::copy(b, b + n, carry.begin());
      } else {
        for (int r = 0; r < part.shape.carried; ++r) carry[r] = conditions[part.conditions[r]];
      }
      part.chain->forward(right, carry.data(), u);
    });
    std::vector<VecX> rows(static_cast<std::size_t>(rows_));
    for (const int p : mine_) {
      const Partition& part = partitions_[p];
      if (!part.shape.border) continue;
      VecX& row = rows[static_cast<std::size_t>(part.row)];
      row.resize(n);
      for (int r = 0; r < n; ++r) row[r] = left[p][r] * part.scale[r];
    }
    InterfaceTree::Ends ends = ends_with([](const Partition& part) { return part.shape.carried; });
    over_ends(
        [&](const Partition& part, std::size_t p, VecX& end) {
          if (part.chain) end = Eigen::Map<const VecX>(left[p].data(), part.shape.carried);
        },
        ends);
    const std::vector<VecX> nodes = tree_.solve(std::move(rows), ends, [&](const VecX& of_left) {
      over_ends(
          [&](const Partition& part, std::size_t, const VecX& end) {
            for (int r = 0; r < part.shape.carried; ++r) {
              reduced_conditions[part.conditions[r]] = end[r] * part.scale[r];
            }
          },
          ends);
      VecX reduced_right(reduced_.rows()), shared;
      reduced_right.head(of_left.size()) = of_left;
      reduced_right.tail(n) = reduced_conditions;
      reduced_solver_->solve(reduced_right, shared);
      put_ends(shared, u);
      return shared;
    });
    for (const int p : mine_) {
      const Partition& part = partitions_[p];
      if (!part.shape.border) continue;
      const VecX& around = nodes[static_cast<std::size_t>(part.row)];
      u.segment(here(part.first) * n, n) = around.head(n);
      u.segment(here(part.end) * n, n) = around.tail(n);
    }
    over_mine([&](int p) {
      const Partition& part = partitions_[p];
      part.chain->back(u.data() + here(part.first) * n, u);
    });
  }

  MatX sizes_by_conditions(const MatX& conditions, int rows) const override {
    const bool is_twisted = rows_ == 0 && !order_.coupled && !share_.is_shared();
    if (is_twisted && ConditionColumns::pay(conditions.cols())) return sizes_together(conditions);
    return LinearSolver::sizes_by_conditions(conditions, rows);
  }

  double bytes() const override {
    double sum =
        reduced_.bytes() + (reduced_solver_ ? reduced_solver_->bytes() : 0) + tree_.bytes();
    for (const int p : mine_) sum += partitions_[p].chain->bytes();
    return sum;
  }

 private:
  struct Partition {
    int first = 0, end = 0;       ///< Intervals of the whole matrix.
    ChainShape shape;             ///< Of those eliminated, as they are counted here.
    std::vector<int> conditions;  ///< Carried, where it has no border.
    int row = 0;                  ///< Of the reduced matrix, where it has one.
    std::unique_ptr<IntervalChain> chain;
    AlignedVector carry;  ///< What the chain started with, then what arrived.
    std::vector<double> scale;
    int failed = -1;
  };

  /// As solve(), columns side by side, where chains from both ends meet at one node.
  MatX sizes_together(const MatX& conditions) const {
    using Rows = ConditionColumns::Rows;
    const int n = size_, count = static_cast<int>(conditions.cols());
    std::vector<std::unique_ptr<ConditionColumns>> columns(partitions_.size());
    over_mine([&](int p) {
      const auto& chain = static_cast<const BlockChain&>(*partitions_[p].chain);
      columns[p] = std::make_unique<ConditionColumns>(chain, partitions_[p].conditions, conditions);
    });
    Rows node = Rows::Zero(n, BlockChain::together);
    VecX right = VecX::Zero(reduced_.rows()), shared;
    for (int c = 0; c < count; ++c) {
      right.tail(n) = conditions.col(c);
      for (const int p : mine_) {
        const Partition& part = partitions_[p];
        for (int r = 0; r < part.shape.carried; ++r) {
          right.tail(n)[part.conditions[r]] = columns[p]->arrived(r, c) * part.scale[r];
        }
      }
      reduced_solver_->solve(right, shared);
      node.col(c) = shared.tail(n);
    }
    std::vector<Rows> sizes(partitions_.size());
    over_mine([&](int p) { sizes[p] = columns[p]->sizes(node); });
    for (const Rows& part : sizes) {
      sizes[0] = sizes[0].binaryExpr(part, &larger).eval();
    }
    return sizes[0].leftCols(count);
  }

  std::vector<int> own_borders(const BabdMatrix& matrix) const {
    const int usual = usual_partitions(order_.coupled, matrix.intervals());
    return partition_borders(size_, order_, matrix.intervals(),
                             setting_.partitions > 0 ? setting_.partitions : usual);
  }

  /// Partition p of `count`, without its place.
  Partition partition(int p, int count) const {
    Partition part;
    part.shape = partition_shape(size_, order_, p, count);
    if (part.shape.border) {
      part.row = order_.coupled ? p : p - 1;
    } else {
      part.conditions = p == 0 ? order_.carried : order_.right;
    }
    return part;
  }

  /// Where what is of an interval or a node of the whole matrix is here.
  std::ptrdiff_t here(int index) const { return index - share_.first; }

  /// Of partitions that leave no row, at the ends.
  /// @param size  numbers of one.
  template <class Size>
  InterfaceTree::Ends ends_with(const Size& size) const {
    InterfaceTree::Ends ends;
    ends.has_first = partitions_.front().chain != nullptr;
    ends.has_last = partitions_.back().chain != nullptr;
    over_ends([&](const Partition& part, std::size_t, VecX& end) { end.setZero(size(part)); },
              ends);
    return ends;
  }
  template <class Use>
  void over_ends(const Use& use, InterfaceTree::Ends& ends) const {
    const std::size_t last = partitions_.size() - 1;
    if (!partitions_[0].shape.border) use(partitions_[0], 0, ends.first);
    if (last > 0 && !partitions_[last].shape.border) use(partitions_[last], last, ends.last);
  }

  /// Rows of conditions a separated chain carries, or those of the first interval.
  void start(const BabdMatrix& matrix, Partition& part) const {
    const int n = size_;
    double* to = part.carry.data();
    if (part.shape.border) {
      const int first = part.shape.first - 1;
      const double *S = matrix.S(first), *R = matrix.R(first);
      for (int r = 0; r < n; ++r) {
        to = std::copy(R + r * n, R + r * n + n, to);
        to = std::copy(S + r * n, S + r * n + n, to);
      }
      return;
    }
    const MatX& B = part.shape.to_left() ? matrix.B1 : matrix.B0;
    for (const int condition : part.conditions) {
      for (int c = 0; c < n; ++c) *to++ = B(condition, c);
    }
  }

  /// The first and the last node of what is left, where they are here.
  void put_ends(const VecX& shared, VecX& u) const {
    const int n = size_;
    const std::ptrdiff_t nodes = u.size() / n;
    const auto put = [&](int node, const auto& value) {
      const std::ptrdiff_t to = here(node);
      if (to >= 0 && to < nodes) u.segment(to * n, n) = value;
    };
    put(order_.coupled ? 0 : partitions_.front().end, shared.head(n));
    const bool is_one = order_.coupled || partitions_.size() == 1;
    put(is_one ? partitions_.back().end : partitions_.back().first, shared.tail(n));
  }

  static FactorStatus failed_in(int interval) {
    return {false, "zero or non-finite pivot in interval " + std::to_string(interval), interval};
  }
  /// From one row of those that partitions leave to another.
  FactorStatus failed_between(int first_row, int last_row) const {
    const int before = order_.coupled ? 0 : 1;
    const Partition& part = partitions_[first_row + before];
    const Partition& last = partitions_[std::min(last_row, rows_ - 1) + before];
    return {false,
            "zero or non-finite pivot in what is left of intervals " + std::to_string(part.first) +
                " to " + std::to_string(last.end - 1),
            part.first};
  }

  void analyze_reduced() {
    const int count = static_cast<int>(partitions_.size());
    rows_ = order_.coupled ? count : std::max(count - 2, 0);
    std::vector<int> owners;
    int rank = 0;
    for (const Partition& part : partitions_) {
      while (share_.is_shared() && part.first >= share_.shares[rank + 1]) ++rank;
      if (part.shape.border) owners.push_back(rank);
    }
    tree_.analyze(size_, std::move(owners), share_);
    reduced_ = BabdMatrix(size_, tree_.left());
    // Which conditions act at which end, whatever entries of this matrix are zero.
    for (const int r : order_.carried) reduced_.B0.row(r).setOnes();
    for (const int r : order_.right) reduced_.B1.row(r).setOnes();
    if (order_.coupled) reduced_.B1.setOnes();
    // Rows that couple both ends are reflected, as what row pivoting does with them may grow.
    reduced_solver_ = order_.coupled ? make_block_qr() : make_block_lu();
    reduced_solver_->analyze(reduced_);
  }

  FactorStatus assemble_reduced(const BabdMatrix& matrix) {
    const int n = size_;
    std::vector<InterfaceTree::Row> rows(static_cast<std::size_t>(rows_));
    for (const int p : mine_) {
      Partition& part = partitions_[p];
      if (!part.shape.border) continue;
      InterfaceTree::Row& row = rows[static_cast<std::size_t>(part.row)];
      row.failed = part.failed;
      row.blocks = scaled_rows(part, part.carry.data());
    }
    // What is carried, and where that failed.
    const auto entries = [](const Partition& part) {
      return static_cast<Eigen::Index>(part.carry.size()) + 1;
    };
    InterfaceTree::Ends ends = ends_with(entries);
    over_ends(
        [&](const Partition& part, std::size_t, VecX& end) {
          std::copy(part.carry.begin(), part.carry.end(), end.begin());
          end.tail<1>()[0] = part.failed;
        },
        ends);
    const std::vector<InterfaceTree::Row> left = tree_.factorize(std::move(rows), ends);
    if (const int failed = first_failed(left, ends); failed >= 0) return failed_in(failed);
    reduced_.B0 = matrix.B0;
    reduced_.B1 = matrix.B1;
    over_ends(
        [&](const Partition&, std::size_t p, const VecX& end) {
          Partition& part = partitions_[p];
          const std::vector<double> scaled = scaled_rows(part, end.data());
          MatX& B = part.shape.to_left() ? reduced_.B1 : reduced_.B0;
          for (int r = 0; r < part.shape.carried; ++r) {
            for (int c = 0; c < n; ++c) B(part.conditions[r], c) = scaled[r * n + c];
          }
        },
        ends);
    for (int i = 0; i < reduced_.intervals(); ++i) {
      const InterfaceTree::Row& row = left[static_cast<std::size_t>(i)];
      if (row.failed >= 0) return failed_between(row.failed, tree_.first_row_of(i + 1) - 1);
      for (int r = 0; r < n; ++r) {
        const double* const from = row.blocks.data() + static_cast<std::ptrdiff_t>(2) * r * n;
        std::copy_n(from, n, reduced_.R(i) + r * n);
        std::copy_n(from + n, n, reduced_.S(i) + r * n);
      }
    }
    return {};
  }

  /// The first interval in which a partition failed, or -1.
  static int first_failed(const std::vector<InterfaceTree::Row>& left,
                          const InterfaceTree::Ends& ends) {
    const auto of_end = [](const VecX& end) {
      return end.size() > 0 ? static_cast<int>(end.tail<1>()[0]) : -1;
    };
    if (const int failed = of_end(ends.first); failed >= 0) return failed;
    for (const InterfaceTree::Row& row : left) {
      if (row.failed >= 0 && !row.of_pair) return row.failed;
    }
    return of_end(ends.last);
  }

  /// What is carried, each row by a power of two; which is kept.
  static std::vector<double> scaled_rows(Partition& part, const double* carry) {
    const int columns = part.shape.columns();
    std::vector<double> scaled(carry, carry + part.carry.size());
    part.scale.resize(part.shape.carried);
    for (int r = 0; r < part.shape.carried; ++r) {
      double* const row = scaled.data() + static_cast<std::ptrdiff_t>(r) * columns;
      const double scale = part.scale[r] = balancing_scale(row, columns);
      for (int c = 0; c < columns; ++c) row[c] *= scale;
    }
    return scaled;
  }

  /// Calls work(p) for each partition that is here, where the executor wills.
  template <class Work>
  void over_mine(const Work& work) const {
    setting_.executor->for_chunks(static_cast<int>(mine_.size()), 1, [&](int i, int) {
      const FlushDenormals flush;
      work(mine_[i]);
    });
  }

  Serial serial_;
  SolverSetting setting_;
  int size_ = 0;
  ConditionOrder order_;
  MeshShare share_;
  std::vector<Partition> partitions_;  ///< All; those of other ranks have no chain.
  std::vector<int> mine_;              ///< Of them, those that are eliminated here.
  int rows_ = 0;                       ///< Those that lie between others leave one each.
  InterfaceTree tree_;                 ///< Of these.
  BabdMatrix reduced_;
  std::unique_ptr<LinearSolver> reduced_solver_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_parallel_block(const SolverSetting& setting) {
  return std::make_unique<ParallelBlock>(setting);
}

}  // namespace daewave
