// Batches of points: one of the member, as they have its parameters in common.

#include <algorithm>
#include <cmath>

#include "bvp/equations/extended_system.hpp"
#include "bvp/statement/forward_differences.hpp"

namespace daewave::bvp {

/// Of all points; null where no problem is there. p is that of the first: as p' = 0 the others have
/// it but for rounding, of which the bits that ExtendedState leaves out are not always enough.
MemberSystem* ExtendedSystem::member_of(const IteratePoints& at) {
  unknowns_.resize(state_.parameters);
  for (int i = 0; i < state_.parameters; ++i) {
    unknowns_[i] = ExtendedState::without_last_bits(at.x[(state_.nx + i) * at.stride]);
  }
  return member(unknowns_);
}

/// By point; with entry `moved` of x off by `by`, if it is >= 0.
void ExtendedSystem::integrands(const MemberSystem& member, const IteratePoints& at, int moved,
                                double by, MatX& values) {
  values.resize(state_.integrals, at.count);
  x_.resize(state_.nx);
  for (int p = 0; p < at.count; ++p) {
    for (int i = 0; i < state_.nx; ++i) x_[i] = at.x[i * at.stride + p];
    if (moved >= 0) x_[moved] += by;
    values.col(p) = integrand(member, x_, at.t[p]);
  }
}

bool ExtendedSystem::evaluate_batch(const IteratePoints& at, double* slope, double* carried,
                                    double* drift, std::string& failure) {
  MemberSystem* const here = member_of(at);
  if (here == nullptr) return IterateSystem::evaluate_batch(at, slope, carried, drift, failure);
  const int n = state_.nx, stride = at.stride;
  last_ = here->system.get();
  // x comes first in X: its rows are where the member looks for them, and leaves its own.
  if (!here->system->evaluate_batch(at, slope, carried, drift, failure)) return false;
  std::fill(slope + n * stride, slope + state_.size() * stride, 0.0);
  if (state_.integrals > 0) {
    integrands(*here, at, -1, 0, batch_h_);
    for (int i = 0; i < state_.integrals; ++i) {
      double* const row = slope + (state_.integrals_at() + i) * stride;
      for (int p = 0; p < at.count; ++p) row[p] = batch_h_(i, p);
    }
  }
  for (int c = 0; c < static_cast<int>(state_.inside.size()); ++c) {
    for (int p = 0; p < at.count; ++p) {
      if (!is_before(c, at.t[p])) continue;
      for (int i = 0; i < n; ++i) {
        slope[(state_.inside_at(c) + i) * stride + p] = slope[i * stride + p];
      }
    }
  }
  return state_.integrals == 0 || all_finite_in("x'", slope, state_.size(), at, failure);
}

/// Of parameter i moved by `step`, with its slopes in batch_slopes_; null where there is none.
MemberSystem* ExtendedSystem::beside(int i, double step, const IteratePoints& at,
                                     const double* carried) {
  VecX moved = unknowns_;
  moved[i] += step;
  MemberSystem* const there = member(moved);
  if (there == nullptr) return nullptr;
  std::string why;
  batch_slopes_.resize(static_cast<std::size_t>(state_.nx) * at.stride);
  batch_carried_.assign(carried, carried + static_cast<std::ptrdiff_t>(carried_) * at.stride);
  const bool found =
      there->system->evaluate_batch(at, batch_slopes_.data(), batch_carried_.data(), nullptr, why);
  return found ? there : nullptr;
}

bool ExtendedSystem::jacobian_batch(const IteratePoints& at, const double* slope,
                                    const double* carried, const VecX& weight, double* J,
                                    std::string& failure) {
  MemberSystem* const here = member_of(at);
  if (here == nullptr) {
    return IterateSystem::jacobian_batch(at, slope, carried, weight, J, failure);
  }
  const int n = state_.nx, N = state_.size(), stride = at.stride, z = state_.integrals_at();
  const auto entry = [&](int i, int j) { return J + (i + j * N) * stride; };
  std::fill_n(J, N * N * stride, 0.0);
  batch_J_.resize(static_cast<std::size_t>(n) * n * stride);
  if (!here->system->jacobian_batch(at, slope, carried, weight.head(n), batch_J_.data(), failure)) {
    return false;
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      std::copy_n(batch_J_.data() + (i + j * n) * stride, at.count, entry(i, j));
    }
  }
  const auto take_integrands = [&](int column, double taken) {
    for (int i = 0; i < state_.integrals; ++i) {
      for (int p = 0; p < at.count; ++p) {
        entry(z + i, column)[p] = (batch_moved_h_(i, p) - slope[(z + i) * stride + p]) / taken;
      }
    }
  };
  for (int j = 0; j < n && state_.integrals > 0; ++j) {
    // One increment for all points, that of the largest: a power of two, so that it is added
    // exactly.
    double most = 0;
    for (int p = 0; p < at.count; ++p) most = std::max(most, std::abs(at.x[j * stride + p]));
    const double step = std::exp2(std::round(std::log2(difference_step(most, weight[j]))));
    integrands(*here, at, j, step, batch_moved_h_);
    take_integrands(j, step);
  }
  for (int i = 0; i < state_.parameters; ++i) {
    double step = parameter_step(unknowns_[i], weight[n + i]);
    step = unknowns_[i] + step - unknowns_[i];
    MemberSystem* moved = beside(i, step, at, carried);
    if (moved == nullptr) {
      // The last value allowed may be here: then the other way.
      step = -step;
      moved = beside(i, step, at, carried);
    }
    if (moved == nullptr) {
      failure = failure_;
      return false;
    }
    for (int r = 0; r < n; ++r) {
      for (int p = 0; p < at.count; ++p) {
        entry(r, n + i)[p] =
            (batch_slopes_[static_cast<std::size_t>(r * stride + p)] - slope[r * stride + p]) /
            step;
      }
    }
    if (state_.integrals == 0) continue;
    integrands(*moved, at, -1, 0, batch_moved_h_);
    take_integrands(n + i, step);
  }
  for (int c = 0; c < static_cast<int>(state_.inside.size()); ++c) {
    for (int p = 0; p < at.count; ++p) {
      if (!is_before(c, at.t[p])) continue;
      for (int j = 0; j < n + state_.parameters; ++j) {
        for (int i = 0; i < n; ++i) entry(state_.inside_at(c) + i, j)[p] = entry(i, j)[p];
      }
    }
  }
  return true;
}

}  // namespace daewave::bvp
