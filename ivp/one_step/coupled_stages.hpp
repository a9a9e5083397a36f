#pragma once
// The linear systems of full Newton for the stages of an implicit step, each with its own Jacobian:
//
//   (I - h (a_jl J_l)) D = R,   J_l = dF/dx (X_l, t + c_l h)
//
// k n unknowns at once. Needed where J changes over a step by more than a simplified iteration
// mends: 1/epsilon in a nonlinear regularized problem with h^2 > epsilon.

#include "core/eigen_memory.hpp"

#include <Eigen/LU>

#include "core/types.hpp"
#include "ivp/one_step/stage_transform.hpp"

namespace daewave::ivp {

class CoupledStages {
 public:
  /// Takes the memory, once: (k n)^2 numbers twice.
  void resize(const StageTransform& scheme, int n);

  /// The Jacobian of stage l.
  void set(const StageTransform& scheme, double h, int l, const MatX& J);
  /// When all are set.
  void factorize() { lu_.compute(matrix_); }
  /// R on entry, D on return.
  void solve(const StageTransform& scheme, StageRow<VecX>& R);

 private:
  int n_ = 0;
  MatX matrix_;
  Eigen::PartialPivLU<MatX> lu_;
  VecX right_, solved_;
};

}  // namespace daewave::ivp
