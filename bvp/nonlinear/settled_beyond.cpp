#include "bvp/nonlinear/settled_beyond.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "bvp/equations/iterate_systems.hpp"
#include "bvp/residual/local_error.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {

double unsettled_beyond(const DaeProblem& equations, const CollocationCurve& curve, bool at_end,
                        const VecX& slope, double length, const ComponentSizes& sizes,
                        const MatX& extents, double tolerance) {
  constexpr int samples = 64;
  constexpr double near = 2, far = 30;
  const bool is_ordinary = equations.kind() == Kind::ordinary;
  if (!is_ordinary && equations.kind() != Kind::invariants) return 0;
  const std::unique_ptr<IterateSystem> system =
      is_ordinary ? ordinary_system(equations) : implicit_system(equations);
  const VecX moved = sizes.moved(extents);
  const double cut = at_end ? curve.mesh().end() : curve.mesh().begin();
  const Eigen::Index n = slope.size();
  VecX carried = curve.carried(cut), rate(n);
  MatX J(n, n);
  RowsOfPoints off(n, 1), terms(n, 1);
  LocalError local;
  double most = 0;
  for (int p = 1; p <= 2 * samples; ++p) {
    const double part = static_cast<double>(p > samples ? p - samples : p) / samples;
    const double away = length * (p > samples ? std::pow(far, part) : near * part);
    const double t = at_end ? cut + away : cut - away;
    const VecX x = curve.x(cut) + (t - cut) * slope, before = carried;
    // What cannot be evaluated there need not exist.
    if (!system->evaluate(x, t, before, rate, carried) ||
        !system->jacobian(x, t, before, rate, carried, moved, J)) {
      continue;
    }
    off.col(0) = length * (rate - slope);
    terms = off.cwiseAbs();
    local.find(J, 4 * length, LocalError::balancing(J));
    local.take(off, terms);
    const VecX size = sizes.of(extents.cwiseMax(x.cwiseAbs()));
    if (largest_size(off.col(0).cwiseQuotient(size)) > tolerance) most = std::max(most, away);
  }
  return most;
}

}  // namespace daewave::bvp
