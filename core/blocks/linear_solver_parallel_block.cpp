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
// are left, and solve for the nodes shared alike.

#include <algorithm>
#include <cmath>

#include "core/blocks/block_chain.hpp"
#include "core/blocks/linear_solver.hpp"
#include "core/blocks/partitions.hpp"
#include "core/blocks/reflection_chain.hpp"
#include "core/machine/flush_denormals.hpp"

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
      part.carry.resize(static_cast<std::size_t>(part.shape.carried) * part.shape.columns());
      if (part.first < share_.first || part.end > share_.first + matrix.intervals()) continue;
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
    share_what_is_left();
    for (const Partition& part : partitions_) {
      if (part.failed < 0) continue;
      return {false, "zero or non-finite pivot in interval " + std::to_string(part.failed),
              part.failed};
    }
    const FlushDenormals flush;
    assemble_reduced(matrix);
    const FactorStatus status = reduced_solver_->factorize(reduced_);
    if (status.usable) return status;
    if (status.interval < 0) {
      return {false,
              "zero or non-finite pivot where the partitions meet: the boundary conditions do not "
              "determine the solution"};
    }
    const Partition& part = partitions_[status.interval + (order_.coupled ? 0 : 1)];
    return {false,
            "zero or non-finite pivot in what is left of intervals " + std::to_string(part.first) +
                " to " + std::to_string(part.end - 1),
            part.first};
  }

  void solve(const VecX& right, VecX& u) const override {
    const int n = size_;
    u.resize(right.size());
    VecX reduced_right(reduced_.rows()), shared;
    const auto conditions = right.tail(n);
    double* const reduced_conditions = reduced_right.data() + reduced_right.size() - n;
    reduced_right.tail(n) = conditions;
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
    share_each(left, [](const Partition& part) { return part.shape.carried; });
    for (std::size_t p = 0; p < partitions_.size(); ++p) {
      const Partition& part = partitions_[p];
      for (int r = 0; r < part.shape.carried; ++r) {
        double* const to =
            part.shape.border ? reduced_right.data() + static_cast<std::ptrdiff_t>(part.row) * n + r
                              : reduced_conditions + part.conditions[r];
        *to = left[p][r] * part.scale[r];
      }
    }
    reduced_solver_->solve(reduced_right, shared);
    const std::ptrdiff_t nodes = u.size() / n;
    for (int node = 0; node <= reduced_.intervals(); ++node) {
      const std::ptrdiff_t to = here(shared_node(node));
      if (to < 0 || to >= nodes) continue;
      const double* const from = shared.data() + static_cast<std::ptrdiff_t>(node) * n;
      std::copy(from, from + n, u.data() + to * n);
    }
    over_mine([&](int p) {
      const Partition& part = partitions_[p];
      part.chain->back(u.data() + here(part.first) * n, u);
    });
  }

  double bytes() const override {
    double sum = reduced_.bytes() + (reduced_solver_ ? reduced_solver_->bytes() : 0);
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

  /// Fills in what other ranks have of their partitions, which follow on each other.
  /// @param size  numbers of a partition.
  template <class Size>
  void share_each(std::vector<std::vector<double>>& of_partitions, const Size& size) const {
    if (!share_.is_shared()) return;
    std::vector<double> mine;
    for (const int p : mine_) {
      mine.insert(mine.end(), of_partitions[p].begin(), of_partitions[p].end());
    }
    const std::vector<double> all = gather(*share_.ranks, mine);
    auto from = all.begin();
    for (std::size_t p = 0; p < partitions_.size(); ++p) {
      const auto end = from + static_cast<std::ptrdiff_t>(size(partitions_[p]));
      of_partitions[p].assign(from, end);
      from = end;
    }
  }

  /// The rows that are left of the partitions, and whether one failed.
  void share_what_is_left() {
    if (!share_.is_shared()) return;
    std::vector<std::vector<double>> left(partitions_.size());
    for (const int p : mine_) {
      const Partition& part = partitions_[p];
      left[p].assign(part.carry.begin(), part.carry.end());
      left[p].push_back(part.failed);
    }
    share_each(left, [](const Partition& part) { return part.carry.size() + 1; });
    for (std::size_t p = 0; p < partitions_.size(); ++p) {
      Partition& part = partitions_[p];
      std::copy_n(left[p].begin(), part.carry.size(), part.carry.begin());
      part.failed = static_cast<int>(left[p].back());
    }
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

  /// Node of the matrix that is a given one of the reduced matrix.
  int shared_node(int node) const {
    return order_.coupled && node == 0 ? 0 : partitions_[node - (order_.coupled ? 1 : 0)].end;
  }

  void analyze_reduced() {
    const int count = static_cast<int>(partitions_.size());
    reduced_ = BabdMatrix(size_, order_.coupled ? count : std::max(count - 2, 0));
    // Which conditions act at which end, whatever entries of this matrix are zero.
    for (const int r : order_.carried) reduced_.B0.row(r).setOnes();
    for (const int r : order_.right) reduced_.B1.row(r).setOnes();
    if (order_.coupled) reduced_.B1.setOnes();
    // Rows that couple both ends are reflected, as what row pivoting does with them may grow.
    reduced_solver_ = order_.coupled ? make_block_qr() : make_block_lu();
    reduced_solver_->analyze(reduced_);
  }

  void assemble_reduced(const BabdMatrix& matrix) {
    const int n = size_;
    reduced_.B0 = matrix.B0;
    reduced_.B1 = matrix.B1;
    for (Partition& part : partitions_) {
      const int columns = part.shape.columns();
      part.scale.resize(part.shape.carried);
      for (int r = 0; r < part.shape.carried; ++r) {
        const double* const row = part.carry.data() + static_cast<std::ptrdiff_t>(r) * columns;
        const double scale = part.scale[r] = balancing_scale(row, columns);
        for (int c = 0; c < n; ++c) {
          if (part.shape.border) {
            reduced_.R(part.row)[r * n + c] = scale * row[c];
            reduced_.S(part.row)[r * n + c] = scale * row[n + c];
          } else {
            MatX& B = part.shape.to_left() ? reduced_.B1 : reduced_.B0;
            B(part.conditions[r], c) = scale * row[c];
          }
        }
      }
    }
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
  BabdMatrix reduced_;
  std::unique_ptr<LinearSolver> reduced_solver_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_parallel_block(const SolverSetting& setting) {
  return std::make_unique<ParallelBlock>(setting);
}

}  // namespace daewave
