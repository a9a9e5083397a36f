#include "ivp/one_step/stage_solver.hpp"

namespace daewave::ivp {

void StageSolver::resize(const StageTransform& scheme, int n) {
  if (scheme.has_real) {
    real_matrix_.resize(n, n);
    real_ = Eigen::PartialPivLU<MatX>(n);
    real_right_.resize(n);
    real_solved_.resize(n);
  }
  if (scheme.pairs > 0) {
    matrix_.resize(n, n);
    right_.resize(n);
    for (int p = 0; p < scheme.pairs; ++p) {
      pair_[p] = Eigen::PartialPivLU<ComplexMatrix>(n);
      solved_[p].resize(n);
    }
  }
}

void StageSolver::factorize(const StageTransform& scheme, double h, const MatX& J) {
  if (scheme.has_real) {
    real_matrix_ = -h * scheme.mu_real * J;
    real_matrix_.diagonal().array() += 1.0;
    real_.compute(real_matrix_);
  }
  for (int p = 0; p < scheme.pairs; ++p) {
    matrix_ = (-h * scheme.pair[p].mu) * J;
    matrix_.diagonal().array() += Complex(1.0);
    pair_[p].compute(matrix_);
  }
}

void StageSolver::solve(const StageTransform& scheme, StageRow<VecX>& R) {
  const int k = scheme.stages;
  if (scheme.has_real) {
    real_right_ = scheme.to_real[0] * R[0];
    for (int j = 1; j < k; ++j) real_right_ += scheme.to_real[j] * R[j];
    real_solved_ = real_.solve(real_right_);
  }
  for (int p = 0; p < scheme.pairs; ++p) {
    right_ = scheme.pair[p].to[0] * R[0];
    for (int j = 1; j < k; ++j) right_ += scheme.pair[p].to[j] * R[j];
    solved_[p] = pair_[p].solve(right_);
  }
  for (int j = 0; j < k; ++j) {
    if (scheme.has_real) {
      R[j] = scheme.from_real[j] * real_solved_;
    } else {
      R[j].setZero();
    }
    for (int p = 0; p < scheme.pairs; ++p) {
      R[j] += (scheme.pair[p].from[j] * solved_[p]).real();
    }
  }
}

void StageSolver::filter(VecX& v) {
  real_right_ = v;
  v = real_.solve(real_right_);
}

}  // namespace daewave::ivp
