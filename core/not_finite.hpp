#pragma once
// Numbers that are not finite: which equation of a problem first gave one, in words, and maxima
// that do not lose them.

#include <cmath>
#include <string>

#include "core/eigen_memory.hpp"

namespace daewave {

/// "f, row 2, is not finite at t = 0.5"; rows count from 1.
std::string not_finite_text(const char* equation, int row, double t);

/// "at t = 0.5: why", of an evaluation that failed otherwise.
std::string failed_at_text(const char* why, double t);

/// The larger of two; NaN where either is. std::max(a, NaN) is a: an error that is not a number
/// would count as none.
inline double larger(double a, double b) { return a >= b || std::isnan(a) ? a : b; }

/// max |a_ij|, 0 where there are none; NaN where an entry is, which maxCoeff() may pass over.
template <class Derived>
double largest_size(const Eigen::DenseBase<Derived>& a) {
  return a.size() > 0 ? a.derived().cwiseAbs().template maxCoeff<Eigen::PropagateNaN>() : 0.0;
}

/// False where an entry of `values` is not finite; `failure` then tells the first such row.
template <class Values>
requires requires(const Values& values) { values(0, 0); }
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
