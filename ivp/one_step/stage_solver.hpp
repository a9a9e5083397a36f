#pragma once
// The linear systems of an implicit step, (I - h A (x) J) D = R, as one real and some complex
// systems of the size of the state.                                          [HW2] IV.8

#include "core/eigen_memory.hpp"

#include <Eigen/LU>
#include <array>

#include "core/types.hpp"
#include "ivp/one_step/stage_transform.hpp"

namespace daewave::ivp {

class StageSolver {
 public:
  /// Memory for a state of n.
  void resize(const StageTransform& scheme, int n);
  void factorize(const StageTransform& scheme, double h, const MatX& J);
  /// R on entry, D on return: `scheme.stages` states.
  void solve(const StageTransform& scheme, StageRow<VecX>& R);
  /// v = (I - h mu_0 J)^-1 v; only with a real eigenvalue.
  void filter(VecX& v);

 private:
  using Complex = StageTransform::Complex;
  using ComplexMatrix = MatOf<Complex, Dynamic, Dynamic>;
  using ComplexVector = VecOf<Complex, Dynamic>;

  MatX real_matrix_;
  Eigen::PartialPivLU<MatX> real_;
  VecX real_right_, real_solved_;
  ComplexMatrix matrix_;
  ComplexVector right_;
  std::array<Eigen::PartialPivLU<ComplexMatrix>, most_stage_pairs> pair_;
  std::array<ComplexVector, most_stage_pairs> solved_;
};

}  // namespace daewave::ivp
