#include "ivp/run/tolerance.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace daewave::ivp {

double absolute_of(const Options& options, double size) {
  return options.atol.value_or(std::min(most_open_atol, 0.1 * options.rtol * size));
}

Tolerance::Tolerance(const Options& options, int nz)
    : rtol_(options.rtol), atol_(absolute_of(options, 1)), each_(options.atol_each) {
  if (!each_.empty() && static_cast<int>(each_.size()) != nz) {
    throw InvalidOption(fmt::format(
        "atol_each has {} entries: must have one for each of the {} entries of the state",
        each_.size(), nz));
  }
}

double Tolerance::mean_square(const double* error, const double* z0, const double* z1,
                              int n) const {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double ratio = error[i] / weight(i, z0[i], z1[i]);
    sum += ratio * ratio;
  }
  return sum / n;
}

std::pair<double, double> Tolerance::mean_squares(const double* one, const double* other,
                                                  const double* z0, const double* z1, int n) const {
  double sum = 0, other_sum = 0;
  for (int i = 0; i < n; ++i) {
    const double scale = 1 / weight(i, z0[i], z1[i]);
    const double ratio = one[i] * scale, other_ratio = other[i] * scale;
    sum += ratio * ratio;
    other_sum += other_ratio * other_ratio;
  }
  return {sum / n, other_sum / n};
}

}  // namespace daewave::ivp
