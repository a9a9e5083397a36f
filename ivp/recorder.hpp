#pragma once
// States on their way out: to the solution, and to the caller's sink.

#include <cmath>
#include <limits>
#include <string>

#include "ivp/options.hpp"
#include "ivp/solution.hpp"
#include "ivp/step.hpp"

namespace daewave::ivp {

/// The step can also tell the multiplier between the ends of the step last accepted.
template <class S>
concept HasMultiplierAt = requires(S& step, double t, const typename S::State& z,
                                   typename S::Carried& carried) {
  { step.multiplier_at(t, z, carried) } -> std::same_as<bool>;
};

template <Step S>
class Recorder {
  using State = typename S::State;

 public:
  Recorder(S& step, const Options& options, Solution& solution)
      : step_(step), options_(options), solution_(solution) {}

  /// The state at the end of a step. False when the sink stops the run.
  bool give(long steps, double t, const State& z) {
    const bool known = options_.multipliers && told(step_.multiplier(carried_), t);
    return put(steps, t, z, known);
  }

  /// A state inside of the step last accepted.
  bool give_between(long steps, double t, const State& z) {
    bool known = false;
    if constexpr (HasMultiplierAt<S>) {
      known = options_.multipliers && told(step_.multiplier_at(t, z, carried_), t);
    } else if (options_.multipliers) {
      warn("multipliers between steps are NaN, as the method knows them at the ends of steps only");
    }
    return put(steps, t, z, known);
  }

  bool has_given(double t) const { return given_ > 0 && last_ == t; }

 private:
  bool told(bool known, double t) {
    if (!known) warn("no multiplier at t = " + std::to_string(t) + ": " + step_.failure());
    return known;
  }

  /// Only the first is told.
  void warn(const std::string& text) {
    if (!warned_) solution_.report.warnings.push_back(text);
    warned_ = true;
  }

  bool put(long steps, double t, const State& z, bool known) {
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
      solution_.multipliers.push_back(known ? carried_[i]
                                            : std::numeric_limits<double>::quiet_NaN());
    }
    if (!options_.sink) return true;
    const double* const multiplier =
        known && solution_.ny > 0 ? solution_.multipliers.data() + solution_.multipliers.size() -
                                        static_cast<std::size_t>(solution_.ny)
                                  : nullptr;
    return options_.sink({steps, t, z.data(), multiplier});
  }

  S& step_;
  const Options& options_;
  Solution& solution_;
  typename S::Carried carried_;
  bool warned_ = false;
  long given_ = 0;
  double last_ = 0;
};

}  // namespace daewave::ivp
