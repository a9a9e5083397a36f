#pragma once
// Whether C B, which a few points show to be regular, dips between them towards a singular point.

#include <limits>
#include <utility>
#include <vector>

#include "core/stages/constraint_scan.hpp"

namespace daewave::bvp {

class PivotDips {
 public:
  PivotDips(int nx, int ny, const ConstraintReference& reference);

  /// Coefficients at t, in any order of times.
  void add(double t, const CoefficientBatch& batch, int point);

  /// Whether there is a point at which the pivots are smaller than on either side of it, clearly.
  bool any();

 private:
  ConstraintReference reference_;
  ConstraintBases bases_;
  MatX none_;
  std::vector<std::pair<double, double>> seen_;  ///< t and the relative pivot, squared.
  VecX last_;                                    ///< B and C seen last.
  double pivot_ = 0;                             ///< Of them.
  double least_ = std::numeric_limits<double>::infinity(), most_ = 0;
};

}  // namespace daewave::bvp
