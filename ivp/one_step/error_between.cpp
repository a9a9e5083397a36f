#include "ivp/one_step/error_between.hpp"

#include <algorithm>
#include <limits>

#include "ivp/one_step/collocation_accuracy.hpp"
#include "ivp/run/shifted.hpp"

namespace daewave::ivp {

bool before_tells(const StageNewton& newton, double h) {
  // That is how control lets steps grow, and the last one by a hundredth more; from nearer by there
  // is nothing to learn of a longer one.
  const double nearest = 1 / (1.01 * collocation_control().grow);
  return -newton.node_before(0, h) >= nearest;
}

double error_between(const StageNewton& newton, double h, const VecX* shift,
                     const Tolerance& tolerance, const VecX& x, const VecX& end, VecX& missed) {
  if (!before_tells(newton, h)) return 0;
  const StageTransform& scheme = newton.scheme();
  double least = std::numeric_limits<double>::infinity();
  for (int node = 0; node < scheme.stages; ++node) {
    newton.missed_before(node, h, missed);
    if (shift != nullptr) missed += (1 - shifted(node > 0 ? scheme.c[node - 1] : 0)) * *shift;
    missed *= scheme.between_by_that_at(newton.node_before(node, h));
    // The least of them, as what has decayed in the step before is none of this one.
    least = std::min(least, tolerance.norm(missed, x, end));
  }
  return least;
}

}  // namespace daewave::ivp
