// One chain over all intervals: rows of the conditions at the left end, and of those that couple
// both ends with a border, are carried to u_N, where those of the right end join them:
//
//   B0 |------------------>| B1
//
// block_lu: row pivoting. A panel of the rows carried and those of one interval slides down the
// diagonal. Separated conditions are stable and need no fill; coupled ones may not be, which the
// residual check of CheckedSolver finds.
//
// block_qr: the same panel, reduced by Householder reflections. Backward stable for coupled
// conditions too, at two to three times the work (Wright, 1992).

#include <Eigen/QR>
#include <optional>
#include <type_traits>

#include "core/blocks/block_chain.hpp"
#include "core/blocks/condition_columns.hpp"
#include "core/blocks/linear_solver.hpp"
#include "core/blocks/reflection_chain.hpp"
#include "core/blocks/small_lu.hpp"
#include "core/machine/flush_denormals.hpp"

namespace daewave {
namespace {

/// What is left for u_N, with row pivoting.
class PivotedEnd {
 public:
  bool factorize(const MatX& A) {
    lu_.resize(static_cast<int>(A.rows()));
    return lu_.factorize(A);
  }
  void solve(VecX& b) const { lu_.solve(b); }

 private:
  SmallLu lu_;
};

/// The same by reflections.
class ReflectedEnd {
 public:
  bool factorize(const MatX& A) {
    qr_.compute(A);
    const VecX diagonal = qr_.matrixQR().diagonal().cwiseAbs();
    return diagonal.minCoeff() > 0 && diagonal.allFinite();
  }
  void solve(VecX& b) const { b = VecX(qr_.solve(b)); }

 private:
  Eigen::ColPivHouseholderQR<MatX> qr_;
};

template <class Chain, class End>
class ChainSolver final : public LinearSolver {
 public:
  explicit ChainSolver(const char* name) : name_(name) {}

  const char* name() const override { return name_; }

  void analyze(const BabdMatrix& matrix) override {
    size_ = matrix.block_size();
    intervals_ = matrix.intervals();
    order_ = order_conditions(matrix.B0, matrix.B1);
    chain_.emplace(ChainShape{.size = size_,
                              .carried = static_cast<int>(order_.carried.size()),
                              .border = order_.coupled,
                              .end = intervals_});
  }

  FactorStatus factorize(const BabdMatrix& matrix) override {
    const FlushDenormals flush;
    const int n = size_, carried = chain_->shape().carried;
    Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor> carry(carried,
                                                                   chain_->shape().columns());
    for (int r = 0; r < carried; ++r) {
      carry.row(r).head(n) = matrix.B0.row(order_.carried[r]);
      if (order_.coupled) carry.row(r).tail(n) = matrix.B1.row(order_.carried[r]);
    }
    const int failed = chain_->factorize(matrix, carry.data());
    if (failed >= 0) {
      return {false, "zero or non-finite pivot in interval " + std::to_string(failed), failed};
    }
    // At the end u_i is u_N: the border joins the carried columns.
    MatX end(n, n);
    if (order_.coupled) {
      end.topRows(carried) = carry.leftCols(n) + carry.rightCols(n);
    } else {
      end.topRows(carried) = carry;
    }
    for (int r = carried; r < n; ++r) end.row(r) = matrix.B1.row(order_.right[r - carried]);
    if (end_.factorize(end)) return {};
    return {false,
            "zero or non-finite pivot in the last block: the boundary conditions do not "
            "determine the solution"};
  }

  void solve(const VecX& right, VecX& u) const override {
    const FlushDenormals flush;
    const int n = size_, carried = chain_->shape().carried;
    u.resize(static_cast<std::ptrdiff_t>(n) * (intervals_ + 1));
    const auto conditions = right.tail(n);
    VecX end(n);
    for (int r = 0; r < carried; ++r) end[r] = conditions[order_.carried[r]];
    chain_->forward(right, end.data(), u);
    for (int r = carried; r < n; ++r) end[r] = conditions[order_.right[r - carried]];
    end_.solve(end);
    u.tail(n) = end;
    chain_->back(end.data(), u);
  }

  MatX sizes_by_conditions(const MatX& conditions, int rows) const override {
    if constexpr (std::is_same_v<Chain, BlockChain>) {
      if (ConditionColumns::pay(conditions.cols())) return sizes_together(conditions);
    }
    return LinearSolver::sizes_by_conditions(conditions, rows);
  }

  double bytes() const override { return chain_ ? chain_->bytes() : 0; }

 private:
  /// As solve(), columns side by side.
  MatX sizes_together(const MatX& conditions) const {
    const FlushDenormals flush;
    const int n = size_, carried = chain_->shape().carried;
    const auto count = static_cast<int>(conditions.cols());
    ConditionColumns columns(*chain_, order_.carried, conditions);
    ConditionColumns::Rows far = ConditionColumns::Rows::Zero(n, BlockChain::together);
    VecX end(n);
    for (int c = 0; c < count; ++c) {
      for (int r = 0; r < carried; ++r) end[r] = columns.arrived(r, c);
      for (int r = carried; r < n; ++r) end[r] = conditions(order_.right[r - carried], c);
      end_.solve(end);
      far.col(c) = end;
    }
    return columns.sizes(far).leftCols(count);
  }

  const char* name_;
  int size_ = 0, intervals_ = 0;
  std::optional<Chain> chain_;
  ConditionOrder order_;
  End end_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_block_lu() {
  return std::make_unique<ChainSolver<BlockChain, PivotedEnd>>("block_lu");
}

std::unique_ptr<LinearSolver> make_block_qr() {
  return std::make_unique<ChainSolver<ReflectionChain, ReflectedEnd>>("block_qr");
}

}  // namespace daewave
