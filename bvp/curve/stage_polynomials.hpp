#pragma once
// Polynomials through points of an interval, mostly the stages of a collocation scheme, by their
// coefficients: for curves, which are evaluated at many places.

#include "core/types.hpp"

namespace daewave::bvp {

class StagePolynomials {
 public:
  /// Of at most eight stages and both ends: on the stack.
  using Weights = Eigen::Matrix<double, Dynamic, 1, Eigen::ColMajor, 10, 1>;

  StagePolynomials() = default;
  /// @param points  in [0, 1], distinct; at most ten.
  explicit StagePolynomials(const VecX& points);

  int count() const { return static_cast<int>(points_.size()); }
  const VecX& points() const { return points_; }

  /// Values at theta of the Lagrange polynomials, one for each point.
  Weights values(double theta) const;
  /// Their integrals over [0, theta].
  Weights integrals(double theta) const;
  /// Both at many points, a row for each.
  void values(const Eigen::Ref<const VecX>& theta, MatX& found) const;
  void integrals(const Eigen::Ref<const VecX>& theta, MatX& found) const;

 private:
  /// Row l: coefficients of 1, s, s^2, ... of the integral of polynomial l.
  using Coefficients = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::ColMajor, 10, 11>;

  VecX points_;
  Weights scales_;  ///< 1 / prod (c_l - c_j), j != l.
  /// In s = 2 theta - 1, in which their coefficients are much smaller and cancel less.
  Coefficients integrated_;
};

}  // namespace daewave::bvp
