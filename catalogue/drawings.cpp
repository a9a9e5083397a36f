#include "catalogue/drawings.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "problems/andrews.hpp"
#include "problems/truck.hpp"

namespace daewave::catalogue {
namespace {

using Kind = DrawnPart::Kind;
constexpr int on_ground = -1;

/// Frames and parts, one after the other.
class Sketch {
 public:
  int body(const std::string& name, const std::vector<std::array<double, 2>>& points) {
    const auto frame = static_cast<int>(drawing_.frames.size());
    drawing_.frames.push_back({name, 3 * frame});
    std::vector<DrawnPoint> drawn;
    for (const auto& [x, y] : points) drawn.push_back({frame, {x, y, 0}});
    add(Kind::body, name, std::move(drawn));
    return frame;
  }
  void pin(int frame, double x, double y) { add(Kind::pin, "joint", {{frame, {x, y, 0}}}); }
  void disk(const std::string& name, int frame, double radius) {
    add(Kind::disk, name, {{frame, {}}});
    drawing_.parts.back().radius = radius;
  }
  /// A point that slides along the x axis.
  void slider(int frame, double x) {
    add(Kind::line, "slide", {{on_ground, {}}});
    drawing_.parts.back().axis = {1, 0, 0};
    add(Kind::slider, "slide", {{frame, {x, 0, 0}}});
  }
  void rod(int first, int second) { add(Kind::rod, "rod", {{first, {}}, {second, {}}}); }
  void spring(int first, std::array<double, 2> a, int second, std::array<double, 2> b) {
    add(Kind::spring, "spring", {{first, {a[0], a[1], 0}}, {second, {b[0], b[1], 0}}});
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void add(Kind kind, const std::string& name, std::vector<DrawnPoint> points) {
    drawing_.parts.push_back({kind, name, std::move(points), {}, 0});
  }

  Drawing drawing_;
};

/// Absolute coordinates: the positions are the poses.
VecX as_they_are(const VecX& state) { return state.head(state.size() / 2); }

DrawnMotion slider_crank() {
  Sketch sketch;
  const int crank = sketch.body("crank", {{-0.5, 0}, {0.5, 0}});
  const int rod = sketch.body("rod", {{-0.5, 0}, {0.5, 0}});
  sketch.pin(crank, -0.5, 0);
  sketch.pin(rod, -0.5, 0);
  sketch.slider(rod, 0.5);
  return {sketch.take(), as_they_are};
}

DrawnMotion chain(const VecX& state) {
  Sketch sketch;
  for (int i = 0; i < static_cast<int>(state.size()) / 6; ++i) {
    const int rod = sketch.body("rod " + std::to_string(i + 1), {{-0.5, 0}, {0.5, 0}});
    sketch.pin(rod, -0.5, 0);
  }
  return {sketch.take(), as_they_are};
}

DrawnMotion scissors(const VecX& state) {
  Sketch sketch;
  const int rods = static_cast<int>(state.size()) / 6;
  for (int i = 0; i < rods; ++i) {
    const int rod = sketch.body("rod " + std::to_string(i + 1), {{-0.5, 0}, {0.5, 0}});
    sketch.pin(rod, 0.5, 0);
    if (i % 2 == 0) sketch.pin(rod, 0, 0);
    if (i == 0) sketch.pin(rod, -0.5, 0);
    if (i == 1) sketch.slider(rod, -0.5);
  }
  return {sketch.take(), as_they_are};
}

DrawnMotion pendulum() {
  Sketch sketch;
  const int bob = sketch.body("bob", {});
  sketch.rod(on_ground, bob);
  sketch.disk("bob", bob, 0.05);
  sketch.pin(on_ground, 0, 0);
  return {sketch.take(), [](const VecX& state) { return VecX(Vec<3>(state[0], state[1], 0)); }};
}

/// Two rods of length 1, the second at an angle to the first.
DrawnMotion arm(bool slides) {
  Sketch sketch;
  const int upper = sketch.body("rod 1", {{0, 0}, {1, 0}});
  const int lower = sketch.body("rod 2", {{0, 0}, {1, 0}});
  sketch.pin(upper, 0, 0);
  sketch.pin(lower, 0, 0);
  if (slides) {
    sketch.slider(lower, 1);
  } else {
    sketch.pin(lower, 1, 0);
  }
  return {sketch.take(), [](const VecX& state) {
            const double a = state[0], b = state[0] + state[1];
            return VecX{{0, 0, a, std::cos(a), std::sin(a), b}};
          }};
}

DrawnMotion andrews() {
  using A = problems::Andrews;
  Sketch sketch;
  const int k1 = sketch.body("K1", {{0, 0}, {A::rr, 0}});
  const int k2 = sketch.body("K2", {{0, 0}, {-A::d, 0}});
  const int k3 = sketch.body("K3", {{0, 0}, {0, -A::ss}, {A::sd, -A::sc}});
  const int k5 = sketch.body("K5", {{0, 0}, {A::zt, 0}});
  const int k4 = sketch.body("K4", {{0, 0}, {0, -A::e}});
  const int k7 = sketch.body("K7", {{0, 0}, {0, -A::u}});
  const int k6 = sketch.body("K6", {{0, 0}, {A::zf, 0}});
  for (const int frame : {k1, k2, k3, k4, k5, k6}) sketch.pin(frame, 0, 0);
  sketch.pin(k2, -A::d, 0);
  sketch.pin(k7, 0, -A::u);
  sketch.spring(on_ground, {A::xc, A::yc}, k3, {A::sd, -A::sc});
  return {sketch.take(), [](const VecX& q) {
            const double beta = q[0], gamma = q[2], delta = q[4], eps = q[6];
            return VecX{{0,
                         0,
                         beta,  //
                         A::rr * std::cos(beta),
                         A::rr * std::sin(beta),
                         beta + q[1],
                         A::xb,
                         A::yb,
                         gamma,
                         A::xa,
                         A::ya,
                         delta,
                         A::xa + A::zt * std::cos(delta),
                         A::ya + A::zt * std::sin(delta),
                         q[3] + delta,
                         A::xa,
                         A::ya,
                         eps,
                         A::xa + A::u * std::sin(eps),
                         A::ya - A::u * std::cos(eps),
                         q[5] + eps}};
          }};
}

DrawnMotion truck() {
  using T = problems::Truck;
  constexpr double wheel = 0.5;
  Sketch sketch;
  const int rear = sketch.body("rear axle", {});
  const int chassis = sketch.body(
      "chassis",
      {{T::chassis_joint[0], T::chassis_joint[1]}, {3.64, 0}, {2.44, -1.34}, {-2.06, -1.34}});
  const int front = sketch.body("front axle", {});
  const int cabin = sketch.body("cabin", {{-0.8, 0}, {0.9, 0}});
  const int load = sketch.body("load", {{T::load_joint[0], T::load_joint[1]}, {2.44, 0}});
  sketch.disk("rear wheel", rear, wheel);
  sketch.disk("front wheel", front, wheel);
  sketch.pin(load, T::load_joint[0], T::load_joint[1]);
  sketch.spring(rear, {0, 0}, chassis, {-2.06, -1.34});
  sketch.spring(front, {0, 0}, chassis, {2.44, -1.34});
  sketch.spring(chassis, {1.94, 0}, cabin, {-0.8, 0});
  sketch.spring(chassis, {3.64, 0}, cabin, {0.9, 0});
  sketch.spring(chassis, {0.98, 0}, load, {2.44, 0});
  return {sketch.take(), [](const VecX& p) {
            return VecX{{T::rear_x, p[0], 0, 0, p[1], p[2], T::front_x, p[3], 0, T::cabin_x, p[4],
                         p[5], p[6], p[7], p[8]}};
          }};
}

}  // namespace

DrawnMotion drawn_motion(const std::string& name, const VecX& state) {
  if (name == "slider-crank") return slider_crank();
  if (name == "chain") return chain(state);
  if (name == "scissors") return scissors(state);
  if (name == "pendulum" || name == "eich-pendulum") return pendulum();
  if (name == "two-link-arm-1" || name == "two-link-arm-2") return arm(false);
  if (name == "al2-example6.4") return arm(true);
  if (name == "andrews") return andrews();
  if (name == "truck") return truck();
  return {};
}

}  // namespace daewave::catalogue
