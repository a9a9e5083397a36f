#include "ivp/equations/invariant_rows.hpp"

#include "core/error.hpp"

namespace daewave::ivp {

InvariantRows invariant_rows(const DaeSystem& system, Onto onto) {
  const int nz = system.nz(), nh = system.nh();
  const int ng = system.position_invariants(), nq = system.positions();
  switch (onto) {
    case Onto::both:
      break;
    case Onto::in_turn:
      throw InvalidOption(
          "onto = in-turn: is for method = projection on multibody systems and DAEs of "
          "index 3; leave onto open");
    case Onto::position:
      return {0, ng, 0, nq};
    case Onto::velocity:
      if (nh > 0 && (nh == ng || nz == nq)) {
        throw InvalidOption(
            "onto = velocity: the problem has no invariants of velocities; leave onto open");
      }
      return {ng, nh - ng, nq, nz - nq};
    case Onto::nothing:
      return {0, 0, 0, nz};
  }
  return {0, nh, 0, nz};
}

}  // namespace daewave::ivp
