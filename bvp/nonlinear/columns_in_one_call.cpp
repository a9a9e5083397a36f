#include "bvp/nonlinear/columns_in_one_call.hpp"

#include <algorithm>
#include <cstddef>

#include "bvp/nonlinear/forward_differences.hpp"

namespace daewave::bvp {

bool ColumnsInOneCall::columns(const StageBatch& at, int nx, const double* F, const VecX& weight,
                               const Function& evaluate, double* J) {
  moves_.clear();
  const double otherwise = otherwise_moved(weight);
  for (int j = 0; j < nx; ++j) {
    moves_.push_back({j, weight[j], false});
    if (weight[j] < otherwise) moves_.push_back({j, otherwise, true});
  }
  place(at, nx);
  const int all = at.count * static_cast<int>(moves_.size());
  if (!evaluate(StageBatch{all, all, t_.data(), x_.data(), nullptr}, F_.data())) return false;
  divide(at, nx, F, weight, J);
  return true;
}

void ColumnsInOneCall::place(const StageBatch& at, int nx) {
  const std::size_t all = static_cast<std::size_t>(at.count) * moves_.size();
  t_.resize(all);
  x_.resize(all * static_cast<std::size_t>(nx));
  F_.resize(x_.size());
  for (std::size_t k = 0; k < moves_.size(); ++k) {
    const std::size_t first = k * static_cast<std::size_t>(at.count);
    std::copy_n(at.t, at.count, t_.data() + first);
    for (int i = 0; i < nx; ++i) {
      const double* const from = at.x + static_cast<std::ptrdiff_t>(i) * at.stride;
      double* const to = x_.data() + static_cast<std::size_t>(i) * all + first;
      std::copy_n(from, at.count, to);
      if (i != moves_[k].entry) continue;
      for (int p = 0; p < at.count; ++p) to[p] += difference_step(from[p], moves_[k].weight);
    }
  }
}

void ColumnsInOneCall::divide(const StageBatch& at, int nx, const double* F, const VecX& weight,
                              double* J) const {
  const std::size_t all = static_cast<std::size_t>(at.count) * moves_.size();
  for (std::size_t k = 0; k < moves_.size(); ++k) {
    const std::size_t first = k * static_cast<std::size_t>(at.count);
    const int j = moves_[k].entry;
    const double* const from = at.x + static_cast<std::ptrdiff_t>(j) * at.stride;
    const double* const to = x_.data() + static_cast<std::size_t>(j) * all + first;
    for (int i = 0; i < nx; ++i) {
      const double* const base = F + static_cast<std::ptrdiff_t>(i) * at.stride;
      const double* const moved = F_.data() + static_cast<std::size_t>(i) * all + first;
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
