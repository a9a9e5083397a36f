#pragma once
// What a linear solution is off x' = A x - B y + q, 0 = C x + r between its stages.

#include <string>
#include <vector>

#include "bvp/linear/linear_values.hpp"
#include "bvp/linear/pivot_dips.hpp"
#include "bvp/residual/local_error.hpp"
#include "bvp/residual/turning_modes.hpp"
#include "bvp/residual/unresolved.hpp"
#include "core/blocks/small_lu.hpp"

namespace daewave::bvp {

/// nx rows of the first, told as the errors that they become within their interval, over its step,
/// where C B is regular on the whole of it; then nx rows of P = B (C B)^-1 C times the first, which
/// are errors of B y, where it is regular too; then ny rows of the second, relative to what moves C
/// x + r as far as an error of x does: sum |C_ij| S_j.
class LinearResidual {
 public:
  /// The data is kept by reference. @param regular  whether C B is on the whole interval.
  /// @param dips  is shown the coefficients at all points, unless it is null.
  LinearResidual(const LinearData& of, bool regular, PivotDips* dips = nullptr);

  /// Lets them see the intervals that are looked at; kept by reference.
  void watch(TurningModes& modes) { modes_ = &modes; }

  void operator()(int interval, const Places& at, ResidualValues& found);

  /// What is small where x and B y are to have errors of `tolerance`, in units of the sizes.
  ResidualLimits limits(double tolerance) const;

  /// Why coefficients could not be evaluated at some point; else empty.
  const std::string& failure() const { return failure_; }

 private:
  /// Some of the places that are looked at.
  struct Part {
    int first = 0, count = 0;
  };

  bool evaluate(int interval, const Places& at, Part part);
  void place(int interval, const Places& at, Part part);
  /// @tparam fixed  nx where ny = 1; 0: any, and any ny.
  template <int fixed>
  void fill(Part part, ResidualValues& found) const;
  void fill_any(Part part, ResidualValues& found) const;
  void add_error_of_By(int row, Part part, Eigen::Index point, ResidualValues& found);
  /// @param point  of the batch.
  void find_local_error(int point);

  const LinearData& of_;
  bool regular_;
  PivotDips* dips_;
  TurningModes* modes_ = nullptr;
  SmallLu CB_lu_;
  MatX CB_;
  VecX multiplier_;
  VecX x_sizes_;   ///< S of x; all finite.
  bool balances_;  ///< They tell nothing of how rows compare.
  VecX balanced_;  ///< Taken instead then.
  CoefficientBatch batch_;
  LocalError local_error_;
  MatX J_;
  std::vector<double> t_;
  MatX slopes_;                    ///< Of the interval asked last.
  int interval_ = -1, first_ = 0;  ///< First of the points asked for in the batch.
  MatX slope_, x_, By_;            ///< At points of the part, a row for each.
  VecX of_polynomials_;            ///< What they are multiplied by.
  std::string failure_;
};

/// Largest residual of C x + r at nodes, in that unit. @param at  receives t of it.
double constraint_excess(const LinearData& of, double& at);

}  // namespace daewave::bvp
