#pragma once
// Multipliers that follow from states alone, by index reduction, for a run that carries none:
//
//   y(x, v) = (GB)^-1 (G f + curvature)                                        [AL2] (4.12)

#include <functional>
#include <limits>
#include <memory>

#include "core/regularize/form.hpp"
#include "ivp/doors/solve_reduced.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// NaN where it cannot be evaluated.
using MultiplierOfState = std::function<void(double t, const VecX& z, VecX& y)>;

/// Options of a run that carries zeta, which is not given out: a sink sees the multipliers of the
/// states. Both are kept by reference. @param nz  entries of a state.
Options without_zeta(const MultiplierOfState& multiplier, int nz, const Options& options);

/// Of every state that a run has kept.
void fill_multipliers(const MultiplierOfState& multiplier, Solution& solution);

namespace detail {

template <Dae P>
requires Reducible<P>
class StateMultipliers {
 public:
  StateMultipliers(const P& problem, double rank_tolerance)
      : system_(problem, Method::underlying, {}, rank_tolerance) {}

  void at(double t, const VecX& z, VecX& y) {
    state_ = z;
    if (!system_.multiplier(t, state_, multiplier_)) {
      multiplier_.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
    y = multiplier_;
  }

 private:
  Reduced<P> system_;
  StateOf<P> state_;
  MultiplierOf<P> multiplier_;
};

}  // namespace detail

/// Where zeta is carried and multipliers are asked for; else empty. The problem must outlive it.
template <Dae P>
MultiplierOfState multiplier_of_state(const P& problem, const RegularizedForm& form,
                                      const Options& options) {
  if constexpr (Reducible<P>) {
    if (form.variant == Variant::invariant_reduced && options.multipliers) {
      const auto of = std::make_shared<detail::StateMultipliers<P>>(problem, form.rank_tolerance);
      return [of](double t, const VecX& z, VecX& y) { of->at(t, z, y); };
    }
  }
  return {};
}

}  // namespace daewave::ivp
