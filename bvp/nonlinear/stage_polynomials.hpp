#pragma once
// Polynomials through the stages of a collocation scheme, by their coefficients: for curves, which
// are evaluated at many places.

#include "core/time/collocation_scheme.hpp"

namespace daewave::bvp {

class StagePolynomials {
 public:
  /// Of at most seven stages: on the stack.
  using Weights = Eigen::Matrix<double, Dynamic, 1, Eigen::ColMajor, 7, 1>;

  StagePolynomials() = default;
  explicit StagePolynomials(const Collocation& scheme);

  /// Values at theta of the Lagrange polynomials; k.
  Weights values(double theta) const { return powers(theta, lagrange_); }
  /// Their integrals over [0, theta]; k.
  Weights integrals(double theta) const { return theta * powers(theta, integrated_); }

 private:
  /// Row l: coefficients of 1, theta, ... of polynomial l.
  using Coefficients = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::ColMajor, 7, 7>;

  static Weights powers(double theta, const Coefficients& of) {
    Weights sum = of.col(of.cols() - 1);  // Horner.
    for (Eigen::Index j = of.cols() - 1; j-- > 0;) sum = theta * sum + of.col(j);
    return sum;
  }

  Coefficients lagrange_, integrated_;
};

}  // namespace daewave::bvp
