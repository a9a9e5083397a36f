#include "bvp/nonlinear/collocation_newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

/// Changes that shrink no more are rounding where they are below this, in units of the weights.
constexpr double rounding_level = 1e-9;

}  // namespace

CollocationNewton::CollocationNewton(IterateSystem& system, TwoPointConditions& conditions,
                                     const Mesh& mesh, const Collocation& scheme,
                                     const std::string& solver)
    : system_(system),
      conditions_(conditions),
      mesh_(mesh),
      scheme_(scheme),
      n_(system.nx()),
      k_(scheme.stages),
      intervals_(mesh.intervals()),
      solver_(solver),
      matrix_(n_, intervals_),
      factors_(static_cast<std::size_t>(intervals_)),
      slopes_of_node_(static_cast<std::size_t>(intervals_)) {
  stage_residuals_.setZero(n_, static_cast<Eigen::Index>(k_) * intervals_);
  node_residuals_.setZero(n_, intervals_);
  carried_.setZero(system.carried(), static_cast<Eigen::Index>(k_) * intervals_);
  condition_residuals_.setZero(n_);
  weight_.setOnes(n_);
  largest_.setZero(n_);
}

double CollocationNewton::stage_time(int i, int j) const {
  const double c = scheme_.c[j];
  return c == 1 ? mesh_.node(i + 1) : mesh_.node(i) + c * mesh_.step(i);
}

CollocationValues CollocationNewton::guess(const std::function<VecX(double)>& x) const {
  CollocationValues values;
  values.x.resize(n_, intervals_ + 1);
  for (int i = 0; i <= intervals_; ++i) values.x.col(i) = x(mesh_.node(i));
  values.slopes.resize(n_, static_cast<Eigen::Index>(k_) * intervals_);
  for (int i = 0; i < intervals_; ++i) {
    // The straight line: slopes of a guess need not be better than its nodes.
    const VecX slope = (values.x.col(i + 1) - values.x.col(i)) / mesh_.step(i);
    for (int j = 0; j < k_; ++j) values.slopes.col(i * k_ + j) = slope;
  }
  values.carried.setZero(system_.carried(), static_cast<Eigen::Index>(k_) * intervals_);
  return values;
}

void CollocationNewton::guess_carried(const std::function<VecX(double)>& w,
                                      CollocationValues& values) const {
  for (int i = 0; i < intervals_; ++i) {
    for (int j = 0; j < k_; ++j) values.carried.col(i * k_ + j) = w(stage_time(i, j));
  }
}

NewtonResult CollocationNewton::solve(const MatX& before, const NewtonControl& control,
                                      CollocationValues& values) {
  largest_.setZero();
  weigh(values);
  // A guess may come from an equation that carries something else.
  if (values.carried.rows() == carried_.rows()) {
    carried_ = values.carried;
  } else {
    carried_.setZero();
  }
  NewtonResult result = damped(before, control, values);
  if (result.failure != NewtonResult::Failure::no_convergence) return result;
  // Changes that have to grow first are what damping forbids, and sequences of iterates need.
  NewtonResult again = full(before, control, values);
  again.iterations += result.iterations;
  again.smallest_damping = result.smallest_damping;
  if (!again.converged()) again.reason = result.reason;
  return again;
}

/// Residuals at `at`, and what it leaves.
bool CollocationNewton::evaluate(const CollocationValues& at, const MatX& before) {
  VecX X(n_), slope(n_), left(system_.carried()), carried(system_.carried());
  drift_ = 0;
  for (int i = 0; i < intervals_; ++i) {
    const double h = mesh_.step(i);
    const auto K = at.slopes.middleCols(i * k_, k_);
    for (int j = 0; j < k_; ++j) {
      X.noalias() = at.x.col(i) + h * (K * scheme_.a.row(j).transpose());
      left = before.col(i * k_ + j);
      carried = carried_.col(i * k_ + j);
      if (!system_.evaluate(X, stage_time(i, j), left, slope, carried)) {
        reason_ = system_.failure();
        return false;
      }
      if (!all_finite("x'", slope, stage_time(i, j), reason_)) return false;
      drift_ = std::max(drift_, system_.drift());
      stage_residuals_.col(i * k_ + j) = slope - K.col(j);
      carried_.col(i * k_ + j) = carried;
    }
    node_residuals_.col(i) = at.x.col(i) + h * (K * scheme_.b) - at.x.col(i + 1);
  }
  conditions_.evaluate(at.x.col(0), at.x.col(intervals_), condition_residuals_);
  if (!condition_residuals_.allFinite()) {
    reason_ = "a boundary condition is not finite";
    return false;
  }
  return true;
}

/// After evaluate() at the same values: eliminates the slopes and factorizes.
bool CollocationNewton::linearize(const CollocationValues& at, const MatX& before) {
  MatX J(n_, n_), all(k_ * n_, k_ * n_), of_node(k_ * n_, n_);
  VecX X(n_), slope(n_), left(system_.carried()), carried(system_.carried());
  using Rows = Eigen::Map<Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>>;
  for (int i = 0; i < intervals_; ++i) {
    const double h = mesh_.step(i);
    const auto K = at.slopes.middleCols(i * k_, k_);
    for (int j = 0; j < k_; ++j) {
      X.noalias() = at.x.col(i) + h * (K * scheme_.a.row(j).transpose());
      left = before.col(i * k_ + j);
      slope = stage_residuals_.col(i * k_ + j) + K.col(j);
      carried = carried_.col(i * k_ + j);
      if (!system_.jacobian(X, stage_time(i, j), left, slope, carried, weight_, J)) {
        reason_ = system_.failure();
        return false;
      }
      for (int l = 0; l < k_; ++l) {
        all.block(j * n_, l * n_, n_, n_) = (-h * scheme_.a(j, l)) * J;
      }
      all.block(j * n_, j * n_, n_, n_).diagonal().array() += 1;
      of_node.middleRows(j * n_, n_) = J;
    }
    auto& factor = factors_[static_cast<std::size_t>(i)];
    factor.compute(all);
    MatX& M = slopes_of_node_[static_cast<std::size_t>(i)];
    M = factor.solve(of_node);
    if (!M.allFinite()) {
      reason_ = fmt::format("the stages between t = {:.10g} and {:.10g} cannot be eliminated",
                            mesh_.node(i), mesh_.node(i + 1));
      return false;
    }
    Rows S(matrix_.S(i), n_, n_), R(matrix_.R(i), n_, n_);
    S.setIdentity();
    for (int l = 0; l < k_; ++l) S += (h * scheme_.b[l]) * M.middleRows(l * n_, n_);
    R = -MatX::Identity(n_, n_);
  }
  matrix_.B0.resize(n_, n_);
  matrix_.B1.resize(n_, n_);
  conditions_.jacobians(at.x.col(0), at.x.col(intervals_), weight_, matrix_.B0, matrix_.B1);
  if (!solver_.factorize(matrix_)) {
    reason_ = solver_.failure();
    return false;
  }
  return true;
}

bool CollocationNewton::change(CollocationValues& d) {
  right_.resize(static_cast<Eigen::Index>(n_) * (intervals_ + 1));
  MatX from_residuals(n_, static_cast<Eigen::Index>(k_) * intervals_);
  VecX stacked(k_ * n_);
  for (int i = 0; i < intervals_; ++i) {
    for (int j = 0; j < k_; ++j) {
      stacked.segment(j * n_, n_) = stage_residuals_.col(i * k_ + j);
    }
    const VecX m = factors_[static_cast<std::size_t>(i)].solve(stacked);
    VecX sum = node_residuals_.col(i);
    for (int l = 0; l < k_; ++l) {
      from_residuals.col(i * k_ + l) = m.segment(l * n_, n_);
      sum += (mesh_.step(i) * scheme_.b[l]) * m.segment(l * n_, n_);
    }
    right_.segment(static_cast<Eigen::Index>(i) * n_, n_) = -sum;
  }
  right_.tail(n_) = -condition_residuals_;
  if (!solver_.solve(right_, u_).accepted || !u_.allFinite()) {
    reason_ = "the linear system is singular, or nearly: no solver reaches an acceptable residual";
    return false;
  }
  d.x = Eigen::Map<const MatX>(u_.data(), n_, intervals_ + 1);
  d.slopes.resize(n_, static_cast<Eigen::Index>(k_) * intervals_);
  for (int i = 0; i < intervals_; ++i) {
    const VecX all = slopes_of_node_[static_cast<std::size_t>(i)] * d.x.col(i);
    for (int l = 0; l < k_; ++l) {
      d.slopes.col(i * k_ + l) = from_residuals.col(i * k_ + l) + all.segment(l * n_, n_);
    }
  }
  return true;
}

/// Root mean square of the changes of nodes and stages, in units of the weights.
double CollocationNewton::size(const CollocationValues& d) const {
  double sum = d.x.cwiseQuotient(weight_.replicate(1, intervals_ + 1)).squaredNorm();
  for (int i = 0; i < intervals_; ++i) {
    const auto K = d.slopes.middleCols(i * k_, k_);
    for (int j = 0; j < k_; ++j) {
      sum += (d.x.col(i) + mesh_.step(i) * (K * scheme_.a.row(j).transpose()))
                 .cwiseQuotient(weight_)
                 .squaredNorm();
    }
  }
  return std::sqrt(sum / (n_ * (static_cast<double>(k_ + 1) * intervals_ + 1)));
}

/// Components are resolved relative to their largest value so far, or to this part of the largest
/// of all.
void CollocationNewton::weigh(const CollocationValues& at) {
  constexpr double floor = 1e-3;
  largest_ = largest_.cwiseMax(at.x.cwiseAbs().rowwise().maxCoeff());
  const double most = largest_.size() > 0 ? largest_.maxCoeff() : 0;
  weight_ = largest_.cwiseMax(most > 0 ? floor * most : 1.0);
}

void CollocationNewton::add(const CollocationValues& x, const CollocationValues& d, double part,
                            CollocationValues& sum) const {
  sum.x = x.x + part * d.x;
  sum.slopes = x.slopes + part * d.slopes;
}

NewtonResult CollocationNewton::failed(NewtonResult::Failure failure, NewtonResult result) const {
  result.failure = failure;
  result.reason = reason_;
  return result;
}

NewtonResult CollocationNewton::done(CollocationValues next, const MatX& before,
                                     NewtonResult result, CollocationValues& values) {
  if (!evaluate(next, before)) return failed(NewtonResult::Failure::evaluation, result);
  next.carried = carried_;
  values = std::move(next);
  return result;
}

/// Damping by the natural level function: a step is taken where the change that the same matrix
/// would make next is smaller.                                              [Deuflhard] chapter 3
NewtonResult CollocationNewton::damped(const MatX& before, const NewtonControl& control,
                                       CollocationValues& values) {
  using Failure = NewtonResult::Failure;
  NewtonResult result;
  CollocationValues at = values, d, next, d_next, last_simplified;
  double damping = 1, last_size = 0, last_damping = 1;
  if (!evaluate(at, before)) return failed(Failure::evaluation, result);
  for (; result.iterations < control.most_iterations; ++result.iterations) {
    if (!linearize(at, before) || !change(d)) return failed(Failure::singular, result);
    const double size_d = size(d);
    result.change = size_d;
    if (size_d <= control.tolerance) {
      add(at, d, 1, next);
      ++result.iterations;
      return done(std::move(next), before, result, values);
    }
    if (result.iterations > 0) {
      // What the matrix at hand makes of the change that the one before foresaw.
      CollocationValues gap;
      add(last_simplified, d, -1, gap);
      const double curvature = size(gap) * size_d;
      const double foreseen =
          curvature > 0 ? last_size * size(last_simplified) / curvature * last_damping : 1.0;
      damping = std::min(1.0, std::max(foreseen, control.least_damping));
    }
    while (true) {
      result.smallest_damping = std::min(result.smallest_damping, damping);
      add(at, d, damping, next);
      const bool evaluated = evaluate(next, before);
      double contraction = INFINITY, better = 0.5 * damping;
      if (evaluated) {
        if (!change(d_next)) return failed(Failure::singular, result);
        CollocationValues gap;
        add(d_next, d, -(1 - damping), gap);
        const double size_next = size(d_next), size_gap = size(gap);
        contraction = size_next / size_d;
        if (size_gap > 0) better = 0.5 * size_d * damping * damping / size_gap;
        if (damping == 1 && size_next <= control.tolerance) {
          CollocationValues last;
          add(next, d_next, 1, last);
          ++result.iterations;
          result.change = size_next;
          return done(std::move(last), before, result, values);
        }
      }
      if (contraction < 1) break;
      if (damping == 1 && size_d <= rounding_level) {
        ++result.iterations;
        return done(std::move(at), before, result, values);
      }
      if (damping <= control.least_damping) {
        reason_ = evaluated ? fmt::format(
                                  "Newton's method does not come nearer with {:.0e} of its "
                                  "step after {} iterations; its step is {:.2g}",
                                  damping, result.iterations, size_d)
                            : reason_;
        return failed(Failure::no_convergence, result);
      }
      damping = std::max(std::min(better, 0.5 * damping), control.least_damping);
    }
    last_simplified = d_next;
    last_size = size_d;
    last_damping = damping;
    at.x = next.x;
    at.slopes = next.slopes;
    weigh(at);
  }
  reason_ =
      fmt::format("Newton's method has not converged in {} iterations; its last step is {:.2g}",
                  result.iterations, result.change);
  return failed(Failure::no_convergence, result);
}

NewtonResult CollocationNewton::full(const MatX& before, const NewtonControl& control,
                                     CollocationValues& values) {
  using Failure = NewtonResult::Failure;
  NewtonResult result;
  CollocationValues at = values, d;
  double first = 0;
  for (; result.iterations < control.most_full_steps; ++result.iterations) {
    if (!evaluate(at, before)) return failed(Failure::no_convergence, result);
    if (!linearize(at, before) || !change(d)) return failed(Failure::no_convergence, result);
    result.change = size(d);
    if (result.iterations == 0) first = std::max(result.change, 1.0);
    if (!(result.change <= 1e3 * first)) break;
    add(at, d, 1, at);
    if (result.change <= control.tolerance) {
      ++result.iterations;
      return done(std::move(at), before, result, values);
    }
  }
  return failed(Failure::no_convergence, result);
}

}  // namespace daewave::bvp
