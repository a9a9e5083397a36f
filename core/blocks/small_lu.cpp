#include "core/blocks/small_lu.hpp"

#include <cmath>
#include <utility>

#include "core/blocks/singular_to_rounding.hpp"

namespace daewave {
namespace {

/// @tparam fixed  its size, where loops are unrolled; 0: `size`.
template <int fixed>
bool factorize_rows(int size, double* a, int* exchange) {
  const int n = fixed > 0 ? fixed : size;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    exchange[k] = pivot;
    const double largest = std::abs(a[pivot * n + k]);
    if (!(largest > 0 && largest < INFINITY)) return false;
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

template <int fixed>
void solve_rows(int size, const double* a, const int* exchange, double* b) {
  const int n = fixed > 0 ? fixed : size;
  for (int i = 0; i < n; ++i) {
    if (exchange[i] != i) std::swap(b[i], b[exchange[i]]);
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

}  // namespace

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
  switch (n) {
    case 1:
      return factorize_rows<1>(n, a, exchange_.data());
    case 2:
      return factorize_rows<2>(n, a, exchange_.data());
    case 3:
      return factorize_rows<3>(n, a, exchange_.data());
    case 4:
      return factorize_rows<4>(n, a, exchange_.data());
    default:
      return factorize_rows<0>(n, a, exchange_.data());
  }
}

bool SmallLu::is_singular_to_rounding() const {
  const double* const a = rows_.data();
  return daewave::is_singular_to_rounding(
      n_, [&](int i, int j) { return a[i * n_ + j]; }, [&](int k) { return 1 / a[k * n_ + k]; });
}

void SmallLu::solve(double* b) const {
  const double* const a = rows_.data();
  const int* const exchange = exchange_.data();
  switch (n_) {
    case 1:
      return solve_rows<1>(1, a, exchange, b);
    case 2:
      return solve_rows<2>(2, a, exchange, b);
    case 3:
      return solve_rows<3>(3, a, exchange, b);
    case 4:
      return solve_rows<4>(4, a, exchange, b);
    default:
      return solve_rows<0>(n_, a, exchange, b);
  }
}

}  // namespace daewave
