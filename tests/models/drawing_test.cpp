// What a model says about how it looks: where its state puts what is drawn.

#include <cmath>
#include <string>

#include "models/model.hpp"
#include "tests/catch.hpp"
#include "tests/source_folder.hpp"

using namespace daewave;
using namespace daewave::models;
using Catch::Matchers::WithinAbs;

namespace {

Eigen::Vector2d place_of(const Model& model, const DrawnPoint& point) {
  const Eigen::Vector2d at(point.at[0], point.at[1]);
  if (point.frame < 0) return at;
  const int first = model.drawing.frames[static_cast<std::size_t>(point.frame)].first;
  const double c = std::cos(model.start[first + 2]), s = std::sin(model.start[first + 2]);
  return model.start.segment<2>(first) +
         Eigen::Vector2d(c * at.x() - s * at.y(), s * at.x() + c * at.y());
}

}  // namespace

TEST_CASE("what is drawn of a slider-crank hangs together at its start", "[models]") {
  const Model model = read_model(testing::in_source("examples/models/slider-crank.toml"));
  using Kind = DrawnPart::Kind;
  REQUIRE(model.drawing.frames.size() == 2);
  CHECK(model.drawing.frames[1].name == "rod");
  CHECK(model.drawing.frames[1].first == 3);
  REQUIRE(model.state_units.size() == 12);
  CHECK(model.state_units[5] == "rad");
  CHECK(model.state_units[6] == "m/s");
  std::vector<DrawnPart> bodies, pins, sliders;
  for (const DrawnPart& part : model.drawing.parts) {
    if (part.kind == Kind::body) bodies.push_back(part);
    if (part.kind == Kind::pin) pins.push_back(part);
    if (part.kind == Kind::slider) sliders.push_back(part);
  }
  REQUIRE(bodies.size() == 2);
  REQUIRE(pins.size() == 2);
  REQUIRE(sliders.size() == 1);
  // Each body is drawn from one joint to the other.
  for (const DrawnPart& body : bodies) CHECK(body.points.size() == 2);
  CHECK_THAT(place_of(model, pins[0].points[0]).norm(), WithinAbs(0, 1e-13));
  const Eigen::Vector2d elbow = place_of(model, pins[1].points[0]);
  CHECK_THAT((place_of(model, bodies[0].points[1]) - elbow).norm(), WithinAbs(0, 1e-13));
  CHECK_THAT(place_of(model, sliders[0].points[0]).y(), WithinAbs(0, 1e-13));
}

TEST_CASE("springs, rods, lines and disks are drawn where they are", "[models]") {
  const Model model = model_of(R"(
[[body]]
name = "disk"
mass = 1
inertia = 0.5
position = [0, 1]
[[body]]
name = "bob"
mass = 1
inertia = 1
position = [2, 1]
[[joint]]
type = "rolling"
between = ["ground", "disk"]
axis = [1, 0]
radius = 1
[[joint]]
type = "distance"
between = ["disk", "bob"]
length = 2
[[force]]
type = "spring_damper"
between = ["ground", "bob"]
at = [[5, 1], [0, 0]]
k = 1
)",
                               "rolling.toml");
  const auto only = [&](DrawnPart::Kind kind) {
    std::vector<DrawnPart> found;
    for (const DrawnPart& part : model.drawing.parts) {
      if (part.kind == kind) found.push_back(part);
    }
    REQUIRE(found.size() == 1);
    return found.front();
  };
  CHECK(only(DrawnPart::Kind::disk).radius == 1);
  CHECK(only(DrawnPart::Kind::disk).points[0].frame == 0);
  CHECK(only(DrawnPart::Kind::line).axis[0] == 1);
  CHECK(only(DrawnPart::Kind::line).points[0].frame == -1);
  CHECK(only(DrawnPart::Kind::rod).points.size() == 2);
  CHECK(only(DrawnPart::Kind::spring).points[0].at[0] == 5);
}
