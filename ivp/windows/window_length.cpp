#include "ivp/windows/window_length.hpp"

#include <algorithm>
#include <cmath>

#include "ivp/windows/window_formula.hpp"

namespace daewave::ivp {
namespace {

/// Measured: with these the error at the end of runs is about what one window may do.
constexpr double error_constant = 43, decay_power = 2.5;
/// Measured: the polynomial of smooth accelerations misses them at an end by less than that part of
/// its last coefficient, or by little beside the tolerance; one over a kink by more. The error at
/// the end is about that part of what it misses.
constexpr double missed_by_smooth = 0.065, part_of_missed = 0.2;
constexpr double safety = 0.71, shrink = 0.25, grow = 2.5;
/// Sweeps that contract slower cost more than windows that are shorter.
constexpr double best_rate = 0.15;

}  // namespace

double end_error(const Spectrum& s) {
  if (!(s.top > 0)) return s.top;
  return error_constant * s.top * std::pow(std::min(1.0, s.top / s.middle), decay_power);
}

double kink_error(double missed, const Spectrum& s) {
  return missed > missed_by_smooth * s.top ? part_of_missed * missed : 0;
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
