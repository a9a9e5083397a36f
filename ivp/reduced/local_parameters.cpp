#include "ivp/reduced/local_parameters.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/not_finite.hpp"

namespace daewave::ivp {
namespace {

constexpr int most_iterations = 30;

}  // namespace

LocalParameters::LocalParameters(DaeSystem& system, const LocalStateSpace& how,
                                 double rank_tolerance)
    : system_(system), how_(how), rank_tolerance_(rank_tolerance) {
  const int nz = system.nz(), nh = system.nh();
  const int ng = system.position_invariants(), nq = system.positions();
  H_.setZero(nh, nz);
  h_.setZero(nh);
  from_.setZero(nz);
  const int row[] = {0, ng}, rows[] = {ng, nh - ng};
  const int column[] = {0, nq}, columns[] = {nq, nz - nq};
  for (int i = 0; i < 2; ++i) {
    Level& level = levels_[i];
    level.row = row[i];
    level.rows = columns[i] > 0 ? rows[i] : 0;
    level.column = column[i];
    level.columns = columns[i];
    level.D.setZero(level.columns, level.rows);
    level.GD.setZero(level.rows, level.rows);
    level.lu.resize(level.rows);
    level.c.setZero(level.rows);
    level.d.setZero(level.columns);
    level.goal.setZero(level.rows);
  }
}

bool LocalParameters::choose(double t, const VecX& z) {
  if (!linearize(t, z)) return false;
  ++choices_;
  spread_ = 0;
  for (Level& level : levels_) {
    if (!choose_directions(level)) return fails(Failure::dependent, t);
    level.spread = factorize(level, z);
    if (!std::isfinite(level.spread)) return fails(Failure::dependent, t);
    spread_ = std::max(spread_, level.spread);
  }
  return true;
}

/// Dependent coordinates are the pivots of an elimination with complete pivoting. False where one
/// vanishes.
bool LocalParameters::choose_directions(Level& level) {
  const auto G = H_.block(level.row, level.column, level.rows, level.columns);
  level.D.setZero();
  elimination_ = G;
  const double least = rank_tolerance_ * (level.rows > 0 ? G.cwiseAbs().maxCoeff() : 0.0);
  for (int k = 0; k < level.rows; ++k) {
    int row = 0, column = 0;
    elimination_.bottomRows(level.rows - k).cwiseAbs().maxCoeff(&row, &column);
    row += k;
    const double pivot = elimination_(row, column);
    if (!(std::abs(pivot) > least)) return false;
    elimination_.row(k).swap(elimination_.row(row));
    for (int i = k + 1; i < level.rows; ++i) {
      const double factor = elimination_(i, column) / pivot;
      elimination_.row(i) -= factor * elimination_.row(k);
      elimination_(i, column) = 0;
    }
    level.D(column, k) = 1;
  }
  if (how_.parameters == LocalStateSpace::Parameters::tangent) level.D = G.transpose();
  return true;
}

double LocalParameters::factorize(Level& level, const VecX& z) {
  if (level.rows == 0) return 0;
  const auto G = H_.block(level.row, level.column, level.rows, level.columns);
  level.GD.noalias() = G * level.D;
  if (!level.lu.factorize(level.GD)) return NAN;
  double most = 0;
  for (int j = 0; j < level.columns; ++j) {
    level.c = G.col(j);
    level.lu.solve(level.c);
    level.d.noalias() = level.D * level.c;
    most = larger(most, largest_size(level.d));
  }
  for (int i = 0; i < level.rows; ++i) {
    const double size = H_.row(level.row + i).cwiseAbs().dot(z.cwiseAbs());
    level.goal[i] = 4 * std::numeric_limits<double>::epsilon() * size;
  }
  return most;
}

bool LocalParameters::complete(double t, VecX& z) {
  failure_ = Failure::none;
  from_ = z;
  double before = INFINITY;
  bool renewed = false;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    ++evaluations_;
    if (!system_.invariants(t, z, h_)) break;
    const double size = h_.size() > 0 ? h_.cwiseAbs().maxCoeff() : 0.0;
    if (!std::isfinite(size)) break;
    if (at_rounding(1, 0)) return true;
    const bool slow = size > 0.5 * before;
    if (slow && at_rounding(1e3, 1e-12)) return true;
    if (slow && !renewed && iteration > 1) {
      renewed = true;  // R may be that of another place: of the end of another run.
      if (!renew(t, z)) return z = from_, false;
    }
    before = size;
    for (Level& level : levels_) move(level, h_, z);
  }
  z = from_;
  return fails(Failure::no_convergence, t);
}

void LocalParameters::move(Level& level, const VecX& h, VecX& z) {
  if (level.rows == 0) return;
  level.c = h.segment(level.row, level.rows);
  level.lu.solve(level.c);
  z.segment(level.column, level.columns).noalias() -= level.D * level.c;
}

bool LocalParameters::renew(double t, const VecX& z) {
  if (!linearize(t, z)) return false;
  spread_ = 0;
  for (Level& level : levels_) {
    const double spread = factorize(level, z);
    if (!(spread <= std::max(how_.bound, 1.5 * level.spread))) return choose(t, z);
    spread_ = std::max(spread_, spread);
  }
  return true;
}

bool LocalParameters::at_rounding(double factor, double floor) const {
  for (const Level& level : levels_) {
    for (int i = 0; i < level.rows; ++i) {
      if (!(std::abs(h_[level.row + i]) <= std::max(floor, factor * level.goal[i]))) return false;
    }
  }
  return true;
}

bool LocalParameters::linearize(double t, const VecX& z) {
  ++evaluations_;
  return system_.invariants(t, z, h_, H_) || fails(Failure::evaluation, t);
}

bool LocalParameters::fails(Failure failure, double t) {
  failure_ = failure;
  failed_at_ = t;
  return false;
}

std::string LocalParameters::failure() const {
  switch (failure_) {
    case Failure::none:
      return "";
    case Failure::evaluation:
      return system_.failure();
    case Failure::dependent:
      return fmt::format("the constraints are dependent at t = {:.9g}: no parameters determine q",
                         failed_at_);
    case Failure::no_convergence:
      return fmt::format(
          "the constraints at t = {:.9g} have no solution near the state predicted, the parameters "
          "given",
          failed_at_);
  }
  return "";
}

}  // namespace daewave::ivp
