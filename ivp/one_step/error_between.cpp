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

namespace {

/// At a node of the step before.
void missed_at(const StageNewton& newton, int node, double h, const VecX* shift, VecX& missed) {
  newton.missed_before(node, h, missed);
  if (shift == nullptr) return;
  missed += (1 - shifted(node > 0 ? newton.scheme().c[node - 1] : 0)) * *shift;
}

}  // namespace

double error_between(const StageNewton& newton, double h, const VecX* shift,
                     const Tolerance& tolerance, const VecX& x, const VecX& end, VecX& missed) {
  if (!before_tells(newton, h)) return 0;
  const StageTransform& scheme = newton.scheme();
  double least = std::numeric_limits<double>::infinity();
  for (int node = 0; node < scheme.stages; ++node) {
    missed_at(newton, node, h, shift, missed);
    missed *= scheme.between_by_that_at(newton.node_before(node, h));
    // The least of them, as what has decayed in the step before is none of this one.
    least = std::min(least, tolerance.norm(missed, x, end));
  }
  return least;
}

double stiff_error_at_end(StageNewton& newton, double h, const VecX* shift,
                          const Tolerance& tolerance, const VecX& x, const VecX& end, VecX& missed,
                          VecX& filtered) {
  const StageTransform& scheme = newton.scheme();
  if (scheme.ends_at_node || !before_tells(newton, h)) return 0;
  double least = std::numeric_limits<double>::infinity();
  int at = 0;
  for (int node = 0; node < scheme.stages; ++node) {
    missed_at(newton, node, h, shift, missed);
    missed *= scheme.end_by_that_at(newton.node_before(node, h));
    const double size = tolerance.norm(missed, x, end);
    if (size < least) at = node;
    least = std::min(least, size);
  }
  if (least <= 1) return 0;  // All of it is no more than allowed.
  missed_at(newton, at, h, shift, missed);
  return stiff_error_at_end(newton, newton.node_before(at, h), tolerance, x, end, missed, filtered);
}

double stiff_error_at_end(StageNewton& newton, double theta, const Tolerance& tolerance,
                          const VecX& x, const VecX& end, VecX& missed, VecX& filtered) {
  const StageTransform& scheme = newton.scheme();
  if (scheme.ends_at_node) return 0;
  missed *= scheme.end_by_that_at(theta);
  for (int i = 0; i <= scheme.stages; ++i) {
    filtered = missed;
    newton.filter(filtered);
    missed -= filtered;
  }
  return tolerance.norm(missed, x, end);
}

}  // namespace daewave::ivp
