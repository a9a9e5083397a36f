#include "ivp/equations/projector.hpp"

#include <utility>

#include "core/error.hpp"

namespace daewave::ivp {

void Projector::start(std::unique_ptr<DaeSystem> system, double t, const VecX& z,
                      double rank_tolerance) {
  system_ = std::move(system);
  weight_ = z;
  if (how_.energy && !system_->keep_energy(t, z)) {
    throw InvalidOption(
        "energy = true: the problem has no energy(q, v), or it is not finite at the "
        "start; leave it out, or state the invariant in the problem");
  }
  projection_ = std::make_unique<CoordinateProjection>(*system_, how_, rank_tolerance);
  if (how_.onto == Onto::velocity && !projection_->projects()) {
    throw InvalidOption(
        "onto = velocity: the problem has no invariants of velocities; leave onto open");
  }
  if (how_.metric == ProjectionMetric::mass) {
    MatX M(z.size(), z.size());
    if (!system_->mass(t, z, M)) {
      throw InvalidOption(
          "metric = mass: the problem has no mass matrix; leave metric open; or "
          "weighted");
    }
  }
}

bool Projector::project(double t, VecX& z) {
  if (how_.metric == ProjectionMetric::weighted) {
    for (int i = 0; i < z.size(); ++i) weight_[i] = tolerance_.weight(i, z[i], z[i]);
  }
  return projection_->project(t, z, weight_);
}

}  // namespace daewave::ivp
