#include "bvp/mesh/mesh_choice.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "bvp/curve/curve_of_ranks.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

/// Of a - b in those columns, in units of the sizes.
double largest_gap(const MatX& a, const MatX& b, Eigen::Index first, Eigen::Index count,
                   const VecX& sizes) {
  double most = 0;
  const Eigen::Index rows = a.rows();
  for (Eigen::Index r = 0; r < rows; ++r) {
    const double *const of_a = a.data() + first * rows + r, *const of_b =
                                                                b.data() + first * rows + r;
    double of_row = 0;
    for (Eigen::Index p = 0; p < count; ++p) {
      of_row = larger(of_row, std::abs(of_a[p * rows] - of_b[p * rows]));
    }
    most = larger(most, of_row / sizes[r]);
  }
  return most;
}

/// The widest gap between stages, in units of the step.
struct Gap {
  double middle = 0.5, width = 1;
};
Gap widest_gap(const Collocation& scheme) {
  Gap gap;
  if (scheme.stages == 1) return {0.5 * scheme.c[0], scheme.c[0]};
  gap.width = 0;
  for (int j = 1; j < scheme.stages; ++j) {
    const double width = scheme.c[j] - scheme.c[j - 1];
    if (width > gap.width) gap = {0.5 * (scheme.c[j] + scheme.c[j - 1]), width};
  }
  return gap;
}

/// In the intervals of the first curve in `range`, which the second one spans.
IntervalErrors gaps(const CollocationCurve& first, const IntervalRange& range,
                    const CollocationCurve& second, const VecX& of_x, const VecX& of_carried) {
  const Mesh &mesh = first.mesh(), &other = second.mesh();
  IntervalErrors result;
  result.x.setZero(range.end - range.begin);
  result.carried.setZero(range.end - range.begin);
  // Off the stages of both, which some errors have as zeros, and close to the ends of intervals.
  constexpr double places[] = {0.01, 0.13, 0.37, 0.63, 0.87, 0.99, 1};
  constexpr Eigen::Index count = std::size(places);
  constexpr int together = 64;  // Intervals.
  int there = 0;                // Interval of the second: times only grow.
  for (int begin = range.begin; begin < range.end; begin += together) {
    const int end = std::min(begin + together, range.end);
    CurvePoints in_first(count * (end - begin)), in_second(in_first.count());
    for (int i = begin; i < end; ++i) {
      for (Eigen::Index place = 0; place < count; ++place) {
        const double theta = places[place];
        const double t = theta == 1 ? mesh.node(i + 1) : mesh.node(i) + theta * mesh.step(i);
        while (there + 1 < other.intervals() && t > other.node(there + 1)) ++there;
        const bool on_node = t == other.node(there + 1);
        const Eigen::Index p = (i - begin) * count + place;
        in_first.set(p, i, theta);
        in_second.set(p, there, on_node ? 1 : (t - other.node(there)) / other.step(there));
      }
    }
    const auto compare = [&](const MatX& of_first, const MatX& of_second, const VecX& sizes_of,
                             Eigen::Index compared, VecX& largest) {
      for (int i = begin; i < end; ++i) {
        largest[i - range.begin] =
            largest_gap(of_first, of_second, (i - begin) * count, compared, sizes_of);
      }
    };
    compare(first.x_at(in_first), second.x_at(in_second), of_x, count, result.x);
    if (of_carried.size() == 0) continue;
    // On a node what is carried may jump.
    compare(first.carried_at(in_first), second.carried_at(in_second), of_carried, count - 1,
            result.carried);
  }
  return result;
}

CurveDifference difference_of(IntervalErrors of_interval) {
  CurveDifference result;
  result.of_interval = std::move(of_interval);
  result.x = largest_size(result.of_interval.x);
  result.carried = largest_size(result.of_interval.carried);
  return result;
}

}  // namespace

CurveDifference difference(const CollocationCurve& first, const CollocationCurve& second,
                           const SolutionSizes& sizes) {
  return difference_of(gaps(first, {0, first.mesh().intervals()}, second,
                            sizes.x.of(second.values().x),
                            sizes.carried.of(second.values().carried)));
}

CurveDifference difference(const Solution& first, const Solution& second,
                           const SolutionSizes& sizes) {
  return difference(first.values().curve(), first.share(), second.values().curve(), second.share(),
                    sizes);
}

CurveDifference difference(const CollocationCurve& curve, const MeshShare& share,
                           const CollocationCurve& other, const MeshShare& share_of_other,
                           const SolutionSizes& sizes) {
  if (share.ranks == nullptr) return difference(curve, other, sizes);
  const auto [extent_x, extent_carried] =
      share_of_other.extents(other.values().x, other.values().carried);
  const VecX of_x = sizes.x.of(extent_x), of_carried = sizes.carried.of(extent_carried);
  const bool is_given = share.is_shared() && !share.mesh;
  const CollocationCurve second_there =
      is_given ? other
               : intervals_of(other, share_of_other,
                              intervals_between(mesh_of_all(share_of_other, other.mesh()),
                                                curve.mesh().begin(), curve.mesh().end()));
  const int intervals = curve.mesh().intervals();
  IntervalErrors mine{VecX(intervals), VecX(intervals)};
  // Of each partition by itself: what is evaluated together has no bits of others.
  const auto measure = [&](const CollocationCurve& mine_there, int before) {
    for (const IntervalRange& range : share.ranges(intervals)) {
      const IntervalErrors here = gaps(mine_there, {before + range.begin, before + range.end},
                                       second_there, of_x, of_carried);
      mine.x.segment(range.begin, here.x.size()) = here.x;
      mine.carried.segment(range.begin, here.carried.size()) = here.carried;
    }
  };
  if (curve.scheme().stages > 1 || is_given) {
    measure(curve, 0);
  } else {
    // Between stages of two intervals there is a line, across the nodes that ranks have both.
    const IntervalRange wider{
        std::max(share.first - 1, 0),
        std::min(share.first + intervals + 1, mesh_of_all(share, curve.mesh()).intervals())};
    measure(intervals_of(curve, share, wider), share.first - wider.begin);
  }
  return difference_of({share.joined(mine.x), share.joined(mine.carried)});
}

Mesh equidistributed(const Mesh& mesh, const IntervalErrors& errors, int order, double goal,
                     const MeshBounds& bounds) {
  constexpr double least_part = 0.1;  // Of the finest division; where all is smooth.
  const int intervals = mesh.intervals();
  VecX wanted(intervals);  // Intervals in place of each.
  for (int i = 0; i < intervals; ++i) {
    wanted[i] = std::max(std::pow(errors.x[i] / goal, 1.0 / (order + 1)),
                         std::pow(errors.carried[i] / goal, 1.0 / order));
  }
  wanted = wanted.cwiseMin(1e6);
  VecX density(intervals);
  for (int i = 0; i < intervals; ++i) density[i] = wanted[i] / mesh.step(i);
  density = density.cwiseMax(least_part * wanted.sum() / (mesh.end() - mesh.begin()));
  density = density.cwiseMax(1 / bounds.largest_step);
  VecX sum(intervals + 1);
  sum[0] = 0;
  const auto add_up = [&] {
    for (int i = 0; i < intervals; ++i) sum[i + 1] = sum[i] + density[i] * mesh.step(i);
    return std::clamp(std::ceil(1.1 * sum[intervals]),
                      std::max(2.0, bounds.least_growth * intervals),
                      bounds.most_growth * intervals);
  };
  // Neighbours differ by a factor two at most, in steps of the new mesh.
  const double scale = add_up() / sum[intervals];
  const auto follow = [&](int i, int from) {
    const double steps =
        0.5 * scale * (density[i] * mesh.step(i) + density[from] * mesh.step(from));
    density[i] = std::max(density[i], std::exp2(-std::min(1.0, steps)) * density[from]);
  };
  for (int i = 1; i < intervals; ++i) follow(i, i - 1);
  for (int i = intervals - 1; i-- > 0;) follow(i, i + 1);
  const double count = add_up();
  const int n = static_cast<int>(count);
  // Stages need some digits between nodes.
  const double least =
      1e3 * std::numeric_limits<double>::epsilon() *
      std::max({std::abs(mesh.begin()), std::abs(mesh.end()), mesh.end() - mesh.begin()});
  std::vector<double> nodes{mesh.begin()};
  int i = 0;
  for (int j = 1; j < n; ++j) {
    const double target = sum[intervals] * j / n;
    while (sum[i + 1] < target) ++i;
    const double t = mesh.node(i) + (target - sum[i]) / density[i];
    if (t - nodes.back() >= least && mesh.end() - t >= least) nodes.push_back(t);
  }
  nodes.push_back(mesh.end());
  return Mesh(std::move(nodes));
}

Mesh kept_away(const Mesh& mesh, const Collocation& scheme, const std::vector<KeptAway>& away,
               const std::vector<double>& fixed) {
  constexpr double close = 0.3;  // Of the step: how far other nodes keep from its ends.
  const Gap gap = widest_gap(scheme);
  std::vector<double> nodes = mesh.nodes();
  double last = mesh.begin();
  for (const KeptAway& from : away) {
    if (!(from.t > last && from.t < mesh.end())) continue;
    const auto next = std::lower_bound(fixed.begin(), fixed.end(), from.t);
    if (next != fixed.end() && *next == from.t) continue;
    const double begin = next == fixed.begin() ? last : std::max(last, *(next - 1));
    const double end = next == fixed.end() ? mesh.end() : std::min(mesh.end(), *next);
    const int i = mesh.locate(from.t);
    const double h = std::max(mesh.step(i), from.least_step);
    const double theta = (from.t - mesh.node(i)) / mesh.step(i);
    if (h == mesh.step(i) && std::abs(theta - gap.middle) < 0.25 * gap.width) {
      last = mesh.node(i + 1);
      continue;
    }
    double left = from.t - gap.middle * h, right = from.t + (1 - gap.middle) * h;
    if (left < begin + close * h) {
      left = begin;
      right = left + (from.t - left) / gap.middle;
    }
    if (right > end - close * h) {
      right = end;
      left = std::max(begin, right - (right - from.t) / (1 - gap.middle));
    }
    const double reach = close * (right - left);
    std::erase_if(nodes, [&](double t) {
      return t > std::max(left - reach, begin) && t < right + reach && t < end;
    });
    nodes.push_back(left);
    nodes.push_back(right);
    last = right;
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return Mesh(std::move(nodes));
}

}  // namespace daewave::bvp
