#include "bvp/linear/linear_values.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

/// t of stage j of interval i; exactly the node where the stage lies on one.
double stage_time(const LinearData& of, int i, int j) {
  const double c = of.scheme.c[j];
  return c == 1 ? of.mesh.node(i + 1) : of.mesh.node(i) + c * of.mesh.step(i);
}

}  // namespace

/// With x at the left node and B y at the stages known, the stage derivatives follow from
/// F_j - A_j h sum_l a_jl F_l = A_j x + q_j - (B y)_j.
VecX LinearValues::stage_slopes(int i) const {
  const int n = static_cast<int>(data_.x.rows()), k = data_.scheme.stages;
  const double h = data_.mesh.step(i);
  std::vector<double> times(static_cast<std::size_t>(k));
  for (int j = 0; j < k; ++j) times[static_cast<std::size_t>(j)] = stage_time(data_, i, j);
  CoefficientBatch batch(n, data_.problem->ny(), false);
  data_.problem->evaluate(times.data(), k, batch);
  MatX matrix = MatX::Identity(k * n, k * n);
  VecX right(k * n);
  const VecX left = data_.x.col(i);
  for (int j = 0; j < k; ++j) {
    for (int l = 0; l < k; ++l) {
      matrix.block(j * n, l * n, n, n) -= h * data_.scheme.a(j, l) * batch.A(j);
    }
    right.segment(j * n, n) = batch.A(j) * left + batch.q(j) - data_.stage_By.col(i * k + j);
  }
  return matrix.partialPivLu().solve(right);
}

VecX LinearValues::x(int i, double t) const {
  if (t == data_.mesh.node(i)) return data_.x.col(i);
  if (t == data_.mesh.node(i + 1)) return data_.x.col(i + 1);
  const VecX F = stage_slopes(i);
  const int n = static_cast<int>(data_.x.rows()), k = data_.scheme.stages;
  const double h = data_.mesh.step(i);
  const VecX weights = data_.scheme.integrated_weights((t - data_.mesh.node(i)) / h);
  VecX value = data_.x.col(i);
  for (int j = 0; j < k; ++j) value += h * weights[j] * F.segment(j * n, n);
  return value;
}

VecX LinearValues::slope(int i, double t) const {
  const VecX F = stage_slopes(i);
  const int n = static_cast<int>(data_.x.rows()), k = data_.scheme.stages;
  const VecX weights =
      data_.scheme.interpolation_weights((t - data_.mesh.node(i)) / data_.mesh.step(i));
  return Eigen::Map<const MatX>(F.data(), n, k) * weights;
}

VecX LinearValues::By(int i, double t) const {
  const int k = data_.scheme.stages;
  if (k == 1 && data_.mesh.intervals() > 1) {
    const bool before_stage = t < stage_time(data_, i, 0);
    const int left = std::clamp(before_stage ? i - 1 : i, 0, data_.mesh.intervals() - 2);
    const double from = stage_time(data_, left, 0), to = stage_time(data_, left + 1, 0);
    const double theta = (t - from) / (to - from);
    return (1 - theta) * VecX(data_.stage_By.col(left)) +
           theta * VecX(data_.stage_By.col(left + 1));
  }
  const VecX weights =
      data_.scheme.interpolation_weights((t - data_.mesh.node(i)) / data_.mesh.step(i));
  return data_.stage_By.middleCols(i * k, k) * weights;
}

std::optional<VecX> LinearValues::y(int i, double t) const {
  const LinearDae& problem = *data_.problem;
  CoefficientBatch batch(problem.nx(), problem.ny(), false);
  problem.evaluate(&t, 1, batch);
  const ConstraintReference& reference = data_.reference;
  const VecX inverse = reference.units.B.cwiseInverse();
  const Eigen::ColPivHouseholderQR<MatX> qr(batch.B(0) * inverse.asDiagonal());
  const double smallest = qr.matrixQR().diagonal().cwiseAbs().minCoeff();
  if (!(smallest > 1e-8 * reference.pivots.B)) return std::nullopt;
  const VecX scaled = qr.solve(VecX(By(i, t)));
  return VecX(inverse.cwiseProduct(scaled));
}

VecX LinearValues::constraint_residual(int i, double t) const {
  const LinearDae& problem = *data_.problem;
  MatX C(problem.ny(), problem.nx());
  VecX r(problem.ny());
  problem.evaluate_constraint(t, C, r);
  return C * x(i, t) + r;
}

Table LinearValues::table(const std::vector<double>& times) const {
  const int n = static_cast<int>(data_.x.rows()), m = data_.problem->ny();
  const std::size_t rows = times.size();
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(2 + 2 * n + m),
                                           std::vector<double>(rows));
  for (std::size_t row = 0; row < rows; ++row) {
    const double t = times[row];
    const int i = data_.mesh.locate(t);
    const VecX value = x(i, t), force = By(i, t);
    const std::optional<VecX> multiplier = y(i, t);
    columns[0][row] = t;
    for (int c = 0; c < n; ++c) columns[1 + c][row] = value[c];
    for (int c = 0; c < n; ++c) columns[1 + n + c][row] = force[c];
    for (int c = 0; c < m; ++c) {
      columns[1 + 2 * n + c][row] =
          multiplier ? (*multiplier)[c] : std::numeric_limits<double>::quiet_NaN();
    }
    columns[1 + 2 * n + m][row] = largest_size(constraint_residual(i, t));
  }
  Table table;
  const auto add = [&table](std::string name, std::vector<double>& values) {
    table.add(std::move(name), std::move(values));
  };
  add("t", columns[0]);
  for (int c = 0; c < n; ++c) add(fmt::format("x{}", c + 1), columns[1 + c]);
  for (int c = 0; c < n; ++c) add(fmt::format("By{}", c + 1), columns[1 + n + c]);
  for (int c = 0; c < m; ++c) add(fmt::format("y{}", c + 1), columns[1 + 2 * n + c]);
  add("drift", columns[1 + 2 * n + m]);
  return table;
}

const LinearData& linear_data(const Solution& solution) {
  const auto* const values = dynamic_cast<const LinearValues*>(&solution.values());
  if (values == nullptr) {
    throw InvalidOption("the solution of a linear problem is needed, and this one is of another");
  }
  return values->data();
}

}  // namespace daewave::bvp
