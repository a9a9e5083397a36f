#pragma once
// A boundary value DAE of index 1 whose algebraic unknown cannot be left out without dividing.

#include <string>

#include "core/types.hpp"

namespace daewave::problems {

/// z'' = w + z', 0 = w + z z' - t on [0, 5]; z(0) + z'(0) = -0.15, z(5) = 6.5. State (z, z').
/// A test problem of COLDAE.                                                      [COLDAE]
struct IndexOneLayer {
  using State = Vec<2>;
  using Algebraic = Vec<1>;

  std::string name() const { return "index-one"; }
  Interval interval() const { return {0, 5}; }
  State f(const State& x, const Algebraic& w, double) const { return {x[1], w[0] + x[1]}; }
  Algebraic r(const State& x, const Algebraic& w, double t) const {
    return Algebraic{w[0] + x[0] * x[1] - t};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] + left[1] + 0.15, right[0] - 6.5};
  }
};

}  // namespace daewave::problems
