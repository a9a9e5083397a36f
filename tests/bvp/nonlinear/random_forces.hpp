#pragma once
// Right sides of which exactly one solution can be told to exist: each row is that of a component's
// own, monotone and nonlinear, with less of the others than of itself,
//
//   N_i(z, t) = rate_i (1 + swing sin(pace t + phase_i)) (own_i(z_i) + sum_j coupling_ij sin z_j),
//
// so that a difference of two solutions is largest at an end, where a condition holds it.

#include <cmath>
#include <vector>

#include "core/types.hpp"

namespace daewave::testing {

struct RandomForces {
  /// z + a sin z, z + a z^3, z + a (exp z - 1), z + a atan z.
  enum class Shape { sine, cubic, exponential, arctangent };
  VecX rate, own, phase;  ///< n.
  MatX coupling;          ///< n x n, nothing on the diagonal.
  std::vector<Shape> shape;
  double swing = 0, pace = 1;
  /// Components 0 and 1 turn around each other at this rate instead, where it is not zero.
  double turning = 0;

  int n() const { return static_cast<int>(rate.size()); }

  template <class T>
  VecOf<T, Dynamic> operator()(const VecOf<T, Dynamic>& z, double t) const {
    using std::sin;
    VecOf<T, Dynamic> all(n());
    for (int i = 0; i < n(); ++i) {
      T sum = own_part(i, z[i]);
      for (int j = 0; j < n(); ++j) {
        if (coupling(i, j) != 0) sum += coupling(i, j) * sin(z[j]);
      }
      all[i] = rate_at(i, t) * sum;
    }
    if (turning != 0) {
      all[0] = turning * z[1];
      all[1] = -turning * own_part(0, z[0]);
    }
    return all;
  }

  MatX jacobian(const VecX& z, double t) const {
    MatX J = MatX::Zero(n(), n());
    for (int i = 0; i < n(); ++i) {
      for (int j = 0; j < n(); ++j) J(i, j) = coupling(i, j) * std::cos(z[j]);
      J(i, i) += own_slope(i, z[i]);
      J.row(i) *= rate_at(i, t);
    }
    if (turning != 0) {
      J.topRows(2).setZero();
      J(0, 1) = turning;
      J(1, 0) = -turning * own_slope(0, z[0]);
    }
    return J;
  }

  template <class T>
  T own_part(int i, const T& z) const {
    using std::atan, std::exp, std::sin;
    switch (shape[static_cast<std::size_t>(i)]) {
      case Shape::sine:
        return z + own[i] * sin(z);
      case Shape::cubic:
        return z + own[i] * z * z * z;
      case Shape::exponential:
        return z + own[i] * (exp(z) - 1.0);
      default:
        return z + own[i] * atan(z);
    }
  }

 private:
  double rate_at(int i, double t) const {
    return rate[i] * (1 + swing * std::sin(pace * t + phase[i]));
  }
  double own_slope(int i, double z) const {
    switch (shape[static_cast<std::size_t>(i)]) {
      case Shape::sine:
        return 1 + own[i] * std::cos(z);
      case Shape::cubic:
        return 1 + 3 * own[i] * z * z;
      case Shape::exponential:
        return 1 + own[i] * std::exp(z);
      default:
        return 1 + own[i] / (1 + z * z);
    }
  }
};

}  // namespace daewave::testing
