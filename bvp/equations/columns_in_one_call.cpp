#include "bvp/equations/columns_in_one_call.hpp"

#include <algorithm>
#include <cstddef>

#include "bvp/statement/forward_differences.hpp"

namespace daewave::bvp {

bool ColumnsInOneCall::columns(const IteratePoints& at, int nx, const double* F, const VecX& weight,
                               const Function& evaluate, double* J, int carried) {
  moves_.clear();
  choose_moves(nx, weight);
  if (!call(at, nx, carried, {}, evaluate)) return false;
  divide(at, nx, F, weight, J);
  return true;
}

bool ColumnsInOneCall::values_and_columns(const IteratePoints& at, int nx, const VecX& weight,
                                          const Function& evaluate, double* F, double* J,
                                          const IteratePoints& further, double* F_further) {
  moves_.assign(1, {of_none, 0, false});
  choose_moves(nx, weight);
  if (!call(at, nx, 0, further, evaluate)) return false;
  const auto take = [&](std::size_t first, const IteratePoints& points, double* to) {
    for (int i = 0; i < nx; ++i) {
      std::copy_n(F_.data() + static_cast<std::size_t>(i) * all_ + first, points.count,
                  to + static_cast<std::ptrdiff_t>(i) * points.stride);
    }
  };
  take(0, at, F);
  take(all_ - static_cast<std::size_t>(further.count), further, F_further);
  divide(at, nx, F, weight, J);
  return true;
}

void ColumnsInOneCall::choose_moves(int nx, const VecX& weight) {
  const double otherwise = otherwise_moved(weight);
  for (int j = 0; j < nx; ++j) {
    moves_.push_back({j, weight[j], false});
    if (weight[j] < otherwise) moves_.push_back({j, otherwise, true});
  }
}

bool ColumnsInOneCall::call(const IteratePoints& at, int nx, int carried,
                            const IteratePoints& further, const Function& evaluate) {
  place(at, nx, carried, further);
  const int all = static_cast<int>(all_);
  const double* const before = carried > 0 ? before_.data() : nullptr;
  return evaluate(IteratePoints{all, all, t_.data(), x_.data(), before}, F_.data());
}

void ColumnsInOneCall::place(const IteratePoints& at, int nx, int carried,
                             const IteratePoints& further) {
  const auto points = static_cast<std::size_t>(at.count);
  all_ = points * moves_.size() + static_cast<std::size_t>(further.count);
  t_.resize(all_);
  x_.resize(all_ * static_cast<std::size_t>(nx));
  before_.resize(all_ * static_cast<std::size_t>(carried));
  F_.resize(x_.size());
  const auto copy_rows = [&](const IteratePoints& from, const double* values, int rows,
                             std::size_t first, std::vector<double>& to) {
    for (int i = 0; i < rows; ++i) {
      std::copy_n(values + static_cast<std::ptrdiff_t>(i) * from.stride, from.count,
                  to.data() + static_cast<std::size_t>(i) * all_ + first);
    }
  };
  const auto copy = [&](const IteratePoints& from, std::size_t first) {
    std::copy_n(from.t, from.count, t_.data() + first);
    copy_rows(from, from.x, nx, first, x_);
    copy_rows(from, from.before, from.count > 0 ? carried : 0, first, before_);
  };
  for (std::size_t k = 0; k < moves_.size(); ++k) {
    const std::size_t first = k * points;
    copy(at, first);
    if (moves_[k].entry == of_none) continue;
    double* const to = x_.data() + static_cast<std::size_t>(moves_[k].entry) * all_ + first;
    for (std::size_t p = 0; p < points; ++p) to[p] += difference_step(to[p], moves_[k].weight);
  }
  copy(further, points * moves_.size());
}

void ColumnsInOneCall::divide(const IteratePoints& at, int nx, const double* F, const VecX& weight,
                              double* J) const {
  for (std::size_t k = 0; k < moves_.size(); ++k) {
    const std::size_t first = k * static_cast<std::size_t>(at.count);
    const int j = moves_[k].entry;
    if (j == of_none) continue;
    const double* const from = at.x + static_cast<std::ptrdiff_t>(j) * at.stride;
    const double* const to = x_.data() + static_cast<std::size_t>(j) * all_ + first;
    for (int i = 0; i < nx; ++i) {
      const double* const base = F + static_cast<std::ptrdiff_t>(i) * at.stride;
      const double* const moved = F_.data() + static_cast<std::size_t>(i) * all_ + first;
      double* const out = J + static_cast<std::ptrdiff_t>(i + j * nx) * at.stride;
      for (int p = 0; p < at.count; ++p) {
        // What the smaller step has seen stays.
        if (moves_[k].is_second &&
            exceeds_rounding(out[p] * difference_step(from[p], weight[j]), base[p])) {
          continue;
        }
        out[p] = (moved[p] - base[p]) / (to[p] - from[p]);
      }
    }
  }
}

}  // namespace daewave::bvp
