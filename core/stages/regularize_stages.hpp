#pragma once
// The regularized equation at a stage, wherever the stage lies: from its own coefficients, or from
// limits where C B is singular and the weight (CB)^-1 does not exist.       [AL1] H1, H2, section 5

#include <optional>
#include <string>

#include "core/problem/linear_dae.hpp"
#include "core/report/report.hpp"
#include "core/stages/constraint_scan.hpp"
#include "core/stages/regularize_linear.hpp"

namespace daewave {

/// How a stage came by its equation.
struct StagePassage {
  std::string failure;                 ///< Not empty: the stage is unusable; where and why.
  std::optional<SingularPoint> point;  ///< Set where limits stand for the coefficients.
};

/// LinearRegularizer with an eye on the pivots; one per thread.
class StageRegularizer {
 public:
  /// @param reference  of a scan, against which a pivot counts as small. `problem` is kept by
  ///                   reference.
  StageRegularizer(const LinearDae& problem, const Regularization& regularization,
                   const ConstraintReference& reference);

  /// Stage i of `out` from point i of `in`, which lies at t.
  /// @throws InvalidProblem for a coefficient beside a singular point that is not finite.
  StagePassage regularize(const CoefficientBatch& in, int i, double t, StageBatch& out);

 private:
  const LinearDae& problem_;
  Regularization regularization_;
  ConstraintReference reference_;
  LinearRegularizer regularizer_;
};

}  // namespace daewave
