#pragma once
// Motions between two given configurations: boundary value problems of index 2 and 3.

#include <string>

#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "problems/slider_crank.hpp"

namespace daewave::problems {

/// Example 6.1 of [AL2] with x2 given at the other end.
struct Al2Example61Boundary : Al2Example61 {
  std::string name() const { return "al2-example6.1-bvp"; }
  Interval interval() const { return {0, 1}; }
  Vec<1> conditions(const State&, const State& right) const {
    return Vec<1>{right[1] - z_exact(1)[1]};
  }
  State guess(double t) const { return z_exact(0) + t * (z_exact(1) - z_exact(0)); }
};

/// Example 6.3 of [AL2], whose constraint is singular at t = 1/2, with x1 given at the other end.
struct Al2Example63Boundary : Al2Example63 {
  std::string name() const { return "al2-example6.3-bvp"; }
  Interval interval() const { return {0, 1}; }
  Vec<1> conditions(const State&, const State& right) const {
    return Vec<1>{right[0] - z_exact(1)[0]};
  }
  State guess(double t) const { return z_exact(0) + t * (z_exact(1) - z_exact(0)); }
};

/// The pendulum between where it is `from` seconds and `from + t_end` seconds after its release:
/// its height at the begin, how far out it is at the end. The guess is the straight line.
struct PendulumBetween : Pendulum {
  double from = 0.05;

  std::string name() const { return "pendulum-bvp"; }
  Interval interval() const { return {0, t_end}; }
  Vec<2> conditions(const Vec<4>& left, const Vec<4>& right) const {
    return {left[1] - exact(0)[1], right[0] - exact(t_end)[0]};
  }
  Vec<4> guess(double t) const {
    const Vec<4> left = exact(0), right = exact(t_end);
    Vec<4> z = left + t / t_end * (right - left);
    z.tail<2>() = (right - left).head<2>() / t_end;
    return z;
  }
  Vec<4> exact(double t) const { return z_exact(from + t); }
};

/// The two-link arm on the parabola, its first angle given at both ends of a second. From rest it
/// would come to -2.88.
struct ArmBetween : TwoLinkArm<ArmPath::parabola> {
  double last_angle = -2.9;  ///< rad.

  std::string name() const { return "two-link-arm-bvp"; }
  Interval interval() const { return {0, 1}; }
  Vec<2> conditions(const Vec<4>& left, const Vec<4>& right) const {
    return {left[0] - start()[0], right[0] - last_angle};
  }
  Vec<4> guess(double t) const {
    Vec<4> z = start();
    z[0] += t * (last_angle - z[0]);
    return z;
  }
};

/// The slider-crank from one angle of the crank to another, in a second. Between them, upright, the
/// constraints are dependent.
struct CrankBetween : SliderCrank {
  double first_angle = 1.2, last_angle = 2, seconds = 1;

  std::string name() const { return "slider-crank-bvp"; }
  Interval interval() const { return {0, seconds}; }
  Vec<2> conditions(const Vec<12>& left, const Vec<12>& right) const {
    return {left[2] - first_angle, right[2] - last_angle};
  }
  Vec<12> guess(double t) const {
    const double rate = (last_angle - first_angle) / seconds;
    return state(first_angle + rate * t, rate);
  }
};

}  // namespace daewave::problems
