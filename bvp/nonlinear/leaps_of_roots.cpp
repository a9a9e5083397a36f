#include "bvp/nonlinear/leaps_of_roots.hpp"

#include <fmt/format.h>

#include "core/algebraic/algebraic_way.hpp"

namespace daewave::bvp {
namespace {

/// Of the largest of a component: what changes by less from stage to stage leaps nowhere.
constexpr double clear = 1e-3;

StateAt state_at(const CollocationCurve& curve, int interval, int stage, int nx) {
  VecX x;
  curve.x_in(interval, curve.scheme().c[stage], x);
  return {x.head(nx), curve.stage_time(interval, stage)};
}

}  // namespace

std::string leap_of_roots(const DaeProblem& equations, const CollocationCurve& curve) {
  const int nx = equations.sizes().nq, k = curve.scheme().stages;
  if (equations.sizes().nw == 0) return {};
  const MatX& w = curve.values().carried;
  const VecX largest = w.cwiseAbs().rowwise().maxCoeff();
  RootFollower follower;
  for (int stage = 1; stage < w.cols(); ++stage) {
    const VecX change = (w.col(stage) - w.col(stage - 1)).cwiseAbs();
    if ((change.array() <= clear * largest.array()).all()) continue;
    const StateAt from = state_at(curve, (stage - 1) / k, (stage - 1) % k, nx);
    const StateAt to = state_at(curve, stage / k, stage % k, nx);
    AlgebraicWay way(equations, from, to);
    const auto outcome = follower.follow(way, nullptr, w.col(stage - 1), w.col(stage), largest);
    if (outcome == RootFollower::Outcome::open) continue;
    if (outcome == RootFollower::Outcome::reached && follower.is_claimed()) continue;
    return fmt::format(
        "w leaps from one solution of 0 = r to another near t = {:.6g}, by {:.2g}: dr/dw is "
        "singular there, and the solution that comes up to it ends or turns",
        to.t, change.maxCoeff());
  }
  return {};
}

}  // namespace daewave::bvp
