#include "bvp/linear/error_estimate.hpp"

#include <vector>

#include "core/not_finite.hpp"

namespace daewave::bvp {

namespace {

/// A place within every coarse interval and the weights of the stages there.
struct ComparedPoint {
  int half;  ///< Of the coarse interval: the fine interval the place lies in.
  VecX coarse, fine;
};

/// The stages, and the ends of the interval, where the polynomial through them is least accurate.
/// With one stage dense output is no such polynomial, and the stage alone is compared.
std::vector<ComparedPoint> compared_points(const Collocation& scheme) {
  std::vector<double> places(scheme.c.begin(), scheme.c.end());
  if (scheme.stages > 1 && !scheme.starts_at_node()) places.push_back(0);
  if (scheme.stages > 1 && !scheme.ends_at_node()) places.push_back(1);
  std::vector<ComparedPoint> points;
  for (double place : places) {
    const int half = place > 0.5 ? 1 : 0;
    points.push_back({half, scheme.interpolation_weights(place),
                      scheme.interpolation_weights(2 * place - half)});
  }
  return points;
}

/// Raises the entries of `most` to those of `others`.
template <class Vector>
void raise(VecX& most, const Vector& others) {
  for (int i = 0; i < most.size(); ++i) most[i] = larger(most[i], others[i]);
}

}  // namespace

Difference difference(const Solution& coarse, const Solution& fine) {
  const int n = coarse.nx(), intervals = coarse.mesh().intervals(), k = coarse.scheme().stages;
  VecX x_scale = VecX::Ones(n), By_scale = VecX::Ones(n);
  VecX x_gap = VecX::Zero(n), By_gap = VecX::Zero(n);
  for (int i = 0; i <= intervals; ++i) {
    const auto value = fine.x_at_nodes().col(2 * i);
    raise(x_scale, value.cwiseAbs().array() + 1);
    raise(x_gap, (value - coarse.x_at_nodes().col(i)).cwiseAbs());
  }
  const std::vector<ComparedPoint> points = compared_points(coarse.scheme());
  // Linear problems carry B y.
  const MatX &coarse_By = coarse.carried_at_stages(), &fine_By = fine.carried_at_stages();
  VecX coarse_value(n), fine_value(n);
  for (int i = 0; i < intervals; ++i) {
    for (const ComparedPoint& point : points) {
      coarse_value.setZero();
      fine_value.setZero();
      for (int l = 0; l < k; ++l) {
        coarse_value += point.coarse[l] * coarse_By.col(i * k + l);
        fine_value += point.fine[l] * fine_By.col((2 * i + point.half) * k + l);
      }
      raise(By_scale, fine_value.cwiseAbs().array() + 1);
      raise(By_gap, (fine_value - coarse_value).cwiseAbs());
    }
  }
  return {largest_size(x_gap.cwiseQuotient(x_scale)), largest_size(By_gap.cwiseQuotient(By_scale))};
}

}  // namespace daewave::bvp
