#include "core/kkt/sparse_kkt.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/lost_digits.hpp"

namespace daewave {
namespace {

std::size_t nth(int i) { return static_cast<std::size_t>(i); }

/// A pivot at most this times its entry of S is rounding: it is left over after a few dozen
/// subtractions of numbers of that size.
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

void answer_nothing(int size, VecX& x) {
  x.setConstant(size, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

namespace detail {

void SparseFactors::use(std::shared_ptr<const SparseAnalysis> analysis) {
  if (analysis == analysis_) return;
  analysis_ = std::move(analysis);
  const std::size_t n = nth(analysis_->rows());
  values_.resize(nth(analysis_->entries()));
  below_.resize(nth(analysis_->factor_entries()));
  row_below_.resize(below_.size());
  pivot_.resize(n);
  end_.resize(n);
  work_.assign(n, 0.0);
  path_.resize(n);
  seen_.resize(n);
}

void SparseFactors::form(const SparseJacobian& G, const double* weights) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (const auto& [left, right, weight, entry] : analysis_->products()) {
    const double part = weights != nullptr ? G[left] * weights[weight] : G[left];
    values_[nth(entry)] += part * G[right];
  }
}

bool SparseFactors::factorize(const SparseJacobian& G, const double* weights) {
  form(G, weights);
  const int n = analysis_->rows();
  std::copy_n(analysis_->factor_begin().begin(), n, end_.begin());
  std::fill(seen_.begin(), seen_.end(), -1);
  smallest_ = n > 0 ? INFINITY : 1;
  cancel_ = false;
  for (int k = 0; k < n; ++k) {
    if (eliminate_row(k)) continue;
    std::fill(work_.begin(), work_.end(), 0.0);
    return false;
  }
  return true;
}

int SparseFactors::columns_of_row(int k) {
  const auto& begin = analysis_->begin();
  int top = analysis_->rows();
  seen_[nth(k)] = k;
  for (int p = begin[nth(k)]; p < begin[nth(k) + 1]; ++p) {
    int i = analysis_->row_of_entry()[nth(p)], length = 0;
    work_[nth(i)] = values_[nth(p)];
    for (; seen_[nth(i)] != k; i = analysis_->parent()[nth(i)]) {
      path_[nth(length++)] = i;
      seen_[nth(i)] = k;
    }
    while (length > 0) path_[nth(--top)] = path_[nth(--length)];
  }
  return top;
}

bool SparseFactors::eliminate_row(int k) {
  const int n = analysis_->rows();
  const double original = values_[nth(analysis_->begin()[nth(k)])];
  int at = columns_of_row(k);
  double pivot = std::exchange(work_[nth(k)], 0.0);
  for (; at < n; ++at) {
    const int i = path_[nth(at)];
    const double entry = std::exchange(work_[nth(i)], 0.0);
    int& end = end_[nth(i)];
    for (int p = analysis_->factor_begin()[nth(i)]; p < end; ++p) {
      work_[nth(row_below_[nth(p)])] -= below_[nth(p)] * entry;
    }
    const double factor = entry / pivot_[nth(i)];
    pivot -= factor * entry;
    row_below_[nth(end)] = k;
    below_[nth(end)] = factor;
    ++end;
  }
  pivot_[nth(k)] = pivot;
  smallest_ = std::min(smallest_, pivot);
  cancel_ |= pivot < cancelled * original;
  return pivot > rounding * original && pivot < INFINITY;
}

void SparseFactors::solve(VecX& b) {
  const int n = analysis_->rows();
  const auto& begin = analysis_->factor_begin();
  std::vector<double>& x = work_;
  for (int k = 0; k < n; ++k) x[nth(k)] = b[analysis_->row_at()[nth(k)]];
  for (int k = 0; k < n; ++k) {
    for (int p = begin[nth(k)]; p < begin[nth(k) + 1]; ++p) {
      x[nth(row_below_[nth(p)])] -= below_[nth(p)] * x[nth(k)];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    double sum = x[nth(k)] / pivot_[nth(k)];
    for (int p = begin[nth(k)]; p < begin[nth(k) + 1]; ++p) {
      sum -= below_[nth(p)] * x[nth(row_below_[nth(p)])];
    }
    x[nth(k)] = sum;
  }
  for (int k = 0; k < n; ++k) b[analysis_->row_at()[nth(k)]] = std::exchange(x[nth(k)], 0.0);
}

}  // namespace detail

void SparseKkt::eliminate(const SparseJacobian& G, double /*rank_tolerance*/) {
  if (!G_.take(G)) by_columns_ = by_bodies_ = nullptr;
  finite_ = std::isfinite(G_.sum());
  weighted_state_ = orthogonal_state_ = State::open;
}

const std::shared_ptr<const SparseAnalysis>& SparseKkt::analysis_of(int width) {
  auto& analysis = width == 1 ? by_columns_ : by_bodies_;
  if (!analysis) {
    static const SparsePattern nothing(0, 0, {});
    analysis =
        std::make_shared<const SparseAnalysis>(G_.pattern() ? *G_.pattern() : nothing, width);
  }
  return analysis;
}

/// weights_ = M^-1.
bool SparseKkt::invert(const AnyMass& M) {
  if (M.rows() != G_.cols() || M.as<MatX>() != nullptr || !inverse_.factorize(M)) return false;
  width_ = M.as<DiagonalMass>() != nullptr ? 1 : 3;
  weights_.resize(nth(width_ * G_.cols()));
  inverse_.blocks(weights_.data());
  return true;
}

bool SparseKkt::weigh(const AnyMass& M) {
  weighted_state_ = State::singular;
  if (!finite_ || !invert(M)) return false;
  weighted_.use(analysis_of(width_));
  if (!weighted_.factorize(G_, weights_.data())) return false;
  loses_digits_ = weighted_.cancel() && is_uneven(M);
  weighted_state_ = State::ready;
  return true;
}

double SparseKkt::smallest_pivot() const {
  return weighted_state_ == State::ready ? std::sqrt(weighted_.smallest()) : 0;
}

void SparseKkt::solve(const AnyMass&, const VecX& f, const VecX& c, VecX& a, VecX& lambda) {
  if (weighted_state_ != State::ready) {
    answer_nothing(G_.cols(), a);
    return answer_nothing(G_.rows(), lambda);
  }
  if (loses_digits_) return refined_(G_, weigher(), substituter(), f, c, a, lambda);
  a = f;
  inverse_.apply(a);
  apply(G_, a, lambda);
  lambda -= c;
  weighted_.solve(lambda);
  apply_transposed(G_, lambda, force_);
  inverse_.apply(force_);
  a -= force_;
}

void SparseKkt::correct(const AnyMass&, const VecX& c, VecX& a) {
  if (weighted_state_ != State::ready) return answer_nothing(G_.cols(), a);
  if (loses_digits_) return refined_.correct(G_, weigher(), substituter(), c, a);
  multiplier_ = c;
  weighted_.solve(multiplier_);
  apply_transposed(G_, multiplier_, a);
  inverse_.apply(a);
}

void SparseKkt::correct_orthogonal(const VecX& c, VecX& a, VecX& mu) {
  if (orthogonal_state_ == State::open) {
    orthogonal_state_ = State::singular;
    if (finite_) {
      orthogonal_.use(analysis_of(1));
      if (orthogonal_.factorize(G_, nullptr)) orthogonal_state_ = State::ready;
    }
  }
  if (orthogonal_state_ != State::ready) {
    answer_nothing(G_.cols(), a);
    return answer_nothing(G_.rows(), mu);
  }
  mu = c;
  orthogonal_.solve(mu);
  apply_transposed(G_, mu, a);
}

void SparseKkt::forbidden(const VecX& v, VecX& Pv) {
  if (weighted_state_ != State::ready) return answer_nothing(G_.cols(), Pv);
  apply(G_, v, multiplier_);
  if (loses_digits_) return refined_.correct(G_, weigher(), substituter(), multiplier_, Pv);
  weighted_.solve(multiplier_);
  apply_transposed(G_, multiplier_, Pv);
  inverse_.apply(Pv);
}

}  // namespace daewave
