#include "ivp/equations/dae_system.hpp"

namespace daewave::ivp {

bool DaeSystem::jacobian(double, const VecX&, const VecX&, MatX&) { return false; }

void DaeSystem::guess_algebraic(VecX& w) const { w.setZero(); }

bool DaeSystem::constraint_jacobian(double, const VecX&, MatX&) { return false; }

bool DaeSystem::mass(double, const VecX&, MatX&) { return false; }

bool DaeSystem::keep_energy(double, const VecX&) { return false; }

}  // namespace daewave::ivp
