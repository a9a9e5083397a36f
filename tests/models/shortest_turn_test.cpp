// Turns of one direction into another, those that are nearly opposite too.

#include <cmath>

#include "models/spatial/orientation.hpp"
#include "tests/catch.hpp"

using namespace daewave::models;
using Catch::Matchers::WithinAbs;

TEST_CASE("a turn leads from one direction to the other to rounding, however close or opposite",
          "[models]") {
  const Vector<double> from = *unit({0.3, -0.5, 0.8}), across = *unit(cross(from, {1, 2, 3}));
  for (const double sign : {1.0, -1.0}) {
    for (const double tilt : {0.0, 1e-15, 1e-12, 1e-9, 1e-7, 9e-7, 1.1e-6, 1e-4, 1e-2, 1.0, 1.5}) {
      CAPTURE(sign, tilt);
      const Vector<double> to = *unit(sign * std::cos(tilt) * from + std::sin(tilt) * across);
      const Quaternion<double> turn = shortest_turn(from, to);
      CHECK_THAT(squared_norm(turn), WithinAbs(1, 1e-15));
      const Vector<double> off = turned(turn, from) - to;
      CHECK_THAT(std::sqrt(dot(off, off)), WithinAbs(0, 1e-15));
      // The shortest: by the angle between them.
      CHECK_THAT(2 * std::acos(std::min(1.0, std::abs(turn.w))),
                 WithinAbs(sign > 0 ? tilt : std::acos(-1.0) - tilt, 1e-7));
    }
  }
}
