#pragma once
// What the time loop watches beside the state.

#include <functional>

#include "core/types.hpp"

namespace daewave::ivp {

struct Monitors {
  /// Energy, or another invariant, of (t, z) after every step; empty: none.
  std::function<double(double t, const VecX& z)> energy{};
  /// Sees the state at the begin and after every step; empty: nobody looks.
  std::function<void(double t, const VecX& z)> node{};
  bool drift = true;          ///< False saves an evaluation of the constraints in every step.
  bool second_order = false;  ///< The state is (q, v).
  bool carries_By = false;    ///< The multiplier given out is B y.
};

}  // namespace daewave::ivp
