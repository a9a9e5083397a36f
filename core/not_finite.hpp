#pragma once
// Which equation of a problem first gave a number that is not finite, in words.

#include <cmath>
#include <string>

namespace daewave {

/// "f, row 2, is not finite at t = 0.5"; rows count from 1.
std::string not_finite_text(const char* equation, int row, double t);

/// "at t = 0.5: why", of an evaluation that failed otherwise.
std::string failed_at_text(const char* why, double t);

/// False where an entry of `values` is not finite; `failure` then tells the first such row.
template <class Values>
bool all_finite(const char* equation, const Values& values, double t, std::string& failure) {
  for (int i = 0; i < values.rows(); ++i) {
    for (int j = 0; j < values.cols(); ++j) {
      if (std::isfinite(values(i, j))) continue;
      failure = not_finite_text(equation, i + 1, t);
      return false;
    }
  }
  return true;
}

}  // namespace daewave
