#include "ivp/one_step/coupled_stages.hpp"

namespace daewave::ivp {

void CoupledStages::resize(const StageTransform& scheme, int n) {
  const int size = scheme.stages * n;
  if (matrix_.rows() == size) return;
  n_ = n;
  matrix_.resize(size, size);
  lu_ = Eigen::PartialPivLU<MatX>(size);
  right_.resize(size);
  solved_.resize(size);
}

void CoupledStages::set(const StageTransform& scheme, double h, int l, const MatX& J) {
  for (int j = 0; j < scheme.stages; ++j) {
    auto block = matrix_.block(j * n_, l * n_, n_, n_);
    block = -(h * scheme.a[j][l]) * J;
    if (j == l) block.diagonal().array() += 1.0;
  }
}

void CoupledStages::solve(const StageTransform& scheme, StageRow<VecX>& R) {
  for (int j = 0; j < scheme.stages; ++j) right_.segment(j * n_, n_) = R[j];
  solved_ = lu_.solve(right_);
  for (int j = 0; j < scheme.stages; ++j) R[j] = solved_.segment(j * n_, n_);
}

}  // namespace daewave::ivp
