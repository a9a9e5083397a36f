#pragma once
// A mass on a rail that hits a wall: event times are known in closed form.

#include <cmath>
#include <functional>
#include <vector>

#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::testing {

/// A mass on a straight rail, y = x / 2, with a force along it: s = sqrt(5)/2 x has s'' = force.
struct Rail {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  std::function<double(double s, double ds, double t)> force;

  static constexpr double stretch = 1.1180339887498949;
  static VecX state(double s, double ds) {
    VecX z(4);
    z << s / stretch, 0.5 * s / stretch, ds / stretch, 0.5 * ds / stretch;
    return z;
  }
  static double s(const VecX& z) { return stretch * z[0]; }
  static double ds(const VecX& z) { return stretch * z[2]; }

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position& q, const Position& v, double t) const {
    return force(stretch * q[0], stretch * v[0], t) * Position(1, 0.5) / stretch;
  }
  Vec<1> g(const Position& q, double) const { return Vec<1>(q[1] - 0.5 * q[0]); }
  Mat<1, 2> G(const Position&, double) const { return Mat<1, 2>(-0.5, 1); }
  Vec<1> g_t(const Position&, double) const { return Vec<1>::Zero(); }
  Vec<1> curvature(const Position&, const Position&, double) const { return Vec<1>::Zero(); }
};

/// The mass at s = 0 is thrown back with e times its speed.
inline ivp::Event impact(double e) {
  return {.name = "wall",
          .function = [](double, const VecX& z) { return Rail::s(z); },
          .direction = ivp::Event::Direction::falling,
          .change = [e](double, const VecX& z) { return Rail::state(0, -e * Rail::ds(z)); }};
}

/// A mass on a belt of speed 1, by a spring from s = 0: friction holds up to 2 and is 1 in slip,
/// 3 pi / 2 of slip after 2 of stick. `sticks` outlives rail and events, which set it.
struct StickSlip {
  Rail rail;
  std::vector<ivp::Event> events;
  explicit StickSlip(bool& sticks);
};

inline ivp::Options precise(std::vector<ivp::Event> events) {
  ivp::Options options;
  options.rtol = 1e-12;
  options.atol = 1e-12;
  options.events = std::move(events);
  return options;
}

ivp::Solution run(const Rail& rail, const VecX& start, const Interval& span,
                  const ivp::Options& options);
/// s'' = -s from s = 1.
ivp::Solution oscillate(const ivp::Options& options, const Interval& span);
/// s'' = -1 from s = 1/2, at rest.
ivp::Solution drop(const ivp::Options& options, double end);

}  // namespace daewave::testing
