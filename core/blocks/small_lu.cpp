#include "core/blocks/small_lu.hpp"

#include <cmath>
#include <utility>

namespace daewave {

void SmallLu::resize(int n) {
  n_ = n;
  rows_.resize(static_cast<std::size_t>(n * n));
  exchange_.resize(static_cast<std::size_t>(n));
}

bool SmallLu::factorize(const MatX& A) {
  const int n = n_;
  double* const a = rows_.data();
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) a[i * n + j] = A(i, j);
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    exchange_[static_cast<std::size_t>(k)] = pivot;
    const double size = std::abs(a[pivot * n + k]);
    if (!(size > 0 && size < INFINITY)) return false;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
    }
    const double inverse = 1 / a[k * n + k];
    a[k * n + k] = inverse;
    for (int i = k + 1; i < n; ++i) {
      double& l = a[i * n + k];
      if (l == 0) continue;
      l *= inverse;
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= l * a[k * n + j];
    }
  }
  return true;
}

void SmallLu::solve(double* b) const {
  const int n = n_;
  const double* const a = rows_.data();
  for (int i = 0; i < n; ++i) {
    const int from = exchange_[static_cast<std::size_t>(i)];
    if (from != i) std::swap(b[i], b[from]);
  }
  for (int i = 1; i < n; ++i) {
    double sum = b[i];
    for (int j = 0; j < i; ++j) sum -= a[i * n + j] * b[j];
    b[i] = sum;
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int j = i + 1; j < n; ++j) sum -= a[i * n + j] * b[j];
    b[i] = sum * a[i * n + i];
  }
}

}  // namespace daewave
