#include "bvp/nonlinear/slope_elimination.hpp"

#include <algorithm>

#include "core/blocks/dense_elimination.hpp"

namespace daewave::bvp {
namespace {

/// Sum of a_c b_c in four parts, which do not wait for each other.
double product(const double* a, const double* b, int count) {
  double sum[4] = {};
  int c = 0;
  for (; c + 4 <= count; c += 4) {
    for (int part = 0; part < 4; ++part) sum[part] += a[c + part] * b[c + part];
  }
  for (; c < count; ++c) sum[0] += a[c] * b[c];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

SlopeElimination::SlopeElimination(int n, int stages, int intervals)
    : n_(n),
      stages_(stages),
      size_(n * stages),
      stride_(padded(size_ + n)),
      panel_size_(static_cast<std::size_t>(size_) * static_cast<std::size_t>(stride_)),
      panels_(panel_size_ * static_cast<std::size_t>(intervals)),
      nodes_(static_cast<std::size_t>(intervals) * static_cast<std::size_t>(size_ * n)),
      order_(static_cast<std::size_t>(intervals) * static_cast<std::size_t>(size_)),
      jacobians_(static_cast<std::size_t>(size_) * static_cast<std::size_t>(n)),
      rows_(static_cast<std::size_t>(size_)) {}

bool SlopeElimination::factorize(int i, double h, const MatX& a) {
  double* const begin = panels_.data() + static_cast<std::size_t>(i) * panel_size_;
  for (int j = 0; j < stages_; ++j) {
    for (int r = 0; r < n_; ++r) {
      double* const row = rows_[j * n_ + r] =
          begin + static_cast<std::ptrdiff_t>(j * n_ + r) * stride_;
      const double* const J = jacobian(j) + static_cast<std::ptrdiff_t>(r) * n_;
      for (int l = 0; l < stages_; ++l) {
        const double weight = -h * a(j, l);
        for (int c = 0; c < n_; ++c) row[l * n_ + c] = weight * J[c];
      }
      row[j * n_ + r] += 1;
      for (int c = 0; c < n_; ++c) row[size_ + c] = J[c];
      std::fill(row + size_ + n_, row + stride_, 0.0);
    }
  }
  if (!(eliminate_panel(rows_.data(), size_, size_, stride_) > 0)) return false;
  int* const order = order_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(size_);
  for (int r = 0; r < size_; ++r) order[r] = static_cast<int>((rows_[r] - begin) / stride_);
  back_substitute(nodes_.data() + static_cast<std::size_t>(i) * size_ * n_);
  return true;
}

/// U X = the reduced right part of rows_; a few columns at a time, in registers.
void SlopeElimination::back_substitute(double* X) const {
  constexpr int few = 4;
  for (int begin = 0; begin < n_; begin += few) {
    const int columns = std::min(few, n_ - begin);
    for (int r = size_; r-- > 0;) {
      const double* const row = rows_[r];
      double sum[few] = {};
      for (int column = 0; column < columns; ++column) sum[column] = row[size_ + begin + column];
      const double* later = X + static_cast<std::ptrdiff_t>(r + 1) * n_ + begin;
      if (columns == few) {
        for (int c = r + 1; c < size_; ++c, later += n_) {
          for (int column = 0; column < few; ++column) sum[column] -= row[c] * later[column];
        }
      } else {
        for (int c = r + 1; c < size_; ++c, later += n_) {
          for (int column = 0; column < columns; ++column) sum[column] -= row[c] * later[column];
        }
      }
      const double inverse = 1 / row[r];
      double* const out = X + static_cast<std::ptrdiff_t>(r) * n_ + begin;
      for (int column = 0; column < columns; ++column) out[column] = sum[column] * inverse;
    }
  }
}

void SlopeElimination::solve(int i, const double* r, double* dK) const {
  const double* const begin = panel(i);
  const int* const order =
      order_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(size_);
  for (int k = 0; k < size_; ++k) {
    dK[k] = r[order[k]] - product(begin + static_cast<std::ptrdiff_t>(order[k]) * stride_, dK, k);
  }
  for (int k = size_; k-- > 0;) {
    const double* const row = begin + static_cast<std::ptrdiff_t>(order[k]) * stride_;
    dK[k] = (dK[k] - product(row + k + 1, dK + k + 1, size_ - k - 1)) / row[k];
  }
}

void SlopeElimination::add_of_node(int i, const double* dx, double* dK) const {
  const double* row = node(i);
  for (int k = 0; k < size_; ++k, row += n_) dK[k] += product(row, dx, n_);
}

}  // namespace daewave::bvp
