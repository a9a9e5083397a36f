#pragma once
// What can be asked of an initial value solve of a nonlinear DAE. Everything left open is chosen by
// the solver, and the report says why.

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "core/types.hpp"
#include "ivp/options/checkpoints.hpp"
#include "ivp/options/control.hpp"
#include "ivp/options/event.hpp"
#include "ivp/options/method.hpp"

namespace daewave::ivp {

/// A state that is given out.
struct Output {
  long step;  ///< Steps done; of an output between steps, the step it lies in.
  double t;
  const double* state;       ///< x, or (q, v); nz.
  const double* multiplier;  ///< ny; null where there is none, and where none was asked for.
  int ny = 0;                ///< The same for all outputs of a run; 0 where none was asked for.
  bool carries_By = false;   ///< The multiplier is B y, of the singular variants.
};

/// Where a run stands.
struct RunProgress {
  double t;
  double begin, end;
  long steps;
  double drift;  ///< Largest of position and velocity so far.
  /// Of each iterate of a sequential regularization now; of the last group where they are
  /// pipelined. Empty for other methods, and where drift is not watched.
  std::vector<double> drift_of_iterates{};
  double seconds = 0;       ///< Since the run began, or went on from a checkpoint.
  double seconds_left = 0;  ///< If the rest goes as fast.
};

/// Ten roundings: a relative error below is none that an estimate sees.
constexpr double least_rtol = 10 * std::numeric_limits<double>::epsilon();

struct Options {
  Method method{};  ///< And what it can be told.

  std::optional<double>
      h{};             ///< Fixed step, > 0, the last one shortened; without it h is controlled.
  double rtol = 1e-6;  ///< Local error per step, relative; least_rtol <= rtol < 1.
  /// And absolute, in the problem's units. Open: rtol/10 of the size of each component, 1e-9 at
  /// most.
  std::optional<double> atol{};
  std::vector<double> atol_each{};  ///< One per component of the state, instead of atol.
  // Of controlled steps, not with h.
  std::optional<double> first_step{};  ///< > 0.
  std::optional<double> largest_step{};
  std::optional<Control> control{};  ///< Rule of the step control; else the stepper's own.
  long most_steps = 1'000'000'000;   ///< Accepted and rejected.

  // Local errors alone are controlled by these. What they come to over the run is told by a second
  // run, by another method to a smaller tolerance, which costs several times as much.
  bool estimate_error = false;  ///< See Report::error, and Solution::errors over time.
  /// Asked of the estimate, relative to 1 + the largest |component|, > 0; without it an estimate
  /// above 1e-3 of the motion is not usable.
  std::optional<double> accuracy{};
  /// Where a run fails others are tried for as long as twice the time it took, so that the advice
  /// of the report names what comes through.
  bool seek_way_out = true;

  bool repair_start = false;      ///< Project an inconsistent start; otherwise it is refused.
  double start_tolerance = 1e-8;  ///< Of |g| and |G v + g_t|, absolute; rounding apart.
  double rank_tolerance = 1e-12;  ///< Of the rank guard, relative to the largest entry of G.

  // The start, and where the run came to, are given out in any case; so are restart_times, and the
  // states before and after an event with a change, at the same t.
  long every = 1;               ///< Give out each every-th step; 0: none but the end.
  std::vector<double> times{};  ///< Give out at these times instead, inside of steps; increasing.
  bool dense = false;           ///< Keep dense output of every step: Solution::at().
  bool keep = true;  ///< Store what is given out; false, with a sink on long runs: the last only.
  bool multipliers = true;  ///< Give out multipliers too.
  /// Watch drift and energy after each step, one more evaluation; and judge the run by the drift.
  bool monitor = true;
  std::function<bool(const Output&)> sink{};  ///< Sees what is given out; false stops.
  std::vector<Event> events{};
  /// Where f jumps in t, or what drives constraints turns: steps end at each, and the formula
  /// starts anew on the other side; f is evaluated before and after, not at it. Velocities (q, v)
  /// that constraints ask for behind it are as after an impulse. Increasing, in the interval; given
  /// out once, with the state before.
  std::vector<double> restart_times{};
  /// Called before the first step: sets what changes of events have set beside the state, such as a
  /// mode that f reads, to what it is at the start. For whoever solves more than once, as
  /// estimate_error, accuracy and sensitivities() do.
  std::function<void()> reset{};
  /// Of all methods but srm, whose loops have their own. Not with events that change the state.
  Checkpoints checkpoints{};
  std::function<bool(const RunProgress&)> progress{};  ///< At most ten times a second; false stops.
};

/// Events that change the state, or restart_times, are asked for.
bool starts_anew(const Options& options);
/// Checkpoints are to be taken, or gone on from.
bool uses_checkpoints(const Options& options);

/// Checks every value that can be checked without the problem. @throws InvalidOption
void check(const Options& options);

}  // namespace daewave::ivp
