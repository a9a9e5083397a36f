#include "ivp/one_step/collocation_accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daewave::ivp {

CollocationAccuracy accuracy_of(const Collocation& scheme, const Tolerance& tolerance,
                                bool estimate) {
  CollocationAccuracy accuracy;
  if (!estimate || scheme.stages % 2 == 0) return accuracy;
  accuracy.estimates = true;
  const double rtol = tolerance.relative();
  const double q = (scheme.stages + 1.0) / (scheme.order + 1.0);
  accuracy.unit = 0.1 * std::pow(rtol, q - 1);
  const double unit_rtol = accuracy.unit * rtol;
  const double rounding = std::numeric_limits<double>::epsilon();
  // What is stiff of a step without a stage at its end is held to the tolerance itself.
  const double held = scheme.ends_at_node() ? 1 : std::max(1.0, accuracy.unit);
  accuracy.goal = {
      .rounding = false,
      .error = std::max(10 * rounding / unit_rtol, std::min(0.03 / held, std::sqrt(unit_rtol))),
      .coupled = true,
      .filters = true};
  accuracy.not_converged = std::pow(collocation_control().safety / 0.5, scheme.stages + 1);
  return accuracy;
}

int degree_of_solved(const StageTransform& scheme, const CollocationAccuracy& accuracy,
                     double between) {
  // What a run goes on with behind an event may be off by so much each time.
  constexpr double of_tolerance = 0.1;
  if (scheme.order <= scheme.stages) return 0;
  return accuracy.estimates && between <= of_tolerance ? 0 : scheme.order;
}

void weigh(const CollocationAccuracy& accuracy, const Tolerance& tolerance, const VecX& z,
           VecX& weight) {
  for (int i = 0; i < static_cast<int>(z.size()); ++i) {
    weight[i] = accuracy.unit * tolerance.weight(i, z[i], z[i]);
  }
}

void weigh_by_digits(const VecX& z, VecX& weight) {
  const double digits = std::sqrt(std::numeric_limits<double>::epsilon());
  const double least = z.size() > 0 ? 1e-3 * z.cwiseAbs().maxCoeff() : 0.0;
  weight = digits * z.cwiseAbs().cwiseMax(least);
}

}  // namespace daewave::ivp
