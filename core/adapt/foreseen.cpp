#include "core/adapt/foreseen.hpp"

#include <utility>

namespace daewave {
namespace {

/// Whether entries of point p are those of a batch of one.
bool same(const std::vector<double>& known, int count, int p, int rows, const double* from,
          int stride) {
  for (int i = 0; i < rows; ++i) {
    if (known[static_cast<std::size_t>(i * count + p)] != from[i * stride]) return false;
  }
  return true;
}

}  // namespace

int ForeseenPoints::find(const Points& at, int first) const {
  int found = -1;
  for (int k = 0; k < count; ++k) {
    const int p = (first + k) % count;
    if (t[static_cast<std::size_t>(p)] != *at.t) continue;
    if (!same(q, count, p, sizes.nq, at.q, at.stride)) continue;
    if (has_v_of(at, p)) return p;
    if (found < 0) found = p;
  }
  return found;
}

bool ForeseenPoints::has_v_of(const Points& at, int point) const {
  if (!has_v && at.v == nullptr) return true;  // Nothing depends on it.
  return has_v && at.v != nullptr && same(v, count, point, sizes.nq, at.v, at.stride);
}

void Foreseen::set(std::shared_ptr<const ForeseenPoints> points) {
  const std::lock_guard lock(mutex_);
  points_ = std::move(points);
  any_ = points_ != nullptr;
}

std::shared_ptr<const ForeseenPoints> Foreseen::points() const {
  if (!any_) return nullptr;
  const std::lock_guard lock(mutex_);
  return points_;
}

}  // namespace daewave
