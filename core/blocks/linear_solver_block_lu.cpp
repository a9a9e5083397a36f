// Block LU with row pivoting: a panel of the rows carried from the left and those of one interval
// slides down the diagonal. Separated conditions need no fill; rows that couple both ends drag
// columns of u_N along.
//
// Separated conditions are stable; coupled ones may not be, which the residual check of
// CheckedSolver finds.

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/blocks/block_chain.hpp"
#include "core/blocks/linear_solver.hpp"
#include "core/machine/flush_denormals.hpp"

namespace daewave {
namespace {

class BlockLu final : public LinearSolver {
 public:
  const char* name() const override { return "block_lu"; }

  void analyze(const BabdMatrix& matrix) override {
    size_ = matrix.block_size();
    intervals_ = matrix.intervals();
    order_ = order_conditions(matrix.B0, matrix.B1);
    chain_.emplace(ChainShape{.size = size_,
                              .carried = static_cast<int>(order_.carried.size()),
                              .border = order_.coupled,
                              .end = intervals_});
    last_.resize(static_cast<std::size_t>(size_) * size_);
    last_pivots_.resize(size_);
  }

  FactorStatus factorize(const BabdMatrix& matrix) override {
    const FlushDenormals flush;
    const int n = size_, carried = chain_->shape().carried, columns = chain_->shape().columns();
    const bool border = order_.coupled;
    AlignedVector carry(static_cast<std::size_t>(carried) * columns);
    for (int r = 0; r < carried; ++r) {
      for (int c = 0; c < n; ++c) {
        carry[r * columns + c] = matrix.B0(order_.carried[r], c);
        if (border) carry[r * columns + n + c] = matrix.B1(order_.carried[r], c);
      }
    }
    const int failed = chain_->factorize(matrix, carry.data());
    if (failed >= 0) {
      return {false, "zero or non-finite pivot in interval " + std::to_string(failed), failed};
    }
    // At the end u_i is u_N: the border joins the carried columns.
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        double value;
        if (r < carried) {
          const double* const row = carry.data() + r * columns;
          value = border ? row[c] + row[n + c] : row[c];
        } else {
          value = matrix.B1(order_.right[r - carried], c);
        }
        last_[r * n + c] = value;
      }
    }
    return factorize_last();
  }

  void solve(const VecX& right, VecX& u) const override {
    const FlushDenormals flush;
    const int n = size_, carried = chain_->shape().carried;
    const std::ptrdiff_t end = static_cast<std::ptrdiff_t>(intervals_) * n;
    u.resize(end + n);
    const double* const conditions = right.data() + end;
    std::vector<double> v(n);
    for (int r = 0; r < carried; ++r) v[r] = conditions[order_.carried[r]];
    chain_->forward(right, v.data(), u);
    for (int r = carried; r < n; ++r) v[r] = conditions[order_.right[r - carried]];
    double* const last = u.data() + end;
    std::copy(v.begin(), v.end(), last);
    solve_last(last);
    chain_->back(last, u);
  }

  double bytes() const override { return chain_ ? chain_->bytes() : 0; }

 private:
  FactorStatus factorize_last() {
    const int n = size_;
    for (int j = 0; j < n; ++j) {
      int pivot = j;
      for (int i = j + 1; i < n; ++i) {
        if (std::abs(last_[i * n + j]) > std::abs(last_[pivot * n + j])) pivot = i;
      }
      last_pivots_[j] = pivot;
      const double largest = std::abs(last_[pivot * n + j]);
      if (!(largest > 0) || !std::isfinite(largest)) {
        return {false,
                "zero or non-finite pivot in the last block: the boundary conditions do not "
                "determine the solution"};
      }
      double* const upper = last_.data() + j * n;
      if (pivot != j) std::swap_ranges(upper, upper + n, last_.data() + pivot * n);
      upper[j] = 1 / upper[j];
      for (int i = j + 1; i < n; ++i) {
        double* const row = last_.data() + i * n;
        row[j] *= upper[j];
        for (int c = j + 1; c < n; ++c) row[c] -= row[j] * upper[c];
      }
    }
    return {};
  }

  void solve_last(double* v) const {
    const int n = size_;
    for (int j = 0; j < n; ++j) std::swap(v[j], v[last_pivots_[j]]);
    for (int r = 1; r < n; ++r) {
      for (int c = 0; c < r; ++c) v[r] -= last_[r * n + c] * v[c];
    }
    for (int r = n - 1; r >= 0; --r) {
      for (int c = r + 1; c < n; ++c) v[r] -= last_[r * n + c] * v[c];
      v[r] *= last_[r * n + r];
    }
  }

  int size_ = 0, intervals_ = 0;
  std::optional<BlockChain> chain_;
  ConditionOrder order_;
  AlignedVector last_;
  std::vector<int> last_pivots_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_block_lu() { return std::make_unique<BlockLu>(); }

}  // namespace daewave
