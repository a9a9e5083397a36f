#pragma once
// Where a long run by sequential regularization can go on after it was stopped.

#include <functional>
#include <memory>
#include <string>

#include "core/report/checkpoint.hpp"

namespace daewave::ivp {

/// Of any formula with a fixed h. What was given out before stays with the run before. All are
/// taken at begin + i h, so that a run may go on to a later end: where a last step was cut short by
/// the end, it is taken again.
struct Checkpoints {
  std::function<void(const Checkpoint&)> save{};  ///< Empty: none are taken.
  double seconds = 60;  ///< Between two of them, >= 0; one more where a run ends.
  std::string mark{};   ///< What tells the problem apart beside its name, such as parameters.
  std::shared_ptr<const Checkpoint> resume{};  ///< Go on from here instead of the start.
};

}  // namespace daewave::ivp
