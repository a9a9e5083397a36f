#pragma once
// How far a state is off its constraints, and the directions that lead back to them:
//
//   h = (g, G v + g_t),  D = diag(F, F);   of index 2: h = g, D = F;   F = G^T (G G^T)^-1

#include "core/types.hpp"

namespace daewave::ivp {

/// At one state of a problem; holds the memory.
class NormalDirections {
 public:
  /// In the rows of h: of positions, and of velocities, which an index of 2 has none of.
  struct Multipliers {
    VecX position, velocity;

    void setZero() {
      position.setZero();
      velocity.setZero();
    }
    void add(double factor, const Multipliers& other) {
      position += factor * other.position;
      velocity += factor * other.velocity;
    }
  };

  virtual ~NormalDirections() = default;

  /// False where G or h is not finite.
  virtual bool evaluate(double t, const VecX& z) = 0;
  /// c = h, which it resizes.
  virtual void residual(Multipliers& c) const = 0;
  /// dz = D mu.
  virtual void along(const Multipliers& mu, VecX& dz) = 0;
};

}  // namespace daewave::ivp
