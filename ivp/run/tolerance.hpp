#pragma once
// What a local error is measured by: the root mean square of
//
//   error_i / (atol_i + rtol max(|z0_i|, |z1_i|)),
//
// z0 and z1 being the two ends of the step.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// Of an absolute tolerance that is left open.
constexpr double most_open_atol = 1e-9;

/// As given, or of an entry of that size: rtol/10 of it.
double absolute_of(const Options& options, double size);

class Tolerance {
 public:
  Tolerance() = default;
  /// @param nz  entries of the state. @throws InvalidOption when atol_each has another number.
  Tolerance(const Options& options, int nz);

  double relative() const { return rtol_; }
  /// All of it times a factor.
  Tolerance times(double factor) const {
    Tolerance other = *this;
    other.rtol_ *= factor;
    other.atol_ *= factor;
    for (double& each : other.each_) each *= factor;
    return other;
  }

  double weight(int i, double z0, double z1) const {
    const double absolute = each_.empty() ? atol_ : each_[static_cast<std::size_t>(i)];
    // In this order a z1 that is NaN is not passed over.
    return absolute + rtol_ * std::max(std::abs(z1), std::abs(z0));
  }

  /// Mean square of error / weight, of n entries.
  double mean_square(const double* error, const double* z0, const double* z1, int n) const;
  /// Of two errors at once.
  std::pair<double, double> mean_squares(const double* one, const double* other, const double* z0,
                                         const double* z1, int n) const;

  // The same of vectors, of any kind that has its entries side by side.

  template <class State>
  double mean_square(const State& error, const State& z0, const State& z1) const {
    return mean_square(error.data(), z0.data(), z1.data(), static_cast<int>(error.size()));
  }
  template <class State>
  std::pair<double, double> mean_squares(const State& one, const State& other, const State& z0,
                                         const State& z1) const {
    return mean_squares(one.data(), other.data(), z0.data(), z1.data(),
                        static_cast<int>(one.size()));
  }
  template <class State>
  double norm(const State& error, const State& z0, const State& z1) const {
    return std::sqrt(mean_square(error, z0, z1));
  }

 private:
  double rtol_ = 1e-6;
  double atol_ = 1e-9;
  std::vector<double> each_{};
};

}  // namespace daewave::ivp
