#include "core/blocks/babd_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daewave {
namespace {

/// residual -= M v for a row-major block; returns the largest absolute row sum of M, times |v| or
/// `least` where that is more.
template <int N>
double subtract_product(int size, const double* M, const double* v, double least,
                        double* residual) {
  const int n = N > 0 ? N : size;
  double norm = 0, largest = least;
  for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(v[j]));
  for (int i = 0; i < n; ++i) {
    double sum = 0, weight = 0;
    for (int j = 0; j < n; ++j) {
      sum += M[i * n + j] * v[j];
      weight += std::abs(M[i * n + j]);
    }
    residual[i] -= sum;
    norm = std::max(norm, weight);
  }
  return norm * largest;
}

double backward_error(int n, const double* residual, double scale) {
  // The smallest normal number, divided by rounding and by some more for sums and factors.
  constexpr double underflow = 1e-290;
  double largest = 0, zero = 0;
  for (int i = 0; i < n; ++i) {
    largest = std::max(largest, std::abs(residual[i]));
    zero += residual[i] * 0.0;
  }
  if (zero != 0 || !std::isfinite(scale)) return std::numeric_limits<double>::infinity();
  return largest == 0 ? 0 : largest / (scale + underflow);
}

double largest_entry(int n, const double* v) {
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(v[i]));
  return largest;
}

/// Part of the largest entry of a solution that counts where it is smaller: rounding of that much
/// reaches all of it.
constexpr double least_part = 1e-3;

template <int N>
double interval_rows(const BabdMatrix& matrix, int begin, int end, const VecX& right, const VecX& u,
                     double least, VecX& residual) {
  const int n = N > 0 ? N : matrix.block_size();
  double worst = 0;
  for (int i = begin; i < end; ++i) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * n;
    double* const r = residual.data() + row;
    const double* const b = right.data() + row;
    std::copy(b, b + n, r);
    double scale = largest_entry(n, b);
    scale += subtract_product<N>(n, matrix.S(i), u.data() + row, least, r);
    scale += subtract_product<N>(n, matrix.R(i), u.data() + row + n, least, r);
    worst = std::max(worst, backward_error(n, r, scale));
  }
  return worst;
}

double worst_in_intervals(const BabdMatrix& matrix, int begin, int end, const VecX& right,
                          const VecX& u, double least, VecX& residual) {
  switch (matrix.block_size()) {
    case 1:
      return interval_rows<1>(matrix, begin, end, right, u, least, residual);
    case 2:
      return interval_rows<2>(matrix, begin, end, right, u, least, residual);
    case 3:
      return interval_rows<3>(matrix, begin, end, right, u, least, residual);
    case 4:
      return interval_rows<4>(matrix, begin, end, right, u, least, residual);
    case 5:
      return interval_rows<5>(matrix, begin, end, right, u, least, residual);
    case 6:
      return interval_rows<6>(matrix, begin, end, right, u, least, residual);
    default:
      return interval_rows<0>(matrix, begin, end, right, u, least, residual);
  }
}

}  // namespace

std::pair<VecX, VecX> BabdMatrix::ends_of(const VecX& u) const {
  const int n = block_size_;
  const double* const last = u.data() + static_cast<std::ptrdiff_t>(intervals_) * n;
  if (!share.is_shared()) return {u.head(n), Eigen::Map<const VecX>(last, n)};
  const auto size = static_cast<std::size_t>(n);
  const auto [first_node, last_node] = share.ends({u.data(), size}, {last, size});
  return {Eigen::Map<const VecX>(first_node.data(), n),
          Eigen::Map<const VecX>(last_node.data(), n)};
}

BabdMatrix::BabdMatrix(int block_size, int intervals)
    : B0(MatX::Zero(block_size, block_size)),
      B1(MatX::Zero(block_size, block_size)),
      block_size_(block_size),
      intervals_(intervals),
      S_(static_cast<std::size_t>(intervals) * block_size * block_size),
      R_(S_.size()) {}

double BabdMatrix::residual(const VecX& right, const VecX& u, VecX& residual,
                            const Executor& executor) const {
  residual.resize(rows());
  constexpr int chunk = 1024;
  std::vector<double> worst_of(intervals_ / chunk + 1, 0.0);
  const double size = share.largest(largest_entry(rows(), u.data()));
  const double least = size < INFINITY ? least_part * size : 0;
  executor.for_chunks(intervals_, chunk, [&](int begin, int end) {
    worst_of[begin / chunk] = worst_in_intervals(*this, begin, end, right, u, least, residual);
  });
  double worst = share.largest(*std::max_element(worst_of.begin(), worst_of.end()));
  const int n = block_size_;
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(intervals_) * n;
  auto conditions = residual.segment(last, n);
  const auto subtract = [&](const auto& first_node, const auto& last_node) {
    conditions = right.segment(last, n);
    conditions.noalias() -= B0.lazyProduct(first_node);
    conditions.noalias() -= B1.lazyProduct(last_node);
  };
  if (share.is_shared()) {
    const auto [first_node, last_node] = ends_of(u);
    subtract(first_node, last_node);
  } else {
    subtract(u.head(n), u.segment(last, n));
  }
  // Ends where the solution vanishes have no size of their own: conditions such as x(0) = 0 are
  // measured against the whole of it.
  for (int i = 0; i < n; ++i) {
    const double weight = B0.row(i).cwiseAbs().sum() + B1.row(i).cwiseAbs().sum();
    const double scale = std::abs(right[last + i]) + weight * size;
    worst = std::max(worst, backward_error(1, residual.data() + last + i, scale));
  }
  return worst;
}

VecX BabdMatrix::sizes_of(const VecX& u) const {
  const Eigen::Map<const MatX> nodes(u.data(), block_size_, intervals_ + 1);
  VecX sizes = nodes.cwiseAbs().rowwise().maxCoeff();
  if (share.is_shared()) {
    for (double& size : sizes) size = share.largest(size);
  }
  return sizes;
}

double BabdMatrix::row_error(const VecX& right, const VecX& u, const VecX& sizes,
                             const VecX& residual, const Executor& executor) const {
  constexpr int chunk = 1024;
  const int n = block_size_;
  const VecX least = least_part * sizes;
  std::vector<double> worst_of(intervals_ / chunk + 1, 0.0);
  executor.for_chunks(intervals_, chunk, [&](int begin, int end) {
    double& worst = worst_of[begin / chunk];
    for (int i = begin; i < end; ++i) {
      const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * n;
      const double *const S_i = S(i), *const R_i = R(i), *const before = u.data() + row,
                          *const after = before + n;
      for (int r = 0; r < n; ++r) {
        double scale = std::abs(right[row + r]);
        for (int c = 0; c < n; ++c) {
          scale += std::abs(S_i[r * n + c]) * std::max(std::abs(before[c]), least[c]) +
                   std::abs(R_i[r * n + c]) * std::max(std::abs(after[c]), least[c]);
        }
        worst = std::max(worst, backward_error(1, residual.data() + row + r, scale));
      }
    }
  });
  double worst = share.largest(*std::max_element(worst_of.begin(), worst_of.end()));
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(intervals_) * n;
  for (int r = 0; r < n; ++r) {
    const double scale = std::abs(right[last + r]) +
                         (B0.row(r).cwiseAbs() + B1.row(r).cwiseAbs()).dot(sizes.transpose());
    worst = std::max(worst, backward_error(1, residual.data() + last + r, scale));
  }
  return worst;
}

ConditionOrder order_conditions(const MatX& B0, const MatX& B1) {
  ConditionOrder order;
  std::vector<int> coupled;
  for (int i = 0; i < B0.rows(); ++i) {
    if (B0.row(i).isZero(0)) {
      order.right.push_back(i);
    } else if (B1.row(i).isZero(0)) {
      order.carried.push_back(i);
    } else {
      coupled.push_back(i);
    }
  }
  order.coupled = !coupled.empty();
  order.carried.insert(order.carried.end(), coupled.begin(), coupled.end());
  return order;
}

}  // namespace daewave
