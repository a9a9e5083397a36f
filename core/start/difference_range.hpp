#pragma once
// The least and the greatest of some differences, which a derivative that is given is held against:
// only what is plainly wrong contradicts them.

#include <algorithm>
#include <cmath>
#include <limits>

namespace daewave {

struct DifferenceRange {
  double least = std::numeric_limits<double>::infinity(), most = -least;

  /// In this order what is not finite stays.
  void see(double difference) {
    if (!(difference >= least)) least = difference;
    if (!(difference <= most)) most = difference;
  }
  double size() const { return std::max(std::abs(least), std::abs(most)); }
  double middle() const { return (least + most) / 2; }
  /// So much alike that they say something.
  bool is_clear() const { return most - least <= 0.1 * size(); }
  /// By a hundredth of the largest of all, and by more than the differences are apart.
  /// @param scale  what the row changes by.
  bool contradicts(double given, double scale) const {
    constexpr double plainly = 0.01;
    const double margin = plainly * std::max({scale, std::abs(given), size()}) + 2 * (most - least);
    return given < least - margin || given > most + margin;
  }
};

}  // namespace daewave
