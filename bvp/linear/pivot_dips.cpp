#include "bvp/linear/pivot_dips.hpp"

#include <algorithm>
#include <cstddef>

namespace daewave::bvp {

PivotDips::PivotDips(int nx, int ny, const ConstraintReference& reference)
    : reference_(reference), bases_(nx, ny, reference.units), none_(ny, 0), last_(2 * nx * ny) {}

void PivotDips::add(double t, const CoefficientBatch& batch, int point) {
  const auto B = batch.B(point), C = batch.C(point);
  const Eigen::Index size = B.size();
  // Mostly constraints do not change.
  if (seen_.empty() || !std::equal(last_.data(), last_.data() + size, B.data()) ||
      !std::equal(last_.data() + size, last_.data() + 2 * size, C.data())) {
    std::copy_n(B.data(), size, last_.data());
    std::copy_n(C.data(), size, last_.data() + size);
    if (none_.rows() == 1) {
      pivot_ = bases_.squared_pivot(B.data(), C.data(), reference_.pivots);
    } else {
      const double relative = relative_pivot(bases_.find(B, C, none_), reference_);
      pivot_ = relative * relative;
    }
    least_ = std::min(least_, pivot_);
    most_ = std::max(most_, pivot_);
  }
  seen_.emplace_back(t, pivot_);
}

bool PivotDips::any() {
  // Points beside nodes come in pairs that differ by nothing.
  constexpr std::size_t reach = 4;
  constexpr double clear = 0.75 * 0.75;
  if (!(least_ < clear * most_)) return false;
  if (!std::is_sorted(seen_.begin(), seen_.end())) std::sort(seen_.begin(), seen_.end());
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const double here = seen_[i].second;
    if (i > 0 && seen_[i - 1].second < here) continue;
    if (i + 1 < seen_.size() && seen_[i + 1].second < here) continue;
    const std::size_t last = std::min(seen_.size(), i + reach + 1);
    for (std::size_t j = i < reach ? 0 : i - reach; j < last; ++j) {
      if (here < clear * seen_[j].second) return true;
    }
  }
  return false;
}

}  // namespace daewave::bvp
