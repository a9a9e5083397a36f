#pragma once
// A car axis on a bumpy road, of the Test Set for IVP Solvers: a chassis on two springs that are
// nearly stiff, driven through a constraint that depends on time.

#include <cmath>
#include <string>

#include "core/problem/terms.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// The left wheel stands in the origin, the right one at (xb, yb), which goes up and down; the ends
/// (xl, yl) and (xr, yr) of the chassis are on springs above them.      Test Set for IVP Solvers
///
///   yb = r sin(omega t),  xb = sqrt(L^2 - yb^2),  k = eps^2 M / 2,
///   k xl'' = (L0 - ll) xl / ll - (G^T lambda)_1,         k yl'' = (L0 - ll) yl / ll - k - ...,
///   k xr'' = (L0 - lr) (xr - xb) / lr - (G^T lambda)_3,  k yr'' = (L0 - lr) (yr - yb) / lr - k -
///   ..., 0 = xl xb + yl yb,  0 = (xl - xr)^2 + (yl - yr)^2 - L^2,
///
/// ll and lr being the lengths of the springs. q = (xl, yl, xr, yr). The source has lambda with the
/// other sign. No units.
struct CarAxis {
  using Position = Vec<4>;
  using Multiplier = Vec<2>;

  double eps = 1e-2;           ///< The springs' rates are 1 / eps^2.
  double M_chassis = 10;       ///< Its mass.
  double L = 1, L0 = 0.5;      ///< Of the chassis; of the springs at rest.
  double r = 0.1, omega = 10;  ///< Height and rate of the bumps.
  double t_end = 3;

  std::string name() const { return "car-axis"; }
  Interval interval() const { return {0, t_end}; }
  /// The chassis turns about its springs as the right wheel begins to rise.
  Vec<8> start() const {
    const double sideways = -L0 * r * omega / L;
    return {0, L0, L, L0, sideways, 0, sideways, 0};
  }

  static constexpr bool mass_constant = true;
  template <class T>
  Eigen::DiagonalMatrix<T, 4> M(const VecOf<T, 4>&) const {
    return Eigen::DiagonalMatrix<T, 4>(VecOf<T, 4>::Constant(T(weight())));
  }
  template <class T>
  VecOf<T, 4> f(const VecOf<T, 4>& q, const VecOf<T, 4>&, const T& t) const {
    return springs(q, road_at(t));
  }
  template <class Q, class Time>
  VecOf<typename Q::Scalar, 2> g(const Q& q, const Time& t) const {
    using std::sin, std::sqrt;
    using T = typename Q::Scalar;
    const T yb = r * sin(omega * t), xb = sqrt(L * L - yb * yb);
    const T x = q[0] - q[2], y = q[1] - q[3];
    return {q[0] * xb + q[1] * yb, x * x + y * y - L * L};
  }
  template <class T>
  MatOf<T, 2, 4> G(const VecOf<T, 4>& q, const T& t) const {
    return directions(q, road_at(t));
  }
  template <class T>
  VecOf<T, 2> g_t(const VecOf<T, 4>& q, const T& t) const {
    const Road<T> at = road_at(t);
    return {q[0] * at.x_rate + q[1] * at.y_rate, T(0)};
  }
  template <class T>
  VecOf<T, 2> curvature(const VecOf<T, 4>& q, const VecOf<T, 4>& v, const T& t) const {
    return bend(q, v, road_at(t));
  }

  /// Of numbers, or of lanes.
  template <class T, class Terms>
  void terms(const VecOf<T, 4>& q, const VecOf<T, 4>& v, const T& t, Terms& at) const {
    const Road<T> road = road_at(t);
    at.M.diagonal().setConstant(T(weight()));
    at.f = springs(q, road);
    at.G = directions(q, road);
    const T x = q[0] - q[2], y = q[1] - q[3];
    at.position[0] = q[0] * road.x + q[1] * road.y;
    at.position[1] = x * x + y * y - L * L;
    at.g_t[0] = q[0] * road.x_rate + q[1] * road.y_rate;
    at.g_t[1] = T(0);
    at.curvature = bend(q, v, road);
  }

 private:
  double weight() const { return eps * eps * M_chassis / 2; }

  /// Under the right wheel, with derivatives in time.
  template <class T>
  struct Road {
    T x, y, x_rate, y_rate, x_bend, y_bend;
  };
  template <class T>
  Road<T> road_at(const T& t) const {
    using std::cos, std::sin, std::sqrt;
    Road<T> at;
    at.y = r * sin(omega * t);
    at.y_rate = r * omega * cos(omega * t);
    at.y_bend = -omega * omega * at.y;
    at.x = sqrt(L * L - at.y * at.y);
    const T inverse = 1.0 / at.x;
    at.x_rate = -at.y * at.y_rate * inverse;
    at.x_bend = -(at.y_rate * at.y_rate + at.y * at.y_bend + at.x_rate * at.x_rate) * inverse;
    return at;
  }

  template <class T>
  VecOf<T, 4> springs(const VecOf<T, 4>& q, const Road<T>& road) const {
    using std::sqrt;
    const T x = q[2] - road.x, y = q[3] - road.y;
    const T left = L0 / sqrt(q[0] * q[0] + q[1] * q[1]) - 1.0;
    const T right = L0 / sqrt(x * x + y * y) - 1.0;
    return {left * q[0], left * q[1] - weight(), right * x, right * y - weight()};
  }
  template <class T>
  static MatOf<T, 2, 4> directions(const VecOf<T, 4>& q, const Road<T>& road) {
    const T x = 2.0 * (q[0] - q[2]), y = 2.0 * (q[1] - q[3]);
    MatOf<T, 2, 4> G;
    G(0, 0) = road.x;
    G(0, 1) = road.y;
    G(0, 2) = G(0, 3) = T(0);
    G(1, 0) = x;
    G(1, 1) = y;
    G(1, 2) = -x;
    G(1, 3) = -y;
    return G;
  }
  template <class T>
  static VecOf<T, 2> bend(const VecOf<T, 4>& q, const VecOf<T, 4>& v, const Road<T>& road) {
    const T x = v[0] - v[2], y = v[1] - v[3];
    return {
        2.0 * (v[0] * road.x_rate + v[1] * road.y_rate) + q[0] * road.x_bend + q[1] * road.y_bend,
        2.0 * (x * x + y * y)};
  }
};

}  // namespace daewave::problems
