#pragma once
// States on their way out: to the solution, and to the caller's sink.

#include <string>

#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

class Recorder {
 public:
  /// All are kept by reference.
  Recorder(Step& step, const Options& options, Solution& solution)
      : step_(step), options_(options), solution_(solution) {}

  /// The state of the step, at its end. False when the sink stops the run.
  bool give(long steps, double t);
  /// Nothing is given, but multipliers are known by their size.
  void pass_over(double t) {
    if (!options_.multipliers) return;
    told(step_.multiplier(carried_), t);
  }
  /// A state inside of the step last accepted.
  bool give_between(long steps, double t, const VecX& z);

  /// A state without a multiplier; asks nothing of the step.
  bool give_alone(long steps, double t, const VecX& z) { return put(steps, t, z, false); }

  bool has_given(double t) const { return given_ > 0 && last_ == t; }

 private:
  bool told(bool known, double t);
  void warn(const std::string& text);
  bool put(long steps, double t, const VecX& z, bool known);

  Step& step_;
  const Options& options_;
  Solution& solution_;
  VecX carried_;
  bool warned_ = false;
  long given_ = 0;
  double last_ = 0;
};

}  // namespace daewave::ivp
