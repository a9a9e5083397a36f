#include "ivp/equations/row_space.hpp"

#include <algorithm>
#include <cmath>

namespace daewave::ivp {
namespace {

double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void subtract(double factor, const double* a, double* b, int n) {
  for (int i = 0; i < n; ++i) b[i] -= factor * a[i];
}

}  // namespace

void RowSpace::resize(int rows, int columns) {
  most_rows_ = rows;
  stride_ = columns;
  Q_.resize(static_cast<std::size_t>(rows * columns));
  R_.resize(static_cast<std::size_t>(rows * rows));
  left_.resize(static_cast<std::size_t>(rows));
  y_.resize(static_cast<std::size_t>(rows));
  order_.resize(static_cast<std::size_t>(rows));
}

bool RowSpace::orthonormalize(int rows, int columns, double rank_tolerance) {
  rows_ = rows;
  columns_ = columns;
  rank_ = 0;
  double largest = 0;
  for (int i = 0; i < rows; ++i) {
    order_[static_cast<std::size_t>(i)] = i;
    const double size = dot(row(i), row(i), columns);
    if (!std::isfinite(size)) return false;
    left_[static_cast<std::size_t>(i)] = size;
    largest = std::max(largest, size);
  }
  const double least = rank_tolerance * std::sqrt(largest);
  for (int k = 0; k < rows; ++k) {
    // By what is estimated to be left; the estimate is replaced below where a row is taken.
    int pivot = k;
    const auto left = [this](int i) { return left_[static_cast<std::size_t>(row_in_order(i))]; };
    for (int i = k + 1; i < rows; ++i) {
      if (left(i) > left(pivot)) pivot = i;
    }
    std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(pivot)]);
    double* const q = row(row_in_order(k));
    for (int i = 0; i < k; ++i) R(i, k) = 0;
    for (int pass = 0; pass < (k > 0 ? 2 : 0); ++pass) {
      for (int i = 0; i < k; ++i) {
        const double part = dot(basis(i), q, columns);
        R(i, k) += part;
        subtract(part, basis(i), q, columns);
      }
    }
    const double norm = std::sqrt(dot(q, q, columns));
    if (!(norm > least)) break;
    R(k, k) = norm;
    for (int j = 0; j < columns; ++j) q[j] /= norm;
    ++rank_;
    for (int i = k + 1; i < rows; ++i) {
      const double part = dot(q, row(row_in_order(i)), columns);
      left_[static_cast<std::size_t>(row_in_order(i))] -= part * part;
    }
  }
  return true;
}

void RowSpace::smallest(const double* c, double* d) {
  std::fill(d, d + columns_, 0.0);
  for (int k = 0; k < rank_; ++k) {
    double sum = c[row_in_order(k)];
    for (int i = 0; i < k; ++i) sum -= R(i, k) * y_[static_cast<std::size_t>(i)];
    y_[static_cast<std::size_t>(k)] = sum / R(k, k);
    subtract(-y_[static_cast<std::size_t>(k)], basis(k), d, columns_);
  }
}

void RowSpace::remove(double* e) const {
  for (int k = 0; k < rank_; ++k) subtract(dot(basis(k), e, columns_), basis(k), e, columns_);
}

}  // namespace daewave::ivp
