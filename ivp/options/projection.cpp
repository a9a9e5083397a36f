#include "ivp/options/projection.hpp"

#include "ivp/options/names.hpp"

namespace daewave::ivp {

const char* name_of(Onto onto) {
  switch (onto) {
    case Onto::both:
      return "both";
    case Onto::in_turn:
      return "in-turn";
    case Onto::position:
      return "position";
    case Onto::velocity:
      return "velocity";
    case Onto::nothing:
      return "nothing";
  }
  return "unknown";
}

Onto onto_named(const std::string& name) {
  static const std::vector<Onto> all{Onto::both, Onto::in_turn, Onto::position, Onto::velocity,
                                     Onto::nothing};
  return detail::named("onto", name, all);
}

}  // namespace daewave::ivp
