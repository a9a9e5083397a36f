#pragma once
// How a mechanism looks: frames that move with its state, and what is drawn in them.

#include <array>
#include <string>
#include <vector>

namespace daewave {

/// A body's own axes.
struct DrawnFrame {
  std::string name;
  /// Entry of the state at which x, y, phi begin; in space x, y, z, e0, e1, e2, e3, a unit
  /// quaternion that turns vectors of the frame into those of the ground.
  int first = 0;
};

struct DrawnPoint {
  int frame = -1;  ///< -1: the ground.
  std::array<double, 3> at{};
};

struct DrawnPart {
  enum class Kind {
    body,    ///< Joined from its points and the origin of its frame; all in one frame.
    pin,     ///< A joint at a point, which turns.
    slider,  ///< A joint at a point, which slides.
    line,    ///< Through points[0] in the direction `axis` of its frame: what is slid or rolled on.
    disk,    ///< About points[0], of that radius; in space normal to `axis`.
    rod,     ///< Between two points, of no mass.
    spring   ///< Between two points.
  };
  Kind kind = Kind::body;
  std::string name;
  std::vector<DrawnPoint> points;
  std::array<double, 3> axis{};
  double radius = 0;
};

/// Without parts there is nothing to draw.
struct Drawing {
  bool spatial = false;
  std::vector<DrawnFrame> frames;
  std::vector<DrawnPart> parts;
};

/// Name of a kind, such as "slider".
const char* name_of(DrawnPart::Kind kind);

}  // namespace daewave
