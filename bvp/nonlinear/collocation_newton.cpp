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

double square(double x) { return x * x; }

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
      slopes_(n_, k_, intervals_) {
  stage_residuals_.setZero(n_, static_cast<Eigen::Index>(k_) * intervals_);
  node_residuals_.setZero(n_, intervals_);
  stage_x_.setZero(n_, static_cast<Eigen::Index>(k_) * intervals_);
  carried_.setZero(system.carried(), static_cast<Eigen::Index>(k_) * intervals_);
  X_ = slope_ = VecX::Zero(n_);
  before_ = here_ = VecX::Zero(system.carried());
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
  take_carried(values);
  NewtonResult result = damped(before, control, values);
  if (result.failure != NewtonResult::Failure::no_convergence) return result;
  // Changes that have to grow first are what damping forbids, and sequences of iterates need.
  take_carried(values);
  NewtonResult again = full(before, control, values);
  again.iterations += result.iterations;
  again.smallest_damping = result.smallest_damping;
  if (again.failure == NewtonResult::Failure::no_convergence) again.reason = result.reason;
  return again;
}

void CollocationNewton::take_carried(const CollocationValues& values) {
  // A guess may come from an equation that carries something else.
  if (values.carried.rows() == carried_.rows()) {
    carried_ = values.carried;
  } else {
    carried_.setZero();
  }
}

bool CollocationNewton::is_stopped(const NewtonControl& control, const NewtonResult& so_far) {
  if (!control.goes_on || control.goes_on(so_far.iterations)) return false;
  reason_ = fmt::format("stopped after {} iteration(s) of Newton's method", so_far.iterations);
  return true;
}

/// X = x + h sum_l a_jl K_l of interval i; and the end of the interval for j = k.
void CollocationNewton::at_stage(const CollocationValues& at, int i, int j, double* X) const {
  const double h = mesh_.step(i);
  const double* const x = at.x.data() + static_cast<std::ptrdiff_t>(i) * n_;
  const double* K = at.slopes.data() + static_cast<std::ptrdiff_t>(i) * k_ * n_;
  std::copy_n(x, n_, X);
  for (int l = 0; l < k_; ++l, K += n_) {
    const double weight = h * (j < k_ ? scheme_.a(j, l) : scheme_.b[l]);
    for (int r = 0; r < n_; ++r) X[r] += weight * K[r];
  }
}

/// Residuals at `at`, and what it leaves.
bool CollocationNewton::evaluate(const CollocationValues& at, const MatX& before) {
  drift_ = 0;
  for (int i = 0; i < intervals_; ++i) {
    for (int j = 0; j < k_; ++j) {
      const int stage = i * k_ + j;
      const double t = stage_time(i, j);
      at_stage(at, i, j, X_.data());
      stage_x_.col(stage) = X_;
      before_ = before.col(stage);
      here_ = carried_.col(stage);
      if (!system_.evaluate(X_, t, before_, slope_, here_)) {
        reason_ = system_.failure();
        return false;
      }
      if (!all_finite("x'", slope_, t, reason_)) return false;
      drift_ = larger(drift_, system_.drift());
      stage_residuals_.col(stage) = slope_ - at.slopes.col(stage);
      carried_.col(stage) = here_;
    }
    at_stage(at, i, k_, X_.data());
    node_residuals_.col(i) = X_ - at.x.col(i + 1);
  }
  conditions_.evaluate(at.x.col(0), at.x.col(intervals_), condition_residuals_);
  if (!condition_residuals_.allFinite()) {
    int first = 0;
    while (std::isfinite(condition_residuals_[first])) ++first;
    reason_ = fmt::format("boundary condition {} is not finite", first + 1);
    return false;
  }
  return true;
}

/// After evaluate() at the same values: eliminates the slopes and factorizes.
bool CollocationNewton::linearize(const CollocationValues& at, const MatX& before) {
  using Rows = Eigen::Map<Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>>;
  MatX J(n_, n_);
  for (int i = 0; i < intervals_; ++i) {
    const double h = mesh_.step(i);
    for (int j = 0; j < k_; ++j) {
      const int stage = i * k_ + j;
      X_ = stage_x_.col(stage);
      before_ = before.col(stage);
      here_ = carried_.col(stage);
      slope_ = stage_residuals_.col(stage) + at.slopes.col(stage);
      if (!system_.jacobian(X_, stage_time(i, j), before_, slope_, here_, weight_, J)) {
        reason_ = system_.failure();
        return false;
      }
      Rows(slopes_.jacobian(j), n_, n_) = J;
    }
    if (!slopes_.factorize(i, h, scheme_.a)) {
      reason_ = fmt::format("the stages between t = {:.10g} and {:.10g} cannot be eliminated",
                            mesh_.node(i), mesh_.node(i + 1));
      return false;
    }
    double* const S = matrix_.S(i);
    double* const R = matrix_.R(i);
    std::fill_n(S, n_ * n_, 0.0);
    std::fill_n(R, n_ * n_, 0.0);
    for (int l = 0; l < k_; ++l) {
      const double weight = h * scheme_.b[l];
      const double* const of_node = slopes_.of_node(i, l);
      for (int e = 0; e < n_ * n_; ++e) S[e] += weight * of_node[e];
    }
    for (int r = 0; r < n_; ++r) {
      S[r * n_ + r] += 1;
      R[r * n_ + r] = -1;
    }
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
  d.slopes.resize(n_, static_cast<Eigen::Index>(k_) * intervals_);
  Eigen::Map<VecX> all_slopes(d.slopes.data(), d.slopes.size());
  const Eigen::Map<const VecX> all_residuals(stage_residuals_.data(), stage_residuals_.size());
  const int kn = k_ * n_;
  for (int i = 0; i < intervals_; ++i) {
    auto own = all_slopes.segment(static_cast<Eigen::Index>(i) * kn, kn);
    slopes_.solve(i, all_residuals.data() + static_cast<std::ptrdiff_t>(i) * kn, own.data());
    auto right = right_.segment(static_cast<Eigen::Index>(i) * n_, n_);
    right = -node_residuals_.col(i);
    for (int l = 0; l < k_; ++l) right -= (mesh_.step(i) * scheme_.b[l]) * own.segment(l * n_, n_);
  }
  right_.tail(n_) = -condition_residuals_;
  if (!solver_.solve(right_, u_).accepted || !u_.allFinite()) {
    reason_ = "the linear system is singular, or nearly: no solver reaches an acceptable residual";
    return false;
  }
  d.x = Eigen::Map<const MatX>(u_.data(), n_, intervals_ + 1);
  for (int i = 0; i < intervals_; ++i) {
    slopes_.add_of_node(i, d.x.data() + static_cast<std::ptrdiff_t>(i) * n_,
                        all_slopes.data() + static_cast<std::ptrdiff_t>(i) * kn);
  }
  return true;
}

/// Root mean square of the changes of nodes, and of slopes times steps, in units of the weights.
double CollocationNewton::size(const CollocationValues& d) const {
  const VecX inverse = weight_.cwiseInverse();
  double sum = 0;
  for (int i = 0; i <= intervals_; ++i) {
    for (int r = 0; r < n_; ++r) sum += square(d.x(r, i) * inverse[r]);
  }
  for (int i = 0; i < intervals_; ++i) {
    double of_interval = 0;
    for (int stage = i * k_; stage < (i + 1) * k_; ++stage) {
      for (int r = 0; r < n_; ++r) of_interval += square(d.slopes(r, stage) * inverse[r]);
    }
    sum += of_interval * square(mesh_.step(i));
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
    if (is_stopped(control, result)) return failed(Failure::stopped, result);
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
    if (is_stopped(control, result)) return failed(Failure::stopped, result);
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
