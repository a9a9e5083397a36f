#pragma once
// Where a long run can go on after it was stopped.

#include <functional>
#include <memory>
#include <string>

#include "core/report/checkpoint.hpp"

namespace daewave::ivp {

/// What was given out before stays with the run before.
///
/// Of sequential regularization with a fixed h they are taken between any two steps, at begin + i
/// h, so that a run may go on to a later end: where a last step was cut short by the end, it is
/// taken again. Runs of other methods go in legs of `steps`, after each of which the formula starts
/// anew, with the step that it had come to: there, and at the end, are checkpoints. Where they are
/// does not depend on the clock: a run that was stopped and goes on has the bits of one that was
/// not. One that goes on from its end to a later one has not those of a run to there in one go.
struct Checkpoints {
  std::function<void(const Checkpoint&)> save{};  ///< Empty: none are taken.
  double seconds = 60;  ///< Between two of them, >= 0; one more where a run ends.
  long steps = 20'000;  ///< Of a leg, accepted ones, >= 1.
  std::string mark{};   ///< What tells the problem apart beside its name, such as parameters.
  std::shared_ptr<const Checkpoint> resume{};  ///< Go on from here instead of the start.
};

}  // namespace daewave::ivp
