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
// runs them.

#include <algorithm>
#include <cmath>

#include "core/blocks/block_chain.hpp"
#include "core/blocks/linear_solver.hpp"
#include "core/blocks/reflection_chain.hpp"
#include "core/machine/flush_denormals.hpp"

namespace daewave {
namespace {

/// As many partitions as serve a matrix, whoever solves it.
int usual_partitions(bool coupled, int intervals) {
  constexpr int most = 16, intervals_that_pay = 64;
  return coupled ? std::clamp(intervals / intervals_that_pay, 1, most) : 2;
}

/// Borders of partitions that take equal times.
std::vector<int> balanced(int intervals, const std::vector<double>& work_per_interval) {
  const int count = static_cast<int>(work_per_interval.size());
  double all = 0, before = 0;
  for (const double work : work_per_interval) all += 1 / work;
  std::vector<int> borders(count + 1, 0);
  for (int p = 0; p + 1 < count; ++p) {
    before += 1 / work_per_interval[p];
    const int border = static_cast<int>(std::lround(intervals * (before / all)));
    borders[p + 1] = std::clamp(border, borders[p] + 1, intervals - (count - 1 - p));
  }
  borders[count] = intervals;
  return borders;
}

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
    const int intervals = matrix.intervals();
    const int wanted =
        setting_.partitions > 0 ? setting_.partitions : usual_partitions(order_.coupled, intervals);
    const int count = std::clamp(wanted, 1, std::max(intervals, 1));
    partitions_.clear();
    std::vector<double> work;
    for (int p = 0; p < count; ++p) {
      partitions_.push_back(partition(p, count));
      const ChainShape& shape = partitions_.back().shape;
      work.push_back(shape.border ? ReflectionChain::work_per_interval(shape)
                                  : BlockChain::work_per_interval(shape));
    }
    const std::vector<int> borders = balanced(intervals, work);
    for (int p = 0; p < count; ++p) {
      Partition& part = partitions_[p];
      part.first = borders[p];
      part.end = borders[p + 1];
      // The rows of the first interval of a bordered partition are what it starts with.
      part.shape.first = part.shape.border ? part.first + 1 : part.first;
      part.shape.end = part.end;
      if (part.shape.border) {
        part.chain = std::make_unique<ReflectionChain>(part.shape);
      } else {
        part.chain = std::make_unique<BlockChain>(part.shape);
      }
      part.carry.resize(static_cast<std::size_t>(part.shape.carried) * part.shape.columns());
    }
    analyze_reduced();
  }

  FactorStatus factorize(const BabdMatrix& matrix) override {
    over(partitions_, [&](Partition& part) {
      start(matrix, part);
      part.failed = part.chain->factorize(matrix, part.carry.data());
    });
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
    over(partitions_, [&](const Partition& part) {
      std::vector<double> carry(part.shape.carried);
      if (part.shape.border) {
        const double* const b = right.data() + static_cast<std::ptrdiff_t>(part.first) * n;
        std::copy(b, b + n, carry.begin());
      } else {
        for (int r = 0; r < part.shape.carried; ++r) carry[r] = conditions[part.conditions[r]];
      }
      part.chain->forward(right, carry.data(), u);
      for (int r = 0; r < part.shape.carried; ++r) {
        double* const to =
            part.shape.border ? reduced_right.data() + static_cast<std::ptrdiff_t>(part.row) * n + r
                              : reduced_conditions + part.conditions[r];
        *to = carry[r] * part.scale[r];
      }
    });
    reduced_solver_->solve(reduced_right, shared);
    for (int node = 0; node <= reduced_.intervals(); ++node) {
      const double* const from = shared.data() + static_cast<std::ptrdiff_t>(node) * n;
      std::copy(from, from + n, u.data() + static_cast<std::ptrdiff_t>(shared_node(node)) * n);
    }
    over(partitions_, [&](const Partition& part) {
      const double* const far = u.data() + static_cast<std::ptrdiff_t>(part.first) * n;
      part.chain->back(far, u);
    });
  }

  double bytes() const override {
    double sum = reduced_.bytes() + (reduced_solver_ ? reduced_solver_->bytes() : 0);
    for (const Partition& part : partitions_) sum += part.chain->bytes();
    return sum;
  }

 private:
  struct Partition {
    int first = 0, end = 0;       ///< Intervals.
    ChainShape shape;             ///< Of those eliminated.
    std::vector<int> conditions;  ///< Carried, where it has no border.
    int row = 0;                  ///< Of the reduced matrix, where it has one.
    std::unique_ptr<IntervalChain> chain;
    AlignedVector carry;  ///< What the chain started with, then what arrived.
    std::vector<double> scale;
    int failed = -1;
  };

  /// Partition p of `count`, without its place.
  Partition partition(int p, int count) const {
    Partition part;
    part.shape.size = size_;
    part.shape.border = order_.coupled || (p > 0 && p + 1 < count);
    if (part.shape.border) {
      part.shape.carried = size_;
      part.row = order_.coupled ? p : p - 1;
    } else {
      part.shape.direction = p == 0 ? ChainShape::Direction::right : ChainShape::Direction::left;
      part.conditions = p == 0 ? order_.carried : order_.right;
      part.shape.carried = static_cast<int>(part.conditions.size());
    }
    return part;
  }

  /// Rows of conditions a separated chain carries, or those of the first interval.
  void start(const BabdMatrix& matrix, Partition& part) const {
    const int n = size_;
    double* to = part.carry.data();
    if (part.shape.border) {
      const double *S = matrix.S(part.first), *R = matrix.R(part.first);
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

  /// Calls work(partition) for each, where the executor wills.
  template <class Partitions, class Work>
  void over(Partitions& partitions, const Work& work) const {
    setting_.executor->for_chunks(static_cast<int>(partitions.size()), 1, [&](int p, int) {
      const FlushDenormals flush;
      work(partitions[p]);
    });
  }

  Serial serial_;
  SolverSetting setting_;
  int size_ = 0;
  ConditionOrder order_;
  std::vector<Partition> partitions_;
  BabdMatrix reduced_;
  std::unique_ptr<LinearSolver> reduced_solver_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_parallel_block(const SolverSetting& setting) {
  return std::make_unique<ParallelBlock>(setting);
}

}  // namespace daewave
