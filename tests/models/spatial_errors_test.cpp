// What a newcomer is told of a mechanism in space that is wrong.

#include <string>

#include "models/model.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using namespace daewave::models;

namespace {

const std::string door = R"(space = "spatial"
gravity = [0, 0, -9.81]
[parameters]
m = 2
[[body]]
name = "door"
mass = "m"
inertia = [0.3, 0.4, 0.5]
[[joint]]
type = "revolute"
between = ["ground", "door"]
at = [[0, 0, 0], [0, -1, 0]]
axis = [0, 0, 1]
)";

std::string said_of(const std::string& text) {
  try {
    model_of(text, "door.toml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

/// Of the door with one line in the place of another.
void check_door(const std::string& line, const std::string& other, const std::string& part) {
  std::string text = door;
  const std::size_t at = text.find(line);
  REQUIRE(at != std::string::npos);
  const std::string found = said_of(text.replace(at, line.size(), other));
  INFO(other + "\n" + found);
  CHECK(found.find(part) != std::string::npos);
}

const std::string the_inertia = "inertia = [0.3, 0.4, 0.5]", the_mass = "mass = \"m\"",
                  the_axis = "axis = [0, 0, 1]", the_ends = "at = [[0, 0, 0], [0, -1, 0]]";

}  // namespace

TEST_CASE("an inertia that no body has is shown in its line", "[models]") {
  CHECK(said_of(door) == "none");
  std::string text = door;
  text.replace(text.find(the_inertia), the_inertia.size(), "inertia = [1, 1, 3]");
  CHECK(said_of(text) ==
        "door.toml:8:11: body: inertia = [1, 1, 3]: no body has it: each principal moment is at "
        "most the sum of the other two, and 3 is above 1 + 1\n"
        "  inertia = [1, 1, 3]\n"
        "            ^");
  check_door(the_inertia, "inertia = [0, 1, 1]",
             "each principal moment must be above 0, and one is 0");
  check_door(the_inertia, "inertia = [1, 1]", "8:11: body: inertia must be one number for a ball");
  check_door(the_inertia, "inertia = 0", "inertia = 0: must be above 0");
  check_door(the_inertia, "inertia = [nan, 1, 1]", "8:12: is not finite");
  check_door(the_inertia, "inertia = [[1, 0, 0], [0.1, 1, 0], [0, 0, 1]]",
             "must be symmetric, and entry 12 is 0, 21 0.1");
  check_door(the_inertia, "inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 5]]", "5 is above 1 + 1");
  check_door(the_inertia, "inertia = [[1, 0], [0, 1, 0], [0, 0, 5]]",
             "8:12: body: inertia is [x, y");
  check_door(the_inertia + "\n", "", "inertia is missing");
  // A plate, whose moments add up but for rounding, has one.
  check_door(the_inertia, "inertia = [0.1, 0.2, 0.30000000000000004]", "none");
}

TEST_CASE("directions, points and orientations in space have their rules", "[models]") {
  check_door(the_axis, "axis = [0, 0, 0]", "13:8: joint: axis has no length");
  check_door(the_axis, "axis = [0, 1]", "must be an array of 3, not an array of 2");
  check_door(the_axis, "axis = [[0, 1, 0]]", "must be two directions");
  check_door(the_axis, "axis = [[0, 1], [1, 2]]", "axis is [x, y, z], not an array of 2");
  check_door(the_axis + "\n", "", "axis is missing: that of the joint, [x, y, z] in the frame");
  check_door("revolute", "universal", "axis must be two directions");
  check_door("revolute", "point_on_plane", "normal is missing: that of the plane");
  check_door("revolute", "fixed", "unknown key 'axis'");
  check_door(the_ends, "at = [0, 0, 0]", "at must be two points, [[x, y, z], [x, y, z]]");
  check_door(the_ends, "at = [[0, 0], [0, 0, 1]]", "12:7: joint: a point is [x, y, z]");
  check_door("[0, 0, -9.81]", "[0, -9.81]", "gravity must be an array of 3");
  const auto orientation = [](const std::string& how, const std::string& part) {
    check_door(the_mass, the_mass + "\norientation = " + how, part);
  };
  orientation("3", "8:15: body: orientation: must be a table");
  orientation("{ axis = [0, 0, 0], angle = 1 }", "axis has no length");
  orientation("{ axis = [0, 0, 1] }", "must be one of { axis = [x, y, z], angle = a }");
  orientation("{ quaternion = [0, 0, 0, 0] }", "quaternion has no length");
  orientation("{ quaternion = [1, 0, 0, 0], angle = 1 }", "must be one of");
  orientation("{ euler = [1, 2, 3], sequence = \"zzx\" }", "neighbours different");
  orientation("{ euler = [1, 2, 3], sequence = \"zx\" }", "must be three of x, y, z");
  orientation("{ euler = [1, 2, 3], order = \"zxz\" }", "unknown key 'order'");
  check_door(the_mass, the_mass + "\nangular_velocity_frame = \"bod\"", "must be ground or body");
}

TEST_CASE("a wrong mechanism in space is told with the place and the way out", "[models]") {
  check_door("\"door\"]", "\"doors\"]", "did you mean door?");
  check_door("\"revolute\"", "\"revolut\"", "did you mean revolute?");
  check_door("\"revolute\"", "\"angle\"", "there are spherical, revolute, universal");
  check_door("spatial", "spacial", "1:9: model: space = 'spacial': must be planar or spatial");
  check_door(the_mass, "mass = 0", "mass = 0: must be above 0");
  check_door(the_mass, "mass = \"2*k\"", "7:11: unknown name 'k'");
  check_door("m = 2", "m = \"k\"\nk = \"m\"", "parameter m is made of itself: m -> k -> m");
  check_door(the_mass, "mass = 1\nrepeat = 1e6", "must be a whole number from 1 to 50000");
  check_door(the_mass, "mass = 1\nrepeat = 101", "more than 100 bodies, which is the most");
  check_door(the_mass, "mass = 1\nangle = 1", "unknown key 'angle'; it has");
  check_door(the_axis, the_axis + "\ndriven = \"door.wz\"", "depends on velocities");
  check_door(the_axis, the_axis + "\ndriven = \"door.phi\"", "unknown name 'door.phi'");
  check_door(the_axis, the_axis + "\ndriven = [1, 2]", "driven must be one expression");
  check_door("\"revolute\"", "\"spherical\"\ndriven = \"t\"", "is for revolute and prismatic");
  check_door("\"revolute\"", "\"rolling\"\nradius = 0\nnormal = [0, 0, 1]", "radius = 0: must be");
  check_door(the_axis, the_axis + "\n[[force]]\ntype = \"force\"\non = \"door\"\nvalue = [1, 2]",
             "must be three expressions, [fx, fy, fz] in N");
  check_door(the_axis,
             the_axis + "\n[[force]]\ntype = \"torque\"\non = \"ground\"\nvalue = [1, 2, 3]",
             "names the ground, which does not move");
}

TEST_CASE("joints that cannot hold together are told by the one that is farthest off", "[models]") {
  const std::string far =
      "\n[[joint]]\ntype = \"distance\"\nbetween = [\"ground\", \"door\"]\n"
      "at = [[0, 0, 5], [0, 0, 0]]\nlength = 1";
  check_door(the_axis, the_axis + far, "door.toml:14:1: the bodies cannot be assembled");
  check_door(the_axis, the_axis + far, "worst is joint distance ground-door, by 1");
}
