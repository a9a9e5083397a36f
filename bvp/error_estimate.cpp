#include "bvp/error_estimate.hpp"

#include <algorithm>

namespace daewave::bvp {

Difference difference(const Solution& coarse, const Solution& fine) {
  const int n = coarse.nx(), intervals = coarse.mesh().intervals(), k = coarse.scheme().stages;
  VecX x_scale = VecX::Ones(n), By_scale = VecX::Ones(n);
  VecX x_gap = VecX::Zero(n), By_gap = VecX::Zero(n);
  for (int i = 0; i <= intervals; ++i) {
    const VecX value = fine.x_at_node(2 * i);
    x_scale = x_scale.cwiseMax((value.cwiseAbs().array() + 1).matrix());
    x_gap = x_gap.cwiseMax((value - coarse.x_at_node(i)).cwiseAbs());
  }
  // Stage j of a coarse interval lies at the same place of the same half of every interval.
  std::vector<int> half(k);
  MatX weights(k, k);
  for (int j = 0; j < k; ++j) {
    const double c = coarse.scheme().c[j];
    half[j] = c > 0.5 ? 1 : 0;
    weights.col(j) = fine.scheme().interpolation_weights(2 * c - half[j]);
  }
  VecX value(n);
  for (int i = 0; i < intervals; ++i) {
    for (int j = 0; j < k; ++j) {
      value.setZero();
      for (int l = 0; l < k; ++l) value += weights(l, j) * fine.By_at_stage(2 * i + half[j], l);
      By_scale = By_scale.cwiseMax((value.cwiseAbs().array() + 1).matrix());
      By_gap = By_gap.cwiseMax((value - coarse.By_at_stage(i, j)).cwiseAbs());
    }
  }
  return {x_gap.cwiseQuotient(x_scale).maxCoeff(), By_gap.cwiseQuotient(By_scale).maxCoeff()};
}

}  // namespace daewave::bvp
