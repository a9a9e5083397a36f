#include "core/blocks/reflection_chain.hpp"

#include <Eigen/Householder>
#include <Eigen/QR>
#include <cmath>

#include "core/blocks/block_chain.hpp"

namespace daewave {
namespace {

using RowMajor = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>;

}  // namespace

ReflectionChain::ReflectionChain(const ChainShape& shape)
    : shape_(shape),
      reflectors_(
          std::make_unique_for_overwrite<double[]>(reflector_entries() * shape.intervals())),
      scales_(std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(shape.size) *
                                                       shape.intervals())),
      upper_(std::make_unique_for_overwrite<double[]>(upper_entries() * shape.intervals())) {}

double ReflectionChain::work_per_interval(const ChainShape& shape) {
  constexpr double as_pivoting = 2.1;  // Of rows without a border, measured for n = 2 to 24.
  return as_pivoting * BlockChain::work_per_interval(shape);
}

double ReflectionChain::bytes() const {
  return 8.0 * shape_.intervals() *
         static_cast<double>(reflector_entries() + upper_entries() + shape_.size);
}

int ReflectionChain::factorize(const BabdMatrix& matrix, double* carry) {
  const int n = shape_.size, carried = shape_.carried, rows = shape_.rows();
  const int trailing = shape_.columns();
  Eigen::Map<RowMajor> carried_rows(carry, carried, trailing);
  MatX panel(rows, n + trailing);
  VecX scratch(n + trailing);
  for (int step = 0; step < shape_.intervals(); ++step) {
    const int i = shape_.first + step;
    panel.setZero();
    panel.topLeftCorner(carried, n) = carried_rows.leftCols(n);
    if (shape_.border) panel.topRightCorner(carried, n) = carried_rows.rightCols(n);
    panel.bottomLeftCorner(n, n) = Eigen::Map<const RowMajor>(matrix.S(i), n, n);
    panel.block(carried, n, n, n) = Eigen::Map<const RowMajor>(matrix.R(i), n, n);
    for (int j = 0; j < n; ++j) {
      double diagonal, scale;
      auto column = panel.col(j).tail(rows - j);
      column.makeHouseholderInPlace(scale, diagonal);
      scales(step)[j] = scale;
      if (!(std::abs(diagonal) > 0) || !std::isfinite(diagonal)) return i;
      panel.bottomRightCorner(rows - j, n + trailing - j - 1)
          .applyHouseholderOnTheLeft(column.tail(rows - j - 1), scale, scratch.data());
      panel(j, j) = diagonal;
    }
    reflector(step) = panel.leftCols(n);
    upper(step) = panel.topRightCorner(n, trailing);
    carried_rows = panel.bottomRightCorner(carried, trailing);
  }
  return -1;
}

void ReflectionChain::forward(const VecX& right, double* carry, VecX& u) const {
  const int n = shape_.size, carried = shape_.carried, rows = shape_.rows();
  Eigen::Map<VecX> carried_entries(carry, carried);
  VecX v(rows);
  for (int step = 0; step < shape_.intervals(); ++step) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(shape_.first + step) * n;
    v.head(carried) = carried_entries;
    v.tail(n) = right.segment(at, n);
    const Panel reflectors = reflector(step);
    for (int j = 0; j < n; ++j) {
      const auto essential = reflectors.col(j).tail(rows - j - 1);
      auto below = v.tail(rows - j - 1);
      const double weight = scales(step)[j] * (v[j] + essential.dot(below));
      v[j] -= weight;
      below -= weight * essential;
    }
    u.segment(at, n) = v.head(n);
    carried_entries = v.tail(carried);
  }
}

void ReflectionChain::back(const double* far, VecX& u) const {
  const int n = shape_.size;
  for (int step = shape_.intervals() - 1; step >= 0; --step) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(shape_.first + step) * n;
    auto node = u.segment(at, n);
    const auto next = u.segment(at + n, n);
    const Panel columns = upper(step);
    node.noalias() -= columns.leftCols(n) * next;
    if (shape_.border) node.noalias() -= columns.rightCols(n) * Eigen::Map<const VecX>(far, n);
    reflector(step).topRows(n).triangularView<Eigen::Upper>().solveInPlace(node);
  }
}

}  // namespace daewave
