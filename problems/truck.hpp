#pragma once
// A truck in the plane that drives over a hump: rear axle, front axle, chassis, cabin, loading
// area. The test problem of [AFS] section 5, from Eich-Soellner and Fuehrer, Numerical Methods in
// Multibody Dynamics.

#include <cmath>
#include <string>

#include "core/problem/terms.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// How the horizontal part of the suspension forces turns the chassis.
enum class ChassisMoment {
  virtual_work,  ///< r x F.
  as_published,  ///< With the other sign in its cos p3 part, as in the published equations.
};

/// The plane truck whose loading area is joined to the chassis.                        [AFS]
/// section 5
///
///   p = (y of the rear axle;  y, pitch of the chassis;  y of the front axle;  y, pitch of the
///        cabin;  x, y, pitch of the loading area), m and rad;  M v' = F(p, v, t) - G^T lambda.
///
/// Seven springs with dampers join them: with rho from A to B and l = |rho|,
///
///   s = k l + d (rho . rho') / l + n,   the force on A is s rho / l, on B the opposite.
///
/// Places of axles, chassis and cabin along x are given, so that only the vertical part of forces
/// moves them. 0 = g holds the joint of the loading area to that of the chassis. The tyres run over
/// y = w(s - s0) with w(s) = s^6 e^-s / 1000, a hump of 12 cm, the rear ones 0.3 s after the front
/// ones; at rest before, in equilibrium. w has five derivatives at s = 0. SI units.
///
/// lambda is minus that of the source, which writes + G^T lambda.
struct Truck {
  using Position = Vec<9>;
  using Multiplier = Vec<2>;

  double pace = 1;  ///< The hump is w(pace s): 15 takes a fifteenth of the time, pace > 0.
  ChassisMoment moment = ChassisMoment::virtual_work;
  double t_end = 4;  ///< s.

  static constexpr double gravity = 9.81;
  static constexpr double first_delay = 2.0 / 15, wheel_delay = 0.3;  ///< s.
  static constexpr double rear_x = -2.06, front_x = 2.44, cabin_x = 2.74;
  static constexpr double chassis_joint[2] = {-3.07, 0.15}, load_joint[2] = {-1.61, -0.75};

  std::string name() const { return "truck"; }
  Interval interval() const { return {0, t_end}; }
  Vec<18> start() const {
    Vec<18> z = Vec<18>::Zero();
    z.head<9>() << 0.5, 2, 0, 0.5, 2.9, 0, -1.46, 2.9, 0;
    return z;
  }

  static constexpr bool mass_constant = true;
  Eigen::DiagonalMatrix<double, 9> M(const Position&) const {
    Position m;
    m << 1450, 3335, 14313, 600, 1100, 948, 11515, 11515, 33000;
    return Eigen::DiagonalMatrix<double, 9>(m);
  }
  Position f(const Position& p, const Position& v, double t) const;

  template <class Q, class Time>
  VecOf<typename Q::Scalar, 2> g(const Q& p, Time) const {
    using std::cos, std::sin;
    using T = typename Q::Scalar;
    const T s3 = sin(p[2]), c3 = cos(p[2]), s9 = sin(p[8]), c9 = cos(p[8]);
    VecOf<T, 2> residual;
    residual[0] = p[6] + load_joint[0] * c9 - load_joint[1] * s9 -
                  (chassis_joint[0] * c3 - chassis_joint[1] * s3);
    residual[1] = p[7] + load_joint[0] * s9 + load_joint[1] * c9 - p[1] -
                  (chassis_joint[0] * s3 + chassis_joint[1] * c3);
    return residual;
  }
  Mat<2, 9> G(const Position& p, double) const {
    const Vec<2> a = turned(chassis_joint[0], chassis_joint[1], p[2]);
    const Vec<2> c = turned(load_joint[0], load_joint[1], p[8]);
    Mat<2, 9> jacobian = Mat<2, 9>::Zero();
    jacobian(0, 2) = a[1];
    jacobian(0, 6) = 1;
    jacobian(0, 8) = -c[1];
    jacobian(1, 1) = -1;
    jacobian(1, 2) = -a[0];
    jacobian(1, 7) = 1;
    jacobian(1, 8) = c[0];
    return jacobian;
  }
  Multiplier g_t(const Position&, double) const { return Multiplier::Zero(); }
  Multiplier curvature(const Position& p, const Position& v, double) const {
    return turned(chassis_joint[0], chassis_joint[1], p[2]) * (v[2] * v[2]) -
           turned(load_joint[0], load_joint[1], p[8]) * (v[8] * v[8]);
  }

  /// Height of the hump and its rate at a time after the front tyres' or the rear ones' begin.
  Vec<2> road(double s) const {
    if (s <= 0) return Vec<2>::Zero();
    const double u = pace * s, u5 = u * u * u * u * u;
    return 1e-3 * std::exp(-u) * u5 * Vec<2>(u, pace * (6 - u));
  }

 private:
  /// A point and its velocity.
  struct Place {
    Vec<2> r, rate;
  };
  static Vec<2> turned(double x, double y, double angle) {
    const double s = std::sin(angle), c = std::cos(angle);
    return {x * c - y * s, x * s + y * c};
  }
  static Place fixed(const Vec<2>& arm, const Vec<2>& origin, const Vec<2>& velocity, double rate) {
    return {origin + arm, velocity + rate * Vec<2>(-arm[1], arm[0])};
  }
  /// On A.
  static Vec<2> force(const Place& A, const Place& B, double k, double d, double n) {
    const Vec<2> rho = B.r - A.r;
    const double l = rho.norm();
    return ((k * l + d * rho.dot(B.rate - A.rate) / l + n) / l) * rho;
  }
  static double torque(const Vec<2>& arm, const Vec<2>& F) { return arm[0] * F[1] - arm[1] * F[0]; }
};

inline Truck::Position Truck::f(const Position& p, const Position& v, double t) const {
  const auto on_chassis = [&](const Vec<2>& arm) { return fixed(arm, {0, p[1]}, {0, v[1]}, v[2]); };
  const auto on_cabin = [&](const Vec<2>& arm) {
    return fixed(arm, {cabin_x, p[4]}, {0, v[4]}, v[5]);
  };
  const auto at = [](double x, const Vec<2>& y) { return Place{{x, y[0]}, {0, y[1]}}; };
  const Vec<2> a12 = turned(-2.06, -1.34, p[2]), a23 = turned(2.44, -1.34, p[2]);
  const Vec<2> a24 = turned(1.94, 0, p[2]), a42 = turned(3.64, 0, p[2]),
               a25 = turned(0.98, 0, p[2]);
  const Vec<2> b24 = turned(-0.8, 0, p[5]), b42 = turned(0.9, 0, p[5]);
  const Vec<2> c25 = turned(2.44, 0, p[8]);

  const Place rear = at(rear_x, {p[0], v[0]}), front = at(front_x, {p[3], v[3]});
  const double since = t - first_delay;
  const Vec<2> F10 = force(at(rear_x, road(since - wheel_delay)), rear, 4.4e6, 600, -2.329145162e6);
  const Vec<2> F30 = force(at(front_x, road(since)), front, 2.2e6, 300, -1.147434838e6);
  const Vec<2> F12 = force(rear, on_chassis(a12), 8.247e5, 21593, -0.246872662e6);
  const Vec<2> F23 = force(front, on_chassis(a23), 2.711e5, 38537, -0.084924838e6);
  const Vec<2> F24 = force(on_chassis(a24), on_cabin(b24), 1.357e5, 12218, -0.12784288235294e6);
  const Vec<2> F42 = force(on_chassis(a42), on_cabin(b42), 1.357e5, 12218, -0.12720811764706e6);
  const Place load = fixed(c25, p.segment<2>(6), v.segment<2>(6), v[8]);
  const Vec<2> F25 = force(on_chassis(a25), load, 9e5, 38500, -0.85490594111111e6);

  double turn =
      torque(a24, F24) + torque(a42, F42) + torque(a25, F25) - torque(a12, F12) - torque(a23, F23);
  if (moment == ChassisMoment::as_published) {
    turn += 2 * 1.34 * std::cos(p[2]) * (F12[0] + F23[0]);
  }
  Position F;
  F << F12[1] - F10[1] - 1450 * gravity,                                        //
      F24[1] + F42[1] + F25[1] - F12[1] - F23[1] - 3335 * gravity, turn,        //
      F23[1] - F30[1] - 600 * gravity,                                          //
      -F24[1] - F42[1] - 1100 * gravity, -torque(b24, F24) - torque(b42, F42),  //
      -F25[0], -F25[1] - 11515 * gravity, -torque(c25, F25);
  return F;
}

}  // namespace daewave::problems
