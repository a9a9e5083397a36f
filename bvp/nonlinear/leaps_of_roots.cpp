#include "bvp/nonlinear/leaps_of_roots.hpp"

#include <fmt/format.h>

#include "core/algebraic/algebraic_way.hpp"

namespace daewave::bvp {
namespace {

/// Of the largest of a component: by less polynomials may miss each other at a node.
constexpr double clear = 1e-3;

class Stages {
 public:
  Stages(const DaeProblem& equations, const CollocationCurve& curve)
      : n_(equations.sizes().nq), curve_(curve), k_(curve.scheme().stages) {}

  StateAt state(int interval, int stage) const {
    VecX x;
    curve_.x_in(interval, curve_.scheme().c[stage], x);
    return {x.head(n_), curve_.stage_time(interval, stage)};
  }
  VecX w(int interval, int stage) const {
    return curve_.values().carried.col(static_cast<Eigen::Index>(interval) * k_ + stage);
  }
  int last() const { return k_ - 1; }

 private:
  int n_;
  const CollocationCurve& curve_;
  int k_;
};

}  // namespace

std::string leap_of_roots(const DaeProblem& equations, const CollocationCurve& curve) {
  if (equations.sizes().nw == 0) return {};
  const Stages stages(equations, curve);
  const VecX largest = curve.values().carried.cwiseAbs().rowwise().maxCoeff();
  RootFollower follower;
  VecX before, behind;
  for (int i = 1; i < curve.mesh().intervals(); ++i) {
    curve.carried_in(i - 1, 1, before);
    curve.carried_in(i, 0, behind);
    if (((behind - before).cwiseAbs().array() <= clear * largest.array()).all()) continue;
    const VecX from = stages.w(i - 1, stages.last()), to = stages.w(i, 0);
    AlgebraicWay way(equations, stages.state(i - 1, stages.last()), stages.state(i, 0));
    const auto outcome = follower.follow(way, nullptr, from, to, largest);
    if (outcome == RootFollower::Outcome::open) continue;
    if (outcome == RootFollower::Outcome::reached && follower.is_claimed()) continue;
    return fmt::format(
        "w leaps from one solution of 0 = r to another at t = {:.6g}, by {:.2g}: dr/dw is singular "
        "there, and the solution that comes up to it ends or turns",
        curve.mesh().node(i), (behind - before).cwiseAbs().maxCoeff());
  }
  return {};
}

}  // namespace daewave::bvp
