#include "ivp/reduced/invariant_multipliers.hpp"

namespace daewave::ivp {

InvariantMultipliers::InvariantMultipliers(DaeSystem& system, Onto onto, double rank_tolerance)
    : system_(system), kept_(invariant_rows(system, onto)), rank_tolerance_(rank_tolerance) {
  const int nz = system.nz(), nh = system.nh(), rows = kept_.rows;
  space_.resize(rows, kept_.columns);
  H_.setZero(nh, nz);
  W_.setZero(nz + system.nw(), rows);
  coupling_.setZero(rows, rows);
  factors_.resize(rows);
  h_.setZero(nh);
  nu_.setZero(rows);
  change_.setZero(rows);
  weight_.setOnes(kept_.columns);
}

bool InvariantMultipliers::linearize(double t, const VecX& z, const VecX& weight) {
  nu_.setZero();
  if (weight.size() > 0) weight_ = weight.segment(kept_.column, kept_.columns);
  has_h_ = system_.invariants(t, z, h_, H_);
  if (!has_h_) return false;
  for (int i = 0; i < kept_.rows; ++i) {
    double* const row = space_.row(i);
    for (int j = 0; j < kept_.columns; ++j)
      row[j] = H_(kept_.row + i, kept_.column + j) * weight_[j];
  }
  return space_.orthonormalize(kept_.rows, kept_.columns, rank_tolerance_);
}

bool InvariantMultipliers::couple(const SmallLu& A) {
  const int rank = space_.rank();
  factors_.resize(rank);
  for (int j = 0; j < rank; ++j) {
    W_.col(j).setZero();
    const double* const basis = space_.basis(j);
    for (int i = 0; i < kept_.columns; ++i) W_(kept_.column + i, j) = weight_[i] * basis[i];
    A.solve(W_.col(j).data());
    for (int k = 0; k < rank; ++k) coupling_(k, j) = along_row(k, W_.col(j).data());
  }
  return factors_.factorize(coupling_);
}

/// What the k-th invariant that takes part changes by as all of z moves.
double InvariantMultipliers::along_row(int k, const double* move) const {
  const int row = kept_.row + space_.row_in_order(k);
  double sum = 0;
  for (int j = 0; j < H_.cols(); ++j) sum += H_(row, j) * move[j];
  return sum;
}

void InvariantMultipliers::add(VecX& residual) const {
  for (int k = 0; k < space_.rank(); ++k) {
    const double* const basis = space_.basis(k);
    for (int i = 0; i < kept_.columns; ++i)
      residual[kept_.column + i] += nu_[k] * weight_[i] * basis[i];
  }
}

bool InvariantMultipliers::correct(double t, const VecX& z, VecX& step) {
  if (!has_h_ && !system_.invariants(t, z, h_)) return false;
  has_h_ = false;
  const int rank = space_.rank();
  for (int k = 0; k < rank; ++k) {
    change_[k] = h_[kept_.row + space_.row_in_order(k)] - along_row(k, step.data());
  }
  factors_.solve(change_.data());
  for (int k = 0; k < rank; ++k) {
    nu_[k] += change_[k];
    step += change_[k] * W_.col(k);
  }
  return true;
}

}  // namespace daewave::ivp
