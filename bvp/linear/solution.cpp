#include "bvp/linear/solution.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {

const SolutionData& Solution::data() const {
  if (!data_) throw Error("solution has no values: " + report.brief());
  return *data_;
}

VecX Solution::x(double t) const {
  const int i = mesh().locate(t);
  if (t == mesh().node(i)) return x_at_node(i);
  if (t == mesh().node(i + 1)) return x_at_node(i + 1);
  return local_x(i, t);
}

VecX Solution::local_x(int interval, double t) const {
  // With x at the left node and B y at the stages known, the stage derivatives follow from
  // F_j - A_j h sum_l a_jl F_l = A_j x + q_j - (B y)_j.
  const int n = nx(), k = scheme().stages;
  const double h = mesh().step(interval);
  std::vector<double> times(k);
  for (int j = 0; j < k; ++j) times[j] = stage_time(interval, j);
  CoefficientBatch batch(n, data().problem->ny(), false);
  data().problem->evaluate(times.data(), k, batch);
  MatX matrix = MatX::Identity(k * n, k * n);
  VecX right(k * n);
  const VecX left = x_at_node(interval);
  for (int j = 0; j < k; ++j) {
    for (int l = 0; l < k; ++l) {
      matrix.block(j * n, l * n, n, n) -= h * scheme().a(j, l) * batch.A(j);
    }
    right.segment(j * n, n) = batch.A(j) * left + batch.q(j) - By_at_stage(interval, j);
  }
  const VecX F = matrix.partialPivLu().solve(right);
  const VecX weights = scheme().integrated_weights((t - mesh().node(interval)) / h);
  VecX value = left;
  for (int j = 0; j < k; ++j) value += h * weights[j] * F.segment(j * n, n);
  return value;
}

VecX Solution::By(double t) const {
  const int i = mesh().locate(t), k = scheme().stages;
  if (k == 1 && mesh().intervals() > 1) {
    const bool before_stage = t < stage_time(i, 0);
    const int left = std::clamp(before_stage ? i - 1 : i, 0, mesh().intervals() - 2);
    const double from = stage_time(left, 0), to = stage_time(left + 1, 0);
    const double theta = (t - from) / (to - from);
    return (1 - theta) * By_at_stage(left, 0) + theta * By_at_stage(left + 1, 0);
  }
  const VecX weights = scheme().interpolation_weights((t - mesh().node(i)) / mesh().step(i));
  return data().stage_By.middleCols(i * k, k) * weights;
}

std::optional<VecX> Solution::y(double t) const {
  const LinearDae& problem = *data().problem;
  CoefficientBatch batch(problem.nx(), problem.ny(), false);
  problem.evaluate(&t, 1, batch);
  const Eigen::ColPivHouseholderQR<MatX> qr(batch.B(0));
  const double smallest = qr.matrixQR().diagonal().cwiseAbs().minCoeff();
  if (!(smallest > 1e-8 * data().B_reference)) return std::nullopt;
  return VecX(qr.solve(By(t)));
}

VecX Solution::constraint_residual(double t) const {
  const LinearDae& problem = *data().problem;
  MatX C(problem.ny(), problem.nx());
  VecX r(problem.ny());
  problem.evaluate_constraint(t, C, r);
  return C * x(t) + r;
}

Waveform Solution::waveform() const {
  return Waveform::at_stages(mesh(), scheme().c, data().stage_By);
}

Table Solution::table(int points) const {
  if (points < 0 || points == 1) {
    throw InvalidOption(fmt::format("points = {}: must be 0 (nodes) or >= 2", points));
  }
  const int rows = points == 0 ? mesh().intervals() + 1 : points;
  const int n = nx(), m = data().problem->ny();
  std::vector<std::vector<double>> columns(2 + 2 * n + m, std::vector<double>(rows));
  for (int i = 0; i < rows; ++i) {
    const double t = points == 0 ? mesh().node(i)
                     : i == points - 1
                         ? mesh().end()
                         : mesh().begin() + (mesh().end() - mesh().begin()) * i / (points - 1);
    const VecX value = x(t), force = By(t);
    const std::optional<VecX> multiplier = y(t);
    columns[0][i] = t;
    for (int c = 0; c < n; ++c) columns[1 + c][i] = value[c];
    for (int c = 0; c < n; ++c) columns[1 + n + c][i] = force[c];
    for (int c = 0; c < m; ++c) {
      columns[1 + 2 * n + c][i] =
          multiplier ? (*multiplier)[c] : std::numeric_limits<double>::quiet_NaN();
    }
    columns[1 + 2 * n + m][i] = largest_size(constraint_residual(t));
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

}  // namespace daewave::bvp
