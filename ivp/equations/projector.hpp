#pragma once
// Coordinate projection as what is done after a step of a one-step formula:
//
//   z_n = argmin |z - z~_n|,  0 = h(z, t_n),  h = (g, G v + g_t[, energy - energy_0])
//                                                                         [Eich] (2.4)-(2.6)

#include <memory>
#include <string>

#include "ivp/equations/coordinate_projection.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// Holds the memory, and the energy to be kept: one for each run.
class Projector {
 public:
  Projector(const Projection& how, const Tolerance& tolerance) : how_(how), tolerance_(tolerance) {}

  /// Before the first step; the energy kept is that of z. Takes the memory.
  /// @param system  of dae_system_of().
  /// @throws InvalidOption for energy = true, metric = mass, or velocities where the problem has
  ///         none.
  void start(std::unique_ptr<DaeSystem> system, double t, const VecX& z, double rank_tolerance);
  bool started() const { return projection_ != nullptr; }

  /// False with failure() where it cannot; z is unchanged then.
  bool project(double t, VecX& z);

  std::string failure() const { return projection_->failure(); }
  const CoordinateProjection& projection() const { return *projection_; }

 private:
  Projection how_;
  Tolerance tolerance_;
  std::unique_ptr<DaeSystem> system_;
  std::unique_ptr<CoordinateProjection> projection_;
  VecX weight_;
};

}  // namespace daewave::ivp
