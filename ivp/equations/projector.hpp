#pragma once
// Coordinate projection as what is done after a step of a one-step formula:
//
//   z_n = argmin |z - z~_n|,  0 = h(z, t_n),  h = (g, G v + g_t[, energy - energy_0])
//                                                                         [Eich] (2.4)-(2.6)

#include <memory>
#include <string>

#include "core/error.hpp"
#include "ivp/equations/coordinate_projection.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// Holds the memory, and the energy to be kept: one for each run.
template <class State>
class Projector {
 public:
  Projector(const Projection& how, const Tolerance& tolerance) : how_(how), tolerance_(tolerance) {}

  /// Before the first step; the energy kept is that of z. Takes the memory.
  /// @param system  of dae_system_of().
  /// @throws InvalidOption for energy = true, metric = mass, or velocities where the problem has
  ///         none.
  void start(std::unique_ptr<DaeSystem> system, double t, const State& z, double rank_tolerance) {
    system_ = std::move(system);
    z_ = weight_ = VecX(z);
    if (how_.energy && !system_->keep_energy(t, z_)) {
      throw InvalidOption(
          "projection.energy = true: the problem has no energy(q, v), or it is not finite at the "
          "start; leave it out, or state the invariant in the problem");
    }
    projection_ = std::make_unique<CoordinateProjection>(*system_, how_, rank_tolerance);
    if (how_.onto == Projection::Onto::velocity && !projection_->projects()) {
      throw InvalidOption(
          "projection.onto = velocity: the problem has no invariants of velocities; take both");
    }
    if (how_.metric == Projection::Metric::mass) {
      MatX M(z.size(), z.size());
      if (!system_->mass(t, z_, M)) {
        throw InvalidOption(
            "projection.metric = mass: the problem has no mass matrix; take orthogonal or "
            "weighted");
      }
    }
  }

  bool started() const { return projection_ != nullptr; }

  /// False with failure() where it cannot; z is unchanged then.
  bool project(double t, State& z) {
    z_ = z;
    if (how_.metric == Projection::Metric::weighted) {
      for (int i = 0; i < z_.size(); ++i) weight_[i] = tolerance_.weight(i, z_[i], z_[i]);
    }
    if (!projection_->project(t, z_, weight_)) return false;
    z = z_;
    return true;
  }

  std::string failure() const { return projection_->failure(); }
  const CoordinateProjection& projection() const { return *projection_; }

 private:
  Projection how_;
  Tolerance tolerance_;
  std::unique_ptr<DaeSystem> system_;
  std::unique_ptr<CoordinateProjection> projection_;
  VecX z_, weight_;
};

}  // namespace daewave::ivp
