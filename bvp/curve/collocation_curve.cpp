#include "bvp/curve/collocation_curve.hpp"

#include <algorithm>

#include "bvp/curve/point_kernel.hpp"

namespace daewave::bvp {

VecX CollocationCurve::points_of(const Collocation& scheme, const CollocationValues& values) {
  if (values.end_slopes.cols() == 0) return scheme.c;
  VecX points(scheme.stages + 2);
  points << scheme.c, beside_nodes, 1 - beside_nodes;
  return points;
}

MatX CollocationCurve::joined(const MatX& at_stages, const MatX& at_ends, int i) const {
  const int k = scheme_.stages;
  MatX all(at_stages.rows(), polynomials_.count());
  all.leftCols(k) = at_stages.middleCols(i * k, k);
  if (has_ends()) all.rightCols(2) = at_ends.middleCols(2 * i, 2);
  return all;
}

void CollocationCurve::weighed(const MatX& at_stages, const MatX& at_ends, int i,
                               const Weights& weights, VecX& sum) const {
  const int k = scheme_.stages;
  // Products of a few numbers, which a general one costs more than.
  sum.noalias() = at_stages.middleCols(i * k, k).lazyProduct(weights.head(k));
  if (has_ends()) sum.noalias() += at_ends.middleCols(2 * i, 2).lazyProduct(weights.tail(2));
}

VecX CollocationCurve::x(double t) const {
  const int i = mesh_.locate(t);
  return x_in(i, (t - mesh_.node(i)) / mesh_.step(i));
}

CurvePoints CollocationCurve::points_at(const VecX& times) const {
  CurvePoints points(times.size());
  int i = 0;
  for (Eigen::Index p = 0; p < times.size(); ++p) {
    const double t = times[p];
    // Times of a table mostly grow: the next one is in the same interval.
    if (!(t >= mesh_.node(i) && t < mesh_.node(i + 1))) i = mesh_.locate(t);
    points.set(p, i, (t - mesh_.node(i)) / mesh_.step(i));
  }
  return points;
}

MatX CollocationCurve::weighed_at(const MatX& at_stages, const MatX& at_ends,
                                  const CurvePoints& points, Polynomials what) const {
  constexpr Eigen::Index together = 512;  // There are many polynomials to a point.
  const Eigen::Index k = scheme_.stages, rows = at_stages.rows();
  MatX sums(rows, points.count()), weights;
  for (Eigen::Index begin = 0; begin < points.count(); begin += together) {
    const Eigen::Index count = std::min(together, points.count() - begin);
    (polynomials_.*what)(points.theta.segment(begin, count), weights);
    for (Eigen::Index p = 0; p < count; ++p) {
      const Eigen::Index i = points.interval(begin + p);
      double* const to = sums.data() + (begin + p) * rows;
      weigh_columns(at_stages.data() + i * k * rows, rows, k, weights.data() + p, count, to);
      if (!has_ends()) continue;
      add_columns(at_ends.data() + 2 * i * rows, rows, 2, weights.data() + k * count + p, count,
                  to);
    }
  }
  return sums;
}

MatX CollocationCurve::x(const VecX& times) const {
  const CurvePoints points = points_at(times);
  MatX x = x_at(points);
  for (Eigen::Index p = 0; p < times.size(); ++p) {
    const int i = points.interval(p);
    if (times[p] == mesh_.node(i)) x.col(p) = values_.x.col(i);
    if (times[p] == mesh_.node(i + 1)) x.col(p) = values_.x.col(i + 1);
  }
  return x;
}

MatX CollocationCurve::x_at(const CurvePoints& points) const {
  MatX x = weighed_at(values_.slopes, values_.end_slopes, points, &StagePolynomials::integrals);
  const Eigen::Index rows = x.rows();
  for (Eigen::Index p = 0; p < points.count(); ++p) {
    const int i = points.interval(p);
    double* const to = x.data() + p * rows;
    const double* const left = values_.x.data() + i * rows;
    if (points.theta[p] == 1) {
      std::copy_n(left + rows, rows, to);
    } else {
      const double h = mesh_.step(i);
      for (Eigen::Index r = 0; r < rows; ++r) to[r] = left[r] + h * to[r];
    }
  }
  return x;
}

MatX CollocationCurve::slope(const VecX& times) const { return slope_at(points_at(times)); }

MatX CollocationCurve::slope_at(const CurvePoints& points) const {
  return weighed_at(values_.slopes, values_.end_slopes, points, &StagePolynomials::values);
}

MatX CollocationCurve::carried_at(const CurvePoints& points) const {
  if (scheme_.stages > 1) {
    return weighed_at(values_.carried, values_.end_carried, points, &StagePolynomials::values);
  }
  MatX carried(values_.carried.rows(), points.count());
  for (Eigen::Index p = 0; p < points.count(); ++p) {
    carried.col(p) = carried_in(points.interval(p), points.theta[p]);
  }
  return carried;
}

VecX CollocationCurve::x_in(int i, double theta) const {
  VecX x;
  x_in(i, theta, x);
  return x;
}
void CollocationCurve::x_in(int i, double theta, VecX& x) const {
  if (theta == 1) {
    x = values_.x.col(i + 1);
    return;
  }
  const Weights weights = mesh_.step(i) * polynomials_.integrals(theta);
  weighed(values_.slopes, values_.end_slopes, i, weights, x);
  x += values_.x.col(i);
}

VecX CollocationCurve::slope(double t) const {
  const int i = mesh_.locate(t);
  return slope_in(i, (t - mesh_.node(i)) / mesh_.step(i));
}

VecX CollocationCurve::slope_in(int i, double theta) const {
  VecX slope;
  slope_in(i, theta, slope);
  return slope;
}
void CollocationCurve::slope_in(int i, double theta, VecX& slope) const {
  weighed(values_.slopes, values_.end_slopes, i, polynomials_.values(theta), slope);
}

VecX CollocationCurve::carried(double t) const {
  const int i = mesh_.locate(t);
  return carried_in(i, (t - mesh_.node(i)) / mesh_.step(i));
}

/// The intervals of the part that an interval is of, from the first to before the second.
std::pair<int, int> CollocationCurve::part_of(int interval) const {
  if (borders_.empty()) return {0, mesh_.intervals()};
  const auto end = std::upper_bound(borders_.begin(), borders_.end(), interval);
  return {*(end - 1), *end};
}

VecX CollocationCurve::carried_in(int i, double theta) const {
  VecX carried;
  carried_in(i, theta, carried);
  return carried;
}
void CollocationCurve::carried_in(int i, double theta, VecX& carried) const {
  const auto [begin, end] = scheme_.stages == 1 ? part_of(i) : std::pair(i, i + 1);
  if (end - begin > 1) {
    const auto stage = [&](int interval) { return stage_time(interval, 0); };
    const double t = mesh_.node(i) + theta * mesh_.step(i);
    const int left = std::clamp(t < stage(i) ? i - 1 : i, begin, end - 2);
    const double part = (t - stage(left)) / (stage(left + 1) - stage(left));
    carried = (1 - part) * values_.carried.col(left) + part * values_.carried.col(left + 1);
    return;
  }
  weighed(values_.carried, values_.end_carried, i, polynomials_.values(theta), carried);
}

CollocationValues CollocationCurve::on(const Mesh& mesh, const Collocation& scheme) const {
  const int k = scheme.stages, intervals = mesh.intervals();
  CollocationValues values;
  values.x.resize(values_.x.rows(), intervals + 1);
  values.slopes.resize(values_.slopes.rows(), static_cast<Eigen::Index>(k) * intervals);
  values.carried.resize(values_.carried.rows(), static_cast<Eigen::Index>(k) * intervals);
  constexpr int together = 64;  // Intervals.
  int here = 0;                 // Interval of this curve: times only grow.
  const auto find = [&](double t) {
    while (here + 1 < mesh_.intervals() && t > mesh_.node(here + 1)) ++here;
    return (t - mesh_.node(here)) / mesh_.step(here);
  };
  for (int begin = 0; begin < intervals; begin += together) {
    const int count = std::min(together, intervals - begin);
    CurvePoints nodes(count), stages(static_cast<Eigen::Index>(k) * count);
    for (int i = 0; i < count; ++i) {
      const double left = mesh.node(begin + i), h = mesh.step(begin + i);
      const double at_node = find(left);
      nodes.set(i, here, at_node);
      for (int j = 0; j < k; ++j) {
        const double c = scheme.c[j];
        const double at_stage = find(c == 1 ? mesh.node(begin + i + 1) : left + c * h);
        stages.set(i * k + j, here, at_stage);
      }
    }
    values.x.middleCols(begin, count) = x_at(nodes);
    values.slopes.middleCols(begin * k, count * k) = slope_at(stages);
    if (values.carried.rows() == 0) continue;
    values.carried.middleCols(begin * k, count * k) = carried_at(stages);
  }
  values.x.col(intervals) = x(mesh.end());
  return values;
}

namespace {

/// Stages c as 1 - c: not a scheme of a family where it does not mirror itself.
Collocation mirrored(const Collocation& scheme) {
  Collocation mirror = scheme;
  mirror.c = (1 - scheme.c.array()).matrix().reverse();
  for (int j = 0; j < scheme.stages; ++j) mirror.c[j] = std::clamp(mirror.c[j], 0.0, 1.0);
  for (int j = 0; j < scheme.stages; ++j) {
    mirror.a.row(j) = mirror.integrated_weights(mirror.c[j]).transpose();
  }
  mirror.b = scheme.b.reverse();
  return mirror;
}

}  // namespace

CollocationCurve time_reversed(const CollocationCurve& curve, const Mesh& mesh,
                               const std::function<VecX(const VecX&)>& turned,
                               double carried_sign) {
  const CollocationValues& from = curve.values();
  CollocationValues to = from;
  const Eigen::Index last_node = from.x.cols() - 1;
  for (Eigen::Index i = 0; i <= last_node; ++i) to.x.col(i) = turned(from.x.col(last_node - i));
  const auto mirror = [](const MatX& values, MatX& result, const auto& of_column) {
    const Eigen::Index last = values.cols() - 1;
    for (Eigen::Index i = 0; i <= last; ++i) result.col(i) = of_column(values.col(last - i));
  };
  const auto slope = [&](const VecX& value) -> VecX { return -turned(value); };
  const auto carried = [&](const VecX& value) -> VecX { return carried_sign * value; };
  mirror(from.slopes, to.slopes, slope);
  mirror(from.end_slopes, to.end_slopes, slope);
  mirror(from.carried, to.carried, carried);
  mirror(from.end_carried, to.end_carried, carried);
  return {mesh, mirrored(curve.scheme()), std::move(to)};
}

}  // namespace daewave::bvp
