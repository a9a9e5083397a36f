#pragma once
// Where a conical wheel touches a rail of circular profile, and how the gap between them changes.

#include <cmath>
#include <limits>

#include "core/types.hpp"

namespace daewave::problems {

/// Cone and circle, in m and rad.
struct WheelAndRail {
  double rN = 0.1;      ///< Nominal rolling radius.
  double d0 = 0.0262;   ///< Cone angle, rad.
  double a = 0.1506;    ///< Half of the distance of the wheels.
  double rho = 0.06;    ///< Radius of the profile of the rail.
  double least = 1e-5;  ///< Derailed where less than this of rho is left.

  double cone() const { return std::tan(d0); }
  /// Lateral distance of the centre of the circle from the middle of the track.
  double centre() const { return a + rho * std::sin(d0); }
};

/// Sines and cosines of yaw and roll.
template <class T>
struct Attitude {
  T s_yaw, c_yaw, s_roll, c_roll;

  Attitude(const T& yaw, const T& roll) {
    using std::cos, std::sin;
    s_yaw = sin(yaw);
    c_yaw = cos(yaw);
    s_roll = sin(roll);
    c_roll = cos(roll);
  }
};

/// One wheel at its contact point (psi, xi): angle about the axle, coordinate along it. With
/// p = (x, y, z, yaw, roll), side = 1 for the left wheel, xi > 0, and -1 for the right one,
///
///   R = rN + tan d0 (a - |xi|),   X = x + xi A + R B,   H(X) height of the rail,
///   gap = y + xi s_roll - R c_roll c_psi - H(X) = 0,    0 = (h1, h2): equal tangents.
///
/// `of(psi, xi)` takes any point, `touching()` finds that of equal tangents in closed form.
template <class T>
struct WheelContact {
  int side;
  T psi, xi;
  T s_psi, c_psi;
  T R;           ///< Radius of the wheel.
  double slope;  ///< R' = -side tan d0.
  T X;           ///< Lateral position of the contact point, m.
  T H, dH, ddH;  ///< Of the rail at X.
  T gap;         ///< > 0: lifted.
  T A, B;        ///< A = c_yaw c_roll, B = c_yaw s_roll c_psi - s_yaw s_psi.

  static WheelContact of(const WheelAndRail& data, int side, const VecOf<T, 5>& p,
                         const Attitude<T>& at, const T& psi, const T& xi) {
    using std::cos, std::sin;
    WheelContact contact;
    contact.take(data, side, at, psi);
    contact.xi = xi;
    contact.R = contact.R + contact.slope * xi;
    contact.X = p[0] + xi * contact.A + contact.R * contact.B;
    contact.rail(data);
    contact.gap = p[1] + xi * at.s_roll - contact.R * at.c_roll * contact.c_psi - contact.H;
    return contact;
  }

  /// For a yaw below pi/2: psi from h2 = 0, then the slope of the rail from h1 = 0, and X where the
  /// circle has it.
  static WheelContact touching(const WheelAndRail& data, int side, const VecOf<T, 5>& p,
                               const Attitude<T>& at) {
    using std::asin, std::sqrt;
    WheelContact contact;
    const double tau = -side * data.cone();
    const T product = at.s_yaw * at.s_roll;
    const T hypotenuse = sqrt(at.c_yaw * at.c_yaw + product * product);
    const T psi = asin(T(tau * at.s_yaw * at.c_roll / hypotenuse)) - asin(T(product / hypotenuse));
    contact.take(data, side, at, psi);
    const T tangent = (contact.B - tau * contact.A) / (tau * at.s_roll + at.c_roll * contact.c_psi);
    const T length = sqrt(1.0 + tangent * tangent);
    contact.X = side * data.centre() - data.rho * tangent / length;
    contact.xi = (contact.X - p[0] - contact.R * contact.B) / (contact.A + tau * contact.B);
    contact.R = contact.R + tau * contact.xi;
    contact.rail(data);
    contact.gap = p[1] + contact.xi * at.s_roll - contact.R * at.c_roll * contact.c_psi - contact.H;
    return contact;
  }

  /// (h1, h2), zero where the normals of wheel and rail are parallel.
  VecOf<T, 2> tangency(const Attitude<T>& at) const {
    VecOf<T, 2> h;
    h[0] = dH * (slope * at.s_roll + at.c_roll * c_psi) + slope * A - B;
    h[1] = slope * at.s_yaw * at.c_roll - at.s_yaw * at.s_roll * c_psi - at.c_yaw * s_psi;
    return h;
  }

  /// d gap / dp; at equal tangents the contact point adds nothing.
  VecOf<T, 5> G(const Attitude<T>& at) const {
    VecOf<T, 5> row;
    row[0] = -dH;
    row[1] = T(1.0);
    row[2] = T(0.0);
    row[3] =
        dH * (R * (at.c_yaw * s_psi + at.s_yaw * at.s_roll * c_psi) + xi * at.s_yaw * at.c_roll);
    row[4] = R * at.s_roll * c_psi + xi * at.c_roll -
             dH * (R * at.c_yaw * at.c_roll * c_psi - xi * at.c_yaw * at.s_roll);
    return row;
  }

  /// gap'' = G v' + curvature, with the rates of the contact point that follow from v.
  T curvature(const Attitude<T>& at, const VecOf<T, 5>& v) const;

 private:
  /// What does not depend on xi; R at xi = 0.
  void take(const WheelAndRail& data, int which, const Attitude<T>& at, const T& angle) {
    using std::cos, std::sin;
    side = which;
    slope = -side * data.cone();
    psi = angle;
    s_psi = sin(psi);
    c_psi = cos(psi);
    A = at.c_yaw * at.c_roll;
    B = at.c_yaw * at.s_roll * c_psi - at.s_yaw * s_psi;
    R = T(data.rN + data.a * data.cone());
  }

  /// H and its derivatives at X; NaN beside the rail.
  void rail(const WheelAndRail& data) {
    using std::sqrt;
    const T across = side * X - data.centre();
    T under = data.rho * data.rho - across * across;
    const double most = data.rho - data.least;
    if (!(under > data.rho * data.rho - most * most)) {
      under = T(std::numeric_limits<double>::quiet_NaN());
    }
    const T Z = sqrt(under);
    H = Z - data.rN - data.rho * std::cos(data.d0);
    dH = -side * across / Z;
    ddH = -data.rho * data.rho / (Z * Z * Z);
  }
};

template <class T>
T WheelContact<T>::curvature(const Attitude<T>& at, const VecOf<T, 5>& v) const {
  const T &s = at.s_yaw, &c = at.c_yaw, &sr = at.s_roll, &cr = at.c_roll;
  const T &yaw = v[3], &roll = v[4];
  const double tau = slope;
  // h2 = 0 differentiated.
  const T psi1 = (tau * (c * cr * yaw - s * sr * roll) - c * sr * c_psi * yaw -
                  s * cr * c_psi * roll + s * s_psi * yaw) /
                 (c * c_psi - s * sr * s_psi);
  const T A1 = -s * cr * yaw - c * sr * roll;
  const T A2 = -c * cr * (yaw * yaw + roll * roll) + 2.0 * s * sr * yaw * roll;
  const T e = sr * c_psi, e1 = cr * c_psi * roll - sr * s_psi * psi1;
  const T e2 = -sr * c_psi * (roll * roll + psi1 * psi1) - 2.0 * cr * s_psi * roll * psi1;
  const T B1 = -s * e * yaw + c * e1 - c * s_psi * yaw - s * c_psi * psi1;
  const T B2 = -c * e * yaw * yaw - 2.0 * s * e1 * yaw + c * e2 +
               s * s_psi * (yaw * yaw + psi1 * psi1) - 2.0 * c * c_psi * yaw * psi1;
  const T d1 = -sr * c_psi * roll - cr * s_psi * psi1;
  const T d2 = -cr * c_psi * (roll * roll + psi1 * psi1) + 2.0 * sr * s_psi * roll * psi1;
  // h1 = 0 differentiated gives X', and X = x + xi A + R B then xi'.
  const T X1 = -(dH * (tau * cr * roll + d1) + tau * A1 - B1) / (ddH * (tau * sr + cr * c_psi));
  const T xi1 = (X1 - v[0] - xi * A1 - R * B1) / (A + tau * B);
  const T rail2 = ddH * X1 * X1 + dH * (xi * A2 + 2.0 * xi1 * A1 + R * B2 + 2.0 * tau * xi1 * B1);
  const T wheel2 = -xi * sr * roll * roll + 2.0 * xi1 * cr * roll - R * d2 - 2.0 * tau * xi1 * d1;
  return wheel2 - rail2;
}

}  // namespace daewave::problems
