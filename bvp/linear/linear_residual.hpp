#pragma once
// What a linear solution is off x' = A x - B y + q, 0 = C x + r between its stages.

#include <string>
#include <vector>

#include "bvp/linear/linear_values.hpp"
#include "bvp/residual/unresolved.hpp"

namespace daewave::bvp {

/// nx rows of the first, then ny rows of the second, relative to what moves C x + r as far as an
/// error of x does: sum |C_ij| (1 + max |x_j|).
class LinearResidual {
 public:
  /// The data is kept by reference.
  explicit LinearResidual(const LinearData& of);

  void operator()(int interval, const Places& at, ResidualValues& found);

  /// What is small where x and B y are to have errors of `tolerance`, relative to 1 + the largest
  /// of each component.
  ResidualLimits limits(double tolerance) const;

  /// Why coefficients could not be evaluated at some point; else empty.
  const std::string& failure() const { return failure_; }

 private:
  bool evaluate(int interval, const Places& at);

  const LinearData& of_;
  VecX x_sizes_;  ///< 1 + max |x|.
  CoefficientBatch batch_;
  std::vector<double> t_;
  MatX slopes_;  ///< Of the interval asked last.
  int interval_ = -1;
  MatX slope_, x_, By_;  ///< At the points.
  std::string failure_;
};

/// Largest residual of C x + r at nodes, in that unit. @param at  receives t of it.
double constraint_excess(const LinearData& of, double& at);

}  // namespace daewave::bvp
