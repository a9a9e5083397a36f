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
VecX stage_slopes(const LinearData& of, int i, const CoefficientBatch& at_stages) {
  const CollocationValues& values = of.curve.values();
  const Collocation& scheme = of.curve.scheme();
  const int n = static_cast<int>(values.x.rows()), k = scheme.stages;
  const double h = of.curve.mesh().step(i);
  MatX matrix = MatX::Identity(k * n, k * n);
  VecX right(k * n);
  const VecX left = values.x.col(i);
  for (int j = 0; j < k; ++j) {
    for (int l = 0; l < k; ++l) {
      matrix.block(j * n, l * n, n, n) -= h * scheme.a(j, l) * at_stages.A(j);
    }
    right.segment(j * n, n) =
        at_stages.A(j) * left + at_stages.q(j) - values.carried.col(i * k + j);
  }
  return matrix.partialPivLu().solve(right);
}

namespace {

/// Of interval i; nx x k.
MatX evaluated_slopes(const LinearData& of, int i, CoefficientBatch& batch) {
  const int k = of.curve.scheme().stages;
  std::vector<double> times;
  for (int j = 0; j < k; ++j) times.push_back(of.curve.stage_time(i, j));
  of.problem->evaluate(times.data(), k, batch);
  const VecX F = stage_slopes(of, i, batch);
  return Eigen::Map<const MatX>(F.data(), of.curve.values().x.rows(), k);
}

}  // namespace

void add_stages_beside(LinearData& to) {
  const CollocationCurve& curve = to.curve;
  const MeshShare& share = to.share;
  if (curve.scheme().stages > 1 || !share.is_shared()) return;
  const Eigen::Index n = curve.values().carried.rows();
  const int last = curve.mesh().intervals() - 1;
  std::vector<double> mine;
  for (const int i : {0, last}) {
    const VecX By = curve.values().carried.col(i);
    mine.push_back(curve.stage_time(i, 0));
    mine.insert(mine.end(), By.begin(), By.end());
  }
  const std::vector<double> all = gather(*share.ranks, mine);
  const auto of = [&](int rank, int which) {
    const double* const from = &all[static_cast<std::size_t>(2 * rank + which) * (n + 1)];
    return StageBeside{*from, Eigen::Map<const VecX>(from + 1, n)};
  };
  const int me = share.ranks->rank();
  if (me > 0) to.before = of(me - 1, 1);
  if (me + 1 < share.ranks->size()) to.behind = of(me + 1, 0);
}

void add_slopes(LinearData& to) {
  const CollocationCurve& curve = to.curve;
  const int k = curve.scheme().stages;
  CollocationValues values = curve.values();
  values.slopes.resize(values.x.rows(), values.carried.cols());
  CoefficientBatch batch(to.problem->nx(), to.problem->ny(), false);
  for (int i = 0; i < curve.mesh().intervals(); ++i) {
    values.slopes.middleCols(i * k, k) = evaluated_slopes(to, i, batch);
  }
  to.curve = CollocationCurve(curve.mesh(), curve.scheme(), std::move(values));
}

MatX LinearValues::slopes(int i) const {
  CoefficientBatch batch(data_.problem->nx(), data_.problem->ny(), false);
  return evaluated_slopes(data_, i, batch);
}

VecX LinearValues::x(int i, double t) const {
  const CollocationCurve& curve = data_.curve;
  if (t == curve.mesh().node(i)) return curve.values().x.col(i);
  if (t == curve.mesh().node(i + 1)) return curve.values().x.col(i + 1);
  const double h = curve.mesh().step(i), theta = (t - curve.mesh().node(i)) / h;
  if (curve.has_slopes()) return curve.x_in(i, theta);
  return curve.values().x.col(i) + h * (slopes(i) * curve.polynomials().integrals(theta));
}

VecX LinearValues::slope(int i, double t) const {
  const CollocationCurve& curve = data_.curve;
  const double theta = (t - curve.mesh().node(i)) / curve.mesh().step(i);
  if (curve.has_slopes()) return curve.slope_in(i, theta);
  return slopes(i) * curve.polynomials().values(theta);
}

VecX LinearValues::By(int i, double t) const {
  const CollocationCurve& curve = data_.curve;
  const Mesh& mesh = curve.mesh();
  const double theta = (t - mesh.node(i)) / mesh.step(i);
  if (!data_.before && !data_.behind) return curve.carried_in(i, theta);
  // As CollocationCurve has it, with the stages of other ranks.
  const int last = mesh.intervals() - 1;
  const auto stage = [&](int interval) -> StageBeside {
    if (interval < 0) return *data_.before;
    if (interval > last) return *data_.behind;
    return {curve.stage_time(interval, 0), curve.values().carried.col(interval)};
  };
  const double here = mesh.node(i) + theta * mesh.step(i);
  const int left = std::clamp(here < curve.stage_time(i, 0) ? i - 1 : i, data_.before ? -1 : 0,
                              data_.behind ? last : last - 1);
  const StageBeside first = stage(left), second = stage(left + 1);
  const double part = (here - first.t) / (second.t - first.t);
  return (1 - part) * first.By + part * second.By;
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
  const int n = data_.problem->nx(), m = data_.problem->ny();
  const std::size_t rows = times.size();
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(2 + 2 * n + m),
                                           std::vector<double>(rows));
  for (std::size_t row = 0; row < rows; ++row) {
    const double t = times[row];
    const int i = data_.curve.mesh().locate(t);
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
