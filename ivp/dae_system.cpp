#include "ivp/dae_system.hpp"

namespace daewave::ivp {

bool DaeSystem::jacobian(double, const VecX&, const VecX&, MatX&) { return false; }

bool DaeSystem::mass(double, const VecX&, MatX&) { return false; }

bool DaeSystem::keep_energy(double, const VecX&) { return false; }

}  // namespace daewave::ivp
