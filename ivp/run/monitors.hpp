#pragma once
// What the time loop watches beside the state.

#include <functional>
#include <vector>

#include "core/report/motion.hpp"
#include "core/types.hpp"
#include "ivp/run/constraints_between.hpp"
#include "ivp/run/leg.hpp"
#include "ivp/run/progress_clock.hpp"

namespace daewave::ivp {

/// Of a run that starts anew, what lies between two starts.
struct Piece {
  bool gives_begin = true;  ///< False where its begin was given out as the end of that before.
  /// For each event how it was passed at the begin, before the state was changed: 1 rising, -1
  /// falling, 0 not. Empty: none was.
  std::vector<int> passed{};
  /// What rounding makes of the function of an event at the begin: one that has a direction and
  /// changes the state, and was not passed, may happen there where its function is no more than it.
  /// Empty: none may.
  std::function<double(int event, double t, const VecX& z)> rounding{};
  Motion before{};     ///< Of all pieces before it; empty: it is the first.
  Leg* leg = nullptr;  ///< It ends as this says, if not before; null: at the end of its interval.
  /// Of the whole run, as pieces may be shorter than what lies between two calls of progress();
  /// null: the piece has its own.
  ProgressClock* clock = nullptr;
};

struct Monitors {
  /// Energy, or another invariant, of (t, z) after every step; empty: none.
  std::function<double(double t, const VecX& z)> energy{};
  /// Sees the state at the begin and after every step; empty: nobody looks.
  std::function<void(double t, const VecX& z)> node{};
  /// The same with w, or the multiplier, beside it.
  std::function<void(double t, const VecX& z, const VecX& w)> root{};
  /// Constraints that are driven, looked at inside of every step; null: nobody looks.
  ConstraintsBetween* between = nullptr;
  bool drift = true;          ///< False saves an evaluation of the constraints in every step.
  bool second_order = false;  ///< The state is (q, v).
  bool carries_By = false;    ///< The multiplier given out is B y.
  Piece piece{};
};

}  // namespace daewave::ivp
