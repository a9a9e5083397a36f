#pragma once
// The planar slider-crank with two equal bars of [AL2] section 5 and Example 6.5.

#include <cmath>
#include <numbers>
#include <string>

#include "core/terms.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// Where the slider-crank starts; both are on the branch phi2 = 2 pi - phi1.
enum class SliderCrankStart {
  at_rest,  ///< phi1 = 7 pi / 4, hanging swing about phi1 = 3 pi / 2 of period 3.0381382.
  turning,  ///< phi1 = pi / 4, phi1' = 2 sqrt 2: the crank goes round.
};

/// Two uniform bars of length L and mass m: bar 1 turns about the origin, bar 2 joins its end to a
/// slider on the x axis; gravity along -y.                            [AL2] section 5, Example 6.5
///
///   q = (x1, y1, phi1, x2, y2, phi2): centre of mass and angle of each bar, m and rad;
///   M = diag(m, m, m L^2/12, m, m, m L^2/12),   f = (0, -m g, 0, 0, -m g, 0),
///   0 = (x1 - L/2 c1,  y1 - L/2 s1,  x2 - L c1 - L/2 c2,  y2 - L s1 - L/2 s2,  L (s1 + s2)).
///
/// The last row of G vanishes where the bars lie on each other: at (phi1, phi2) = (pi/2, 3 pi/2)
/// and (3 pi/2, pi/2); the solution passes through smoothly. The source gives no L, m, g: the
/// defaults are chosen. Energy in J.
struct SliderCrank {
  using Position = Vec<6>;
  using Multiplier = Vec<5>;

  double L = 1;      ///< m.
  double m = 1;      ///< kg.
  double g0 = 9.81;  ///< Gravity, m / s^2.
  SliderCrankStart from = SliderCrankStart::at_rest;

  std::string name() const { return "slider-crank"; }
  Interval interval() const { return {0, from == SliderCrankStart::at_rest ? 70.0 : 10.0}; }

  double phi1_start() const {
    return (from == SliderCrankStart::at_rest ? 1.75 : 0.25) * std::numbers::pi;
  }
  double rate_start() const {
    return from == SliderCrankStart::at_rest ? 0 : 2 * std::numbers::sqrt2;
  }
  Vec<12> start() const { return state(phi1_start(), rate_start()); }

  /// (q, v) of the mechanism at crank angle phi1 and rate phi1', with phi2 = 2 pi - phi1.
  Vec<12> state(double phi1, double rate) const {
    const double s = std::sin(phi1), c = std::cos(phi1), l = L / 2, w = rate;
    Vec<12> z;
    z << l * c, l * s, phi1, 3 * l * c, l * s, 2 * std::numbers::pi - phi1,  //
        -l * s * w, l * c * w, w, -3 * l * s * w, l * c * w, -w;
    return z;
  }

  Eigen::DiagonalMatrix<double, 6> M(const Position&) const {
    const double J = m * L * L / 12;
    return Eigen::DiagonalMatrix<double, 6>(Position{m, m, J, m, m, J});
  }
  Position f(const Position&, const Position&, double) const {
    return {0, -m * g0, 0, 0, -m * g0, 0};
  }

  template <class Q, class Time>
  VecOf<typename Q::Scalar, 5> g(const Q& q, Time) const {
    using std::cos, std::sin;
    using T = typename Q::Scalar;
    const T s1 = sin(q[2]), c1 = cos(q[2]), s2 = sin(q[5]), c2 = cos(q[5]);
    const double l = L / 2;
    VecOf<T, 5> residual;
    residual[0] = q[0] - l * c1;
    residual[1] = q[1] - l * s1;
    residual[2] = q[3] - L * c1 - l * c2;
    residual[3] = q[4] - L * s1 - l * s2;
    residual[4] = L * (s1 + s2);
    return residual;
  }

  Mat<5, 6> G(const Position& q, double) const {
    Mat<5, 6> jacobian;
    fill_jacobian(std::sin(q[2]), std::cos(q[2]), std::sin(q[5]), std::cos(q[5]), jacobian);
    return jacobian;
  }
  Multiplier g_t(const Position&, double) const { return Multiplier::Zero(); }
  Multiplier curvature(const Position& q, const Position& v, double) const {
    Multiplier gamma;
    fill_curvature(std::sin(q[2]), std::cos(q[2]), std::sin(q[5]), std::cos(q[5]), v, gamma);
    return gamma;
  }

  void terms(const Position& q, const Position& v, double t, MultibodyTerms<SliderCrank>& at) const;

  /// J.
  double energy(const Position& q, const Position& v) const {
    return v.dot(M(q) * v) / 2 + m * g0 * (q[1] + q[4]);
  }

 private:
  void fill_jacobian(double s1, double c1, double s2, double c2, Mat<5, 6>& jacobian) const {
    const double l = L / 2;
    jacobian << 1, 0, l * s1, 0, 0, 0,  //
        0, 1, -l * c1, 0, 0, 0,         //
        0, 0, L * s1, 1, 0, l * s2,     //
        0, 0, -L * c1, 0, 1, -l * c2,   //
        0, 0, L * c1, 0, 0, L * c2;
  }
  void fill_curvature(double s1, double c1, double s2, double c2, const Position& v,
                      Multiplier& gamma) const {
    const double l = L / 2, w1 = v[2] * v[2], w2 = v[5] * v[5];
    gamma << l * c1 * w1, l * s1 * w1, L * c1 * w1 + l * c2 * w2, L * s1 * w1 + l * s2 * w2,
        -L * (s1 * w1 + s2 * w2);
  }
};

inline void SliderCrank::terms(const Position& q, const Position& v, double,
                               MultibodyTerms<SliderCrank>& at) const {
  const double s1 = std::sin(q[2]), c1 = std::cos(q[2]);
  const double s2 = std::sin(q[5]), c2 = std::cos(q[5]);
  const double l = L / 2, J = m * L * L / 12;
  at.M.diagonal() << m, m, J, m, m, J;
  at.f << 0, -m * g0, 0, 0, -m * g0, 0;
  at.position << q[0] - l * c1, q[1] - l * s1, q[3] - L * c1 - l * c2, q[4] - L * s1 - l * s2,
      L * (s1 + s2);
  at.g_t.setZero();
  fill_jacobian(s1, c1, s2, c2, at.G);
  fill_curvature(s1, c1, s2, c2, v, at.curvature);
}

}  // namespace daewave::problems
