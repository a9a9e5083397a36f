#include "core/kkt/sparse_jacobian.hpp"

#include <cmath>

#include "core/not_finite.hpp"

namespace daewave {

void SparseJacobian::reset(SparsePatternPtr pattern) {
  if (pattern == pattern_) return;
  values_.assign(pattern ? pattern->entries().size() : 0, 0.0);
  pattern_ = std::move(pattern);
}

bool SparseJacobian::take(const SparseJacobian& other) {
  const bool same =
      pattern_ == other.pattern_ || (pattern_ && other.pattern_ && *pattern_ == *other.pattern_);
  if (!same) pattern_ = other.pattern_;
  values_ = other.values_;
  return same;
}

double SparseJacobian::sum() const {
  double sum = 0;
  for (const double value : values_) sum += value;
  return sum;
}

MatX SparseJacobian::dense() const {
  MatX all = MatX::Zero(rows(), cols());
  for (int e = 0; e < entries(); ++e) all(place(e).row, place(e).column) = (*this)[e];
  return all;
}

void apply(const SparseJacobian& G, const VecX& v, VecX& out) {
  out.setZero(G.rows());
  for (int e = 0; e < G.entries(); ++e) out[G.place(e).row] += G[e] * v[G.place(e).column];
}

void apply_transposed(const SparseJacobian& G, const VecX& lambda, VecX& out) {
  out.setZero(G.cols());
  for (int e = 0; e < G.entries(); ++e) out[G.place(e).column] += G[e] * lambda[G.place(e).row];
}

bool all_finite(const char* equation, const SparseJacobian& G, double t, std::string& failure) {
  for (int e = 0; e < G.entries(); ++e) {
    if (std::isfinite(G[e])) continue;
    failure = not_finite_text(equation, G.place(e).row + 1, t);
    return false;
  }
  return true;
}

}  // namespace daewave
