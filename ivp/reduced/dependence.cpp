#include "ivp/reduced/dependence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/not_finite.hpp"

namespace daewave::ivp {
namespace {

/// A row of which no more is left is dependent; of the largest entry.
constexpr double least_part = 1e-8;
/// A row is zero below that part of the largest: it is not taken for one in another unit.
constexpr double zero_row = 1e-12;
/// Directions in which it is looked around; how far, in parts of the state's size, and further
/// where it is asked what is left of a row around: in a mechanism that is a tenth of a radian.
constexpr int directions = 5;
constexpr double near_by = 1e-3, around = 0.1;
/// What is at zero has no size: it is moved by that of the largest, and by no more of a unit.
constexpr double least_size = 1e-3;

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
  if (rank_ < rows_) rank_ = rank_in_own_units();
  if (rank_ == rows_) return;
  CoordinateProjection projection(system, Projection{}, 1e-10);
  VecX away;
  for (int k = 0; k < directions && rank_ < rows_; ++k) {
    if (!move(projection, t, z, {k, near_by, false}, away)) continue;
    pivots(t, away);
    rank_ = std::max(rank_, rank_of_pivots());
  }
}

/// To a state near z on the constraints, in a direction that they allow there. False where there is
/// none.
bool Dependence::move(CoordinateProjection& projection, double t, const VecX& z, const Move& how,
                      VecX& away) {
  const double largest = std::max(largest_size(z.head(columns_)), least_size);
  VecX direction(columns_);
  if (how.k == 0) {
    if (column_ == 0) return false;
    direction = z.tail(columns_);
  } else {
    for (int i = 0; i < columns_; ++i) {
      direction[i] = std::sin(1.0 + how.k * (2.3 * i + 0.7));
      if (!how.by_own_size) continue;
      direction[i] *= std::max(std::abs(z[i]), least_size * std::min(largest, 1.0));
    }
    if (!system_.invariants(t, z, h_, H_)) return false;
    const MatX G = H_.block(row_, column_, rows_, columns_);
    direction -= G.completeOrthogonalDecomposition().solve(G * direction).eval();
  }
  const double length = direction.norm();
  if (!(length > 1e-12) || !(length < INFINITY)) return false;
  const bool has_size = how.by_own_size && how.k > 0;
  direction *= how.part * (has_size ? 1 : largest / length);
  away = z;
  away.head(columns_) += direction;
  if (!projection.project(t, away, VecX::Ones(z.size()))) return false;
  // Where nothing is free it comes back.
  return (away - z).head(columns_).norm() > 0.1 * direction.norm();
}

double Dependence::part_of_around(double t, const VecX& z) {
  const double here = left_at(t, z);
  if (rank_ == 0) return 1;
  // G depends on positions alone, and velocities of poses that are far apart differ by much.
  CoordinateProjection projection(system_, Projection{.onto = Onto::position}, 1e-10);
  double most = 0;
  VecX away;
  for (const bool by_own_size : {true, false}) {
    for (const double part : {around, near_by}) {
      for (int k = by_own_size ? 1 : 0; k < directions; ++k) {
        if (!move(projection, t, z, {k, part, by_own_size}, away)) continue;
        const double there = left_at(t, away);
        if (there > most) most = there;
      }
    }
  }
  left_at(t, z);  // What part() is of.
  return most > 0 ? here / most : part_;
}

int Dependence::rank_of_pivots() const {
  int rank = 0;
  for (int i = 0; i < sizes_.size(); ++i) rank += sizes_[i] > least_part * sizes_[0] ? 1 : 0;
  return rank;
}

/// Of G with rows and columns scaled to length 1: those of a mechanism of 10 km mix entries as far
/// apart as rows are that nearly depend on each other.
int Dependence::rank_in_own_units() {
  if (!G_.allFinite() || G_.size() == 0) return 0;
  const double least = zero_row * G_.rowwise().norm().maxCoeff();
  const auto scale = [](auto&& line, double smallest) {
    const double length = line.norm();
    if (length > smallest) {
      line /= length;
    } else {
      line.setZero();
    }
  };
  for (int i = 0; i < rows_; ++i) scale(G_.row(i), least);
  for (int pass = 0; pass < 3; ++pass) {
    for (int j = 0; j < columns_; ++j) scale(G_.col(j), 0);
    for (int i = 0; i < rows_; ++i) scale(G_.row(i), 0);
  }
  columns_of_G_ = G_.transpose();
  factors_.compute(columns_of_G_);
  sizes_ = factors_.matrixQR().diagonal().cwiseAbs();
  return rank_of_pivots();
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
