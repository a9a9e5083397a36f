#include "bench/against_sundials/measurement.hpp"

#include <cmath>

namespace daewave::bench {

std::optional<double> seconds_at(const Curve& curve, double error, double around) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  bool above = false, below = false;
  for (const Run& run : curve.runs) {
    if (!run.finished || !(run.error > 0)) continue;
    const double log_error = std::log(run.error / error), log_seconds = std::log(run.seconds);
    if (std::abs(log_error) > std::log(around)) continue;
    (log_error > 0 ? above : below) = true;
    n += 1;
    x += log_error;
    y += log_seconds;
    xx += log_error * log_error;
    xy += log_error * log_seconds;
  }
  if (n < 3 || !above || !below) return {};
  return std::exp((y * xx - x * xy) / (n * xx - x * x));  // Of the line at log_error = 0.
}

}  // namespace daewave::bench
