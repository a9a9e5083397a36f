#pragma once
// What rounding of a state leaves of equations that it is to satisfy.

#include <cmath>
#include <limits>

#include "core/not_finite.hpp"
#include "core/types.hpp"

namespace daewave::detail {

/// The most that each row of 0 = r(z, t) changes by where all entries of z, and t, are moved by ten
/// roundings of their own, up or down, several ways: of a state that is consistent but for rounding
/// no more is left.
/// @param r         at z and t, finite.
/// @param residual  bool (State z, double t, VecX& r): false where it is not finite.
template <class State, class Residual>
VecX left_by_rounding(const State& z, double t, const VecX& r, const Residual& residual) {
  // Ten, as entries come from a few operations; eight ways, as in one what the entries do may
  // cancel.
  constexpr double part = 10 * std::numeric_limits<double>::epsilon();
  constexpr int ways = 8;
  VecX most = VecX::Zero(r.size()), there;
  unsigned random = 1;
  const auto moved = [&random](double entry) {
    random = random * 1664525U + 1013904223U;
    return entry * ((random >> 31) != 0 ? 1 + part : 1 - part);
  };
  for (int way = 0; way < ways; ++way) {
    State near = z;
    for (double& entry : near) entry = moved(entry);
    if (!residual(near, moved(t), there)) continue;
    for (int i = 0; i < r.size(); ++i) most[i] = std::fmax(most[i], std::abs(there[i] - r[i]));
  }
  return most;
}

}  // namespace daewave::detail
