#pragma once
// A part of a run that ends after some steps, wherever that is: what the next part goes on with.

#include <optional>

#include "core/types.hpp"

namespace daewave::ivp {

struct Leg {
  long steps = 0;  ///< Accepted, after which it ends; > 0.

  // Of the leg before; as at a start where they are open.
  double next_step = 0;                  ///< Length of the first step; 0: open.
  long until_output = 0;                 ///< Steps until the next one is given out; 0: open.
  std::optional<double> energy_start{};  ///< Of the run, from which changes are counted.

  /// It did: all of the above is what the next leg has.
  bool ended = false;
  double t = 0;
  VecX z{};
};

}  // namespace daewave::ivp
