#pragma once
// What the changes of iterates say of the error of the last, and how large that may be where steps
// are controlled.

#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// The error that iterates leave, as a part of the last change, where each change is `rate` of the
/// one before: r / (1 - r). Beyond 0.95, or where that is not a number, they do not become smaller.
inline double left_of_change(double rate) {
  constexpr double slowest_decay = 0.95;
  const double r = rate < slowest_decay ? rate : slowest_decay;
  return r / (1 - r);
}

/// Where one iterate is foreseen to be right to the tolerance, and another one tells its error: no
/// rate is known, and where it changes more than that, what it changed is none that iterates take
/// away. So with a formula that damps nothing, and steps far longer than epsilon.
inline constexpr double all_of_change = 1;

/// How wrong entry i may be of a state whose largest entry is `size`: 100 times the tolerance,
/// which is of a step.
inline double hundred_tolerances(const Options& options, int i, double size) {
  const double absolute = options.atol_each.empty()
                              ? options.atol.value_or(0)
                              : options.atol_each[static_cast<std::size_t>(i)];
  return 100 * (absolute + options.rtol * size);
}

}  // namespace daewave::ivp
