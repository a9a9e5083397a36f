#pragma once
// Multipliers that follow from states alone, by index reduction, for a run that carries none:
//
//   y(x, v) = (GB)^-1 (G f + curvature)                                        [AL2] (4.12)

#include <limits>

#include "ivp/doors/solve_reduced.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

template <Dae P>
requires Reducible<P>
class StateMultipliers {
 public:
  /// The problem must outlive it.
  StateMultipliers(const P& problem, double rank_tolerance)
      : system_(problem, Method::underlying, {}, rank_tolerance) {}

  /// NaN where it cannot be evaluated.
  const MultiplierOf<P>& at(double t, const StateOf<P>& state) {
    state_ = state;
    if (!system_.multiplier(t, state_, known_)) {
      multiplier_.setConstant(std::numeric_limits<double>::quiet_NaN());
    } else {
      multiplier_ = known_;
    }
    return multiplier_;
  }

  /// Of every state that a run has kept.
  void fill(Solution& solution) {
    solution.multipliers.clear();
    for (int i = 0; i < solution.count(); ++i) {
      const MultiplierOf<P>& y = at(solution.t[static_cast<std::size_t>(i)], solution.state(i));
      solution.ny = static_cast<int>(y.size());
      solution.multipliers.insert(solution.multipliers.end(), y.data(), y.data() + y.size());
    }
  }

 private:
  Reduced<P> system_;
  VecX state_, known_;
  MultiplierOf<P> multiplier_;
};

}  // namespace daewave::ivp
