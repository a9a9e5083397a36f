#include "ivp/run/recorder.hpp"

#include <limits>

#include "ivp/run/thrown.hpp"

namespace daewave::ivp {

bool Recorder::give(long steps, double t) {
  const bool known = options_.multipliers && told(step_.multiplier(carried_), t);
  return put(steps, t, step_.state(), known);
}

bool Recorder::give_between(long steps, double t, const VecX& z) {
  bool known = false;
  if (options_.multipliers && step_.knows_multiplier_between()) {
    known = told(step_.multiplier_at(t, z, carried_), t);
  } else if (options_.multipliers) {
    warn("multipliers between steps are NaN, as the method knows them at the ends of steps only");
  }
  return put(steps, t, z, known);
}

bool Recorder::told(bool known, double t) {
  if (!known) warn("no multiplier at t = " + std::to_string(t) + ": " + step_.failure());
  return known;
}

/// Only the first is told.
void Recorder::warn(const std::string& text) {
  if (!warned_) solution_.report.warnings.push_back(text);
  warned_ = true;
}

bool Recorder::put(long steps, double t, const VecX& z, bool known) {
  if (given_ == 0 && options_.multipliers) solution_.ny = static_cast<int>(carried_.size());
  ++given_;
  last_ = t;
  if (!options_.keep) {  // What is stored is the last.
    solution_.t.clear();
    solution_.states.clear();
    solution_.multipliers.clear();
  }
  solution_.t.push_back(t);
  solution_.states.insert(solution_.states.end(), z.data(), z.data() + z.size());
  for (int i = 0; i < solution_.ny; ++i) {
    solution_.multipliers.push_back(known ? carried_[i] : std::numeric_limits<double>::quiet_NaN());
  }
  if (!options_.sink) return true;
  const double* const multiplier =
      known && solution_.ny > 0 ? solution_.multipliers.data() + solution_.multipliers.size() -
                                      static_cast<std::size_t>(solution_.ny)
                                : nullptr;
  return by_caller([&] {
    return options_.sink({steps, t, z.data(), multiplier, solution_.ny, solution_.carries_By});
  });
}

}  // namespace daewave::ivp
