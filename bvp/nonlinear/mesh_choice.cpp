#include "bvp/nonlinear/mesh_choice.hpp"

#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

VecX sizes(const MatX& values) {
  VecX sizes = VecX::Ones(values.rows());
  if (values.cols() > 0) sizes += values.cwiseAbs().rowwise().maxCoeff();
  return sizes;
}

double largest(const VecX& difference, const VecX& sizes) {
  return largest_size(difference.cwiseQuotient(sizes));
}

}  // namespace

CurveDifference difference(const CollocationCurve& coarse, const CollocationCurve& fine) {
  const Mesh& mesh = coarse.mesh();
  const VecX of_x = sizes(fine.values().x), of_carried = sizes(fine.values().carried);
  CurveDifference result;
  result.x_of_interval.setZero(mesh.intervals());
  result.carried_of_interval.setZero(mesh.intervals());
  // Off the stages of both, which some errors have as zeros, and close to the ends of intervals.
  constexpr double places[] = {0.01, 0.13, 0.37, 0.63, 0.87, 0.99};
  for (int i = 0; i < mesh.intervals(); ++i) {
    double& x = result.x_of_interval[i];
    double& carried = result.carried_of_interval[i];
    x = largest(coarse.values().x.col(i + 1) - fine.values().x.col(2 * i + 2), of_x);
    for (const double theta : places) {
      const int half = theta < 0.5 ? 0 : 1;
      const double of_half = 2 * theta - half;
      x = larger(x, largest(coarse.x_in(i, theta) - fine.x_in(2 * i + half, of_half), of_x));
      if (of_carried.size() == 0) continue;
      carried = larger(carried,
                       largest(coarse.carried_in(i, theta) - fine.carried_in(2 * i + half, of_half),
                               of_carried));
    }
  }
  result.x = largest_size(result.x_of_interval);
  result.carried = largest_size(result.carried_of_interval);
  return result;
}

Mesh equidistributed(const Mesh& mesh, const CurveDifference& difference, int stages, double goal,
                     double most_growth) {
  constexpr double least_part = 0.1;  // Of the finest division; where all is smooth.
  const int intervals = mesh.intervals();
  VecX wanted(intervals);  // Intervals in place of each.
  for (int i = 0; i < intervals; ++i) {
    wanted[i] = std::max(std::pow(difference.x_of_interval[i] / goal, 1.0 / (stages + 1)),
                         std::pow(difference.carried_of_interval[i] / goal, 1.0 / stages));
  }
  wanted = wanted.cwiseMin(1e6);
  // Neighbours differ by a factor two at most, in steps of the new mesh.
  VecX density(intervals);
  for (int i = 0; i < intervals; ++i) density[i] = wanted[i] / mesh.step(i);
  density = density.cwiseMax(least_part * wanted.sum() / (mesh.end() - mesh.begin()));
  for (int i = 1; i < intervals; ++i) density[i] = std::max(density[i], 0.5 * density[i - 1]);
  for (int i = intervals - 1; i-- > 0;) density[i] = std::max(density[i], 0.5 * density[i + 1]);
  VecX sum(intervals + 1);
  sum[0] = 0;
  for (int i = 0; i < intervals; ++i) sum[i + 1] = sum[i] + density[i] * mesh.step(i);
  const double count = std::clamp(std::ceil(1.1 * sum[intervals]), std::max(2.0, 0.5 * intervals),
                                  most_growth * intervals);
  const int n = static_cast<int>(count);
  std::vector<double> nodes{mesh.begin()};
  int i = 0;
  for (int j = 1; j < n; ++j) {
    const double target = sum[intervals] * j / n;
    while (sum[i + 1] < target) ++i;
    nodes.push_back(mesh.node(i) + (target - sum[i]) / density[i]);
  }
  nodes.push_back(mesh.end());
  return Mesh(std::move(nodes));
}

}  // namespace daewave::bvp
