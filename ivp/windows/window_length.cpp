#include "ivp/windows/window_length.hpp"

#include <algorithm>
#include <cmath>

#include "ivp/windows/window_formula.hpp"

namespace daewave::ivp {
namespace {

/// Measured: with these the error at the end of runs is about what one window may do.
constexpr double error_constant = 43;
/// Measured: the polynomial of smooth accelerations misses them at an end by less than that part of
/// its last coefficient, or by little beside the tolerance; one over a kink by more. The error at
/// the end is about that part of what it misses.
constexpr double missed_by_smooth = 0.065, part_of_missed = 0.2;
/// Where coefficients fall by a factor q from one to the next, it misses q^2 / (1 - q) of the last,
/// of which q^2 is seen. Those of a kink fall like a power of their number, by more than that bound
/// of q^2.
constexpr double more_than_seen = 2, falls_like_smooth = 0.15;
constexpr double safety = 0.71, shrink = 0.25, grow = 2.5;
/// Sweeps that contract slower cost more than windows that are shorter.
constexpr double best_rate = 0.15;

}  // namespace

double end_error(const Spectrum& s) {
  if (!(s.top > 0)) return s.top;
  const double decay = std::min(1.0, s.top / s.middle);
  return error_constant * s.top * decay * decay * std::sqrt(decay);
}

double kink_error(double missed, const Spectrum& s) {
  const double decay = s.top / s.upper;
  const double smooth = decay < falls_like_smooth
                            ? std::max(missed_by_smooth, more_than_seen * decay)
                            : missed_by_smooth;
  return missed > smooth * s.top ? part_of_missed * missed : 0;
}

double inner_error(const Spectrum& s) {
  if (!(s.top > 0)) return s.top;
  // The first coefficient that is missing, and the integral of its polynomial.
  const double decay = std::min(1.0, std::sqrt(s.top / s.upper));
  return s.top * decay / 30;
}

double next_factor(double error, double rate) {
  double factor = grow;
  if (error > 0) {
    factor = std::clamp(safety * std::pow(error, -1.0 / (WindowFormula::order + 1)), shrink, grow);
  }
  if (rate > best_rate) factor = std::min(factor, std::max(0.5, std::pow(best_rate / rate, 0.7)));
  return factor;
}

double expected_rate(double rate, double factor) {
  return std::min(0.5, rate * factor * std::sqrt(factor));
}

}  // namespace daewave::ivp
