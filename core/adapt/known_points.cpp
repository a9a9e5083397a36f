#include "core/adapt/known_points.hpp"

#include <algorithm>

namespace daewave {

bool KnownPoints::replace(std::vector<double>& by_rows, const double* from, int rows,
                          const Points& at) {
  const auto count = static_cast<std::size_t>(at.count);
  const std::size_t size = from == nullptr ? 0 : count * static_cast<std::size_t>(rows);
  bool same = by_rows.size() == size;
  by_rows.resize(size);
  for (std::size_t i = 0; i < size / count; ++i) {
    const double* const row = from + static_cast<std::ptrdiff_t>(i) * at.stride;
    double* const kept = by_rows.data() + i * count;
    same = same && std::equal(row, row + count, kept);
    if (!same) std::copy_n(row, count, kept);
  }
  return same;
}

Ask KnownPoints::move_to(const Points& at) {
  if (at.count != count_) known_ = Ask{};
  count_ = at.count;
  if (count_ == 0) return Ask{};
  const int rows_of_v = sizes_.nq, rows_of_t = 1;
  // Each is replaced, whatever the others say.
  const bool same_t = replace(t_, at.t, rows_of_t, at);
  const bool same_q = replace(q_, at.q, sizes_.nq, at);
  const bool same_v = replace(v_, at.v, rows_of_v, at);
  const bool same_w = replace(w_, at.w, sizes_.nw, at);
  if (!same_t || !same_q || !same_w) {
    known_ = Ask{};
  } else if (!same_v) {
    known_ = without_motion(known_);
  }
  return known_;
}

}  // namespace daewave
