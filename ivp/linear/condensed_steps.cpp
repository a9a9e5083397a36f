#include "ivp/linear/condensed_steps.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"

namespace daewave::ivp {
namespace {

using RowMajor = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>;

}  // namespace

CondensedSteps::CondensedSteps(const LinearDae& problem, const Collocation& scheme,
                               const Regularization& regularization,
                               const ConstraintReference& reference)
    : problem_(problem),
      regularization_(regularization),
      layout_(problem.nx(), problem.ny(), scheme),
      scheme_(scheme),
      coefficients_(problem.nx(), problem.ny(), regularization.alpha1 != 0),
      regularized_(problem.nx(), problem.ny()),
      regularizer_(problem, regularization, reference),
      elimination_(layout_, scheme, regularization.epsilon),
      maps_(layout_, most),
      S_(static_cast<std::size_t>(most) * layout_.node * layout_.node),
      R_(static_cast<std::size_t>(layout_.node) * layout_.node),
      C_(most, MatX(problem.ny(), problem.nx())),
      r_(most, VecX(problem.ny())),
      right_(layout_.node) {
  t_.reserve(static_cast<std::size_t>(most) * layout_.stages);
  if (layout_.shared) R_factors_.resize(most, Eigen::PartialPivLU<MatX>(layout_.node));
}

void CondensedSteps::load(const TimeSteps& steps, int first, int count) {
  t_.clear();
  for (int i = first; i < first + count; ++i) {
    for (int j = 0; j < layout_.stages; ++j) {
      // Exactly the node where the stage lies on one: nothing is asked for outside the interval.
      const double c = scheme_.c[j];
      t_.push_back(c == 1 ? steps.node(i + 1) : steps.node(i) + c * steps.length(i));
    }
  }
  problem_.evaluate(t_.data(), static_cast<int>(t_.size()), coefficients_);
  regularized_.resize(static_cast<int>(t_.size()));
  singular_points_.clear();
  usable_ = 0;
  while (usable_ < count && condense(steps, first, usable_)) ++usable_;
}

bool CondensedSteps::condense(const TimeSteps& steps, int first, int i) {
  const int u = layout_.node;
  for (int j = 0; j < layout_.stages; ++j) {
    const int stage = i * layout_.stages + j;
    StagePassage passage = regularizer_.regularize(coefficients_, stage, t_[stage], regularized_);
    if (!passage.failure.empty()) {
      failure_ = fmt::format("step {}, {}", first + i, passage.failure);
      termination_ = Termination::singular_constraint;
      return false;
    }
    if (passage.point) singular_points_.push_back(std::move(*passage.point));
  }
  double* const S = S_.data() + static_cast<std::size_t>(i) * u * u;
  const double pivot = elimination_.condense(coefficients_, regularized_, i * layout_.stages,
                                             steps.length(first + i), S, R_.data(), maps_, i);
  if (pivot == 0) {
    failure_ = fmt::format(
        "step {} (t = {:.10g}): the stage equations are singular; use another number of steps or "
        "stages",
        first + i, steps.node(first + i));
    termination_ = Termination::singular_matrix;
    return false;
  }
  if (layout_.shared) R_factors_[i].compute(Eigen::Map<const RowMajor>(R_.data(), u, u));
  problem_.evaluate_constraint(steps.node(first + i + 1), C_[i], r_[i]);
  return true;
}

double CondensedSteps::drift(int i, const double* x) const {
  double largest = 0;
  for (int row = 0; row < layout_.ny; ++row) {
    double sum = r_[i][row];
    for (int c = 0; c < layout_.nx; ++c) sum += C_[i](row, c) * x[c];
    largest = larger(largest, std::abs(sum));
  }
  return largest;
}

void CondensedSteps::project(int i, const Waveform& By, double* zeta) const {
  for (int j = 0; j < layout_.stages; ++j) {
    const VecX value = By(stage_time(i, j), layout_.nx);
    const auto V = basis(i, j);
    Eigen::Map<VecX> target(zeta + j * layout_.ny, layout_.ny);
    if (regularization_.weight == Weight::inverse) {
      target.noalias() = V.transpose() * value;  // V is orthonormal.
    } else {
      target = V.colPivHouseholderQr().solve(value);
    }
  }
}

void CondensedSteps::advance(int i, const double* left, bool zero_old, double* zeta,
                             double* right) {
  const int u = layout_.node;
  maps_.right_side(i, zero_old ? nullptr : zeta, right_.data());
  const double* const S = S_.data() + static_cast<std::size_t>(i) * u * u;
  for (int row = 0; row < u; ++row) {
    double sum = right_[row];
    for (int c = 0; c < u; ++c) sum -= S[row * u + c] * left[c];
    right_[row] = sum;
  }
  if (layout_.shared) {
    Eigen::Map<VecX>(right, u) = R_factors_[i].solve(right_);
  } else {
    Eigen::Map<VecX>(right, u) = -right_;
  }
  maps_.update_multipliers(i, left, right, zero_old, zeta);
}

void CondensedSteps::start(const double* zeta_old, double* node) const {
  const Eigen::Map<const VecX> old(zeta_old, layout_.ny);
  const Eigen::Map<const VecX> x(node, layout_.nx);
  const VecX right = regularized_.K(0) * x + regularized_.w(0) +
                     regularization_.epsilon * (regularized_.Lo(0) * old);
  Eigen::Map<VecX>(node + layout_.nx, layout_.ny) =
      MatX(regularized_.L(0)).partialPivLu().solve(right);
}

double CondensedSteps::bytes() const {
  const int u = layout_.node, n = layout_.nx, m = layout_.ny;
  const double per_stage = coefficients_.stride() + 2 * n * m + 2 * m * m + m + 1;
  const double per_step = u * u * (layout_.shared ? 2 : 1) + m * (n + 1);
  return maps_.bytes() + 8.0 * most * (layout_.stages * per_stage + per_step);
}

}  // namespace daewave::ivp
