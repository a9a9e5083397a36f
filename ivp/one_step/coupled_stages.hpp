#pragma once
// The linear systems of full Newton for the stages of an implicit step, each with its own Jacobian:
//
//   (I - h (a_jl J_l)) D = R,   J_l = dF/dx (X_l, t + c_l h)
//
// k n unknowns at once. Needed where J changes over a step by more than a simplified iteration
// mends: 1/epsilon in a nonlinear regularized problem with h^2 > epsilon.

#include <Eigen/LU>

#include "core/types.hpp"
#include "ivp/one_step/stage_transform.hpp"

namespace daewave::ivp {

class CoupledStages {
 public:
  /// Takes the memory, once: (k n)^2 numbers twice.
  void resize(const StageTransform& scheme, int n) {
    const int size = scheme.stages * n;
    if (matrix_.rows() == size) return;
    n_ = n;
    matrix_.resize(size, size);
    lu_ = Eigen::PartialPivLU<MatX>(size);
    right_.resize(size);
    solved_.resize(size);
  }

  /// The Jacobian of stage l.
  template <class Jacobian>
  void set(const StageTransform& scheme, double h, int l, const Jacobian& J) {
    for (int j = 0; j < scheme.stages; ++j) {
      auto block = matrix_.block(j * n_, l * n_, n_, n_);
      block = -(h * scheme.a[j][l]) * J;
      if (j == l) block.diagonal().array() += 1.0;
    }
  }

  /// When all are set.
  void factorize() { lu_.compute(matrix_); }

  /// R on entry, D on return.
  template <class State>
  void solve(const StageTransform& scheme, StageRow<State>& R) {
    for (int j = 0; j < scheme.stages; ++j) right_.segment(j * n_, n_) = R[j];
    solved_ = lu_.solve(right_);
    for (int j = 0; j < scheme.stages; ++j) R[j] = solved_.segment(j * n_, n_);
  }

 private:
  int n_ = 0;
  MatX matrix_;
  Eigen::PartialPivLU<MatX> lu_;
  VecX right_, solved_;
};

}  // namespace daewave::ivp
