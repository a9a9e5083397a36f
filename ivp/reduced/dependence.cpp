#include "ivp/reduced/dependence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/not_finite.hpp"
#include "ivp/equations/coordinate_projection.hpp"

namespace daewave::ivp {
namespace {

/// A row of which no more is left is dependent; of the largest entry.
constexpr double least_part = 1e-8;

}  // namespace

Dependence::Dependence(DaeSystem& system, double t, const VecX& z, bool by_velocities)
    : system_(system), by_velocities_(by_velocities), begin_(t), start_(z) {
  const bool second_order = system.positions() < system.nz();
  row_ = second_order ? system.position_invariants() : 0;
  rows_ = system.nh() - row_;
  column_ = second_order ? system.positions() : 0;
  columns_ = system.nz() - column_;
  h_.setZero(system.nh());
  H_.setZero(system.nh(), system.nz());
  pivots(t, z);
  start_pivots_ = sizes_;
  rank_ = rank_of_pivots();
  if (rank_ == rows_) return;
  // Near z on the constraints, in directions that they allow there, the motion's own first.
  CoordinateProjection projection(system, Projection{}, 1e-10);
  const VecX weight = VecX::Ones(z.size());
  const double size = 1e-3 * std::max(largest_size(z), 1e-3);
  for (int k = 0; k < 5 && rank_ < rows_; ++k) {
    VecX away = z;
    VecX direction(columns_);
    for (int i = 0; i < columns_; ++i) direction[i] = std::sin(1.0 + k * (2.3 * i + 0.7));
    if (k == 0) {
      if (!second_order) continue;
      direction = z.tail(columns_);
    } else {
      if (!system.invariants(t, z, h_, H_)) continue;
      const MatX G = H_.block(row_, column_, rows_, columns_);
      direction -= G.completeOrthogonalDecomposition().solve(G * direction).eval();
    }
    const double length = direction.norm();
    if (!(length > 1e-12) || !(length < INFINITY)) continue;
    away.head(columns_) += size / length * direction;
    if (!projection.project(t, away, weight)) continue;
    pivots(t, away);
    rank_ = std::max(rank_, rank_of_pivots());
  }
}

int Dependence::rank_of_pivots() const {
  int rank = 0;
  for (int i = 0; i < sizes_.size(); ++i) rank += sizes_[i] > least_part * sizes_[0] ? 1 : 0;
  return rank;
}

bool Dependence::jacobian(double t, const VecX& z) {
  if (!by_velocities_) {
    if (system_.constraint_jacobian(t, z, G_)) return true;
    if (!system_.invariants(t, z, h_, H_)) return false;
    G_ = H_.block(row_, column_, rows_, columns_);
    return true;
  }
  // G v + g_t, of each velocity, less that of none.
  VecX moved = z;
  moved.tail(columns_).setZero();
  if (!system_.invariants(t, moved, h_)) return false;
  const VecX rest = h_.segment(row_, rows_);
  G_.resize(rows_, columns_);
  for (int j = 0; j < columns_; ++j) {
    moved[column_ + j] = 1;
    if (!system_.invariants(t, moved, h_)) return false;
    G_.col(j) = h_.segment(row_, rows_) - rest;
    moved[column_ + j] = 0;
  }
  return true;
}

/// Of G by columns, with the largest first; none where it cannot be evaluated.
void Dependence::pivots(double t, const VecX& z) {
  sizes_.resize(0);
  if (!jacobian(t, z) || !G_.allFinite()) return;
  if (rows_ == 1) {
    sizes_.setConstant(1, G_.norm());
    return;
  }
  columns_of_G_ = G_.transpose();
  factors_.compute(columns_of_G_);
  sizes_ = factors_.matrixQR().diagonal().cwiseAbs();
}

double Dependence::at(double t, const VecX& z) {
  const double left = left_at(t, z);
  return largest_ > 0 ? left / largest_ : left;
}

double Dependence::reached(double t, const VecX& z) {
  const double left = left_at(t, z);
  if (left > largest_) largest_ = left;
  return largest_ > 0 ? left / largest_ : left;
}

double Dependence::left_at(double t, const VecX& z) {
  if (rank_ == 0) return 1;
  if (start_pivots_.size() > 0 && t == begin_ && z == start_) {
    sizes_ = start_pivots_;
  } else {
    pivots(t, z);
  }
  start_pivots_.resize(0);
  if (sizes_.size() < rank_) return std::numeric_limits<double>::quiet_NaN();
  const double pivot = sizes_[rank_ - 1];
  part_ = sizes_[0] > 0 ? pivot / sizes_[0] : 0;
  return pivot;
}

}  // namespace daewave::ivp
