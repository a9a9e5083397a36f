#pragma once
// Andrews' squeezing mechanism: seven rigid bodies in the plane, frictionless pins, no gravity.
// [ACPR] Example 3

#include <cmath>
#include <string>
#include <type_traits>

#include "core/blocks/small_lu.hpp"
#include "core/machine/sine_cosine.hpp"
#include "core/problem/terms.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// K1 turns about the origin under a constant torque and carries K2; K3 swings about B and is
/// pulled by a spring; K5 with K4 and K7 with K6 swing about A; K2, K3, K4 and K6 meet in the pin
/// P = (X, Y). One degree of freedom, q = (beta, theta, gamma, Phi, delta, Omega, eps) in rad; SI
/// units. With bt = beta + theta, pd = Phi + delta, oe = Omega + eps,
///
///   X = rr cos beta - d cos bt,  Y = rr sin beta - d sin bt,
///   0 = X - ss sin gamma - xb                  0 = Y + ss cos gamma - yb
///   0 = X - e sin pd - zt cos delta - xa       0 = Y + e cos pd - zt sin delta - ya
///   0 = X - zf cos oe - u sin eps - xa         0 = Y - zf sin oe + u cos eps - ya
///
/// beta is not reduced modulo 2 pi. Scales: |v| to 1e3 rad/s, |v'| to 5e5, |lambda| to 2e2 N: one
/// absolute tolerance does not suit all of them. Energy in J.
struct Andrews {
  using Position = Vec<7>;
  using Multiplier = Vec<6>;

  double t_end = 0.03;  ///< s; 0.3 in [ACPR].

  std::string name() const { return "andrews"; }
  Interval interval() const { return {0, t_end}; }

  /// At rest with theta = 0; the other angles by Newton's method, which a guess leads to one of the
  /// ways the mechanism can be assembled, once.
  Vec<14> start() const;

  Mat<7, 7> M(const Position& q) const;
  Position f(const Position& q, const Position& v, double t) const;
  Multiplier g(const Position& q, double t) const;
  Mat<6, 7> G(const Position& q, double t) const;
  Multiplier g_t(const Position&, double) const { return Multiplier::Zero(); }
  Multiplier curvature(const Position& q, const Position& v, double t) const;
  /// Of numbers, or of lanes.
  template <class T, class Terms>
  void terms(const VecOf<T, 7>& q, const VecOf<T, 7>& v, const T& t, Terms& at) const;
  /// G, position and g_t of them.
  void constraint_terms(const Position& q, double t, MultibodyTerms<Andrews>& at) const;

  /// v^T M v / 2 + c0 (L - l0)^2 / 2 - mom beta, L the length of the spring.
  double energy(const Position& q, const Position& v) const;
  /// From C to the pin D on K3, m.
  double spring_length(const Position& q) const;

  // Masses, kg; moments of inertia about the centres of mass, kg m^2.
  static constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050,
                          m6 = 0.00706, m7 = 0.05498;
  static constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5,
                          I6 = 5.667e-7, I7 = 1.912e-5;
  // Fixed points A, B, C; lengths, m.
  static constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014,
                          yc = 0.072;
  static constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092,
                          ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02,
                          ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449,
                          zf = 0.02, zt = 0.04, fa = 0.01421;
  // Spring, N/m and m; torque on K1, N m.
  static constexpr double c0 = 4530, l0 = 0.07785, mom = 0.033;

 private:
  Vec<14> assemble() const;

  /// Sines and cosines of the angles, and of their sums, once.
  template <class T>
  struct SinesOf {
    explicit SinesOf(const VecOf<T, 7>& q);
    T s_beta, c_beta, s_theta, c_theta, s_gamma, c_gamma, s_Phi, c_Phi, s_delta, c_delta, s_Omega,
        c_Omega, s_eps, c_eps, s_bt, c_bt, s_pd, c_pd, s_oe, c_oe;
  };
  using Sines = SinesOf<double>;
  template <class T>
  static void mass(const SinesOf<T>& at, MatOf<T, 7, 7>& M);
  template <class T>
  static void force(const SinesOf<T>& at, const VecOf<T, 7>& v, VecOf<T, 7>& f);
  template <class T>
  static void constraint(const SinesOf<T>& at, VecOf<T, 6>& g);
  template <class T>
  static void jacobian(const SinesOf<T>& at, MatOf<T, 6, 7>& G);
  template <class T>
  static void bend(const SinesOf<T>& at, const VecOf<T, 7>& v, VecOf<T, 6>& curvature);

  template <class T>
  struct Spring {
    explicit Spring(const SinesOf<T>& at)
        : x(sd * at.c_gamma + sc * at.s_gamma + xb - xc),
          y(sd * at.s_gamma - sc * at.c_gamma + yb - yc),
          length(root(x * x + y * y)) {}
    static T root(const T& squares) {
      using std::sqrt;
      return sqrt(squares);
    }
    T x, y, length;  ///< From C to D.
  };
};

template <class T>
[[gnu::always_inline]] inline Andrews::SinesOf<T>::SinesOf(const VecOf<T, 7>& q) {
  using std::cos, std::sin;
  T s[7], c[7];
  if constexpr (std::is_same_v<T, double>) {
    sines_and_cosines(q.data(), 1, 7, s, c);
  } else {
    for (int i = 0; i < 7; ++i) s[i] = sin(q[i]), c[i] = cos(q[i]);
  }
  s_beta = s[0], c_beta = c[0];
  s_theta = s[1], c_theta = c[1];
  s_gamma = s[2], c_gamma = c[2];
  s_Phi = s[3], c_Phi = c[3];
  s_delta = s[4], c_delta = c[4];
  s_Omega = s[5], c_Omega = c[5];
  s_eps = s[6], c_eps = c[6];
  s_bt = s_beta * c_theta + c_beta * s_theta;
  c_bt = c_beta * c_theta - s_beta * s_theta;
  s_pd = s_Phi * c_delta + c_Phi * s_delta;
  c_pd = c_Phi * c_delta - s_Phi * s_delta;
  s_oe = s_Omega * c_eps + c_Omega * s_eps;
  c_oe = c_Omega * c_eps - s_Omega * s_eps;
}

template <class T>
[[gnu::always_inline]] inline void Andrews::mass(const SinesOf<T>& at, MatOf<T, 7, 7>& M) {
  constexpr double k = e - ea, h = zf - fa;
  M.setZero();
  M(0, 0) = m1 * ra * ra + m2 * (rr * rr + da * da) + I1 + I2 - 2 * m2 * da * rr * at.c_theta;
  M(0, 1) = M(1, 0) = m2 * da * da + I2 - m2 * da * rr * at.c_theta;
  M(1, 1) = m2 * da * da + I2;
  M(2, 2) = m3 * (sa * sa + sb * sb) + I3;
  M(3, 3) = m4 * k * k + I4;
  M(3, 4) = M(4, 3) = m4 * k * k + I4 + m4 * zt * k * at.s_Phi;
  M(4, 4) =
      m4 * (zt * zt + k * k) + m5 * (ta * ta + tb * tb) + I4 + I5 + 2 * m4 * zt * k * at.s_Phi;
  M(5, 5) = m6 * h * h + I6;
  M(5, 6) = M(6, 5) = m6 * h * h + I6 - m6 * u * h * at.s_Omega;
  M(6, 6) = m6 * (h * h + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7 - 2 * m6 * u * h * at.s_Omega;
}

template <class T>
[[gnu::always_inline]] inline void Andrews::force(const SinesOf<T>& at, const VecOf<T, 7>& v,
                                                  VecOf<T, 7>& f) {
  constexpr double k = e - ea, h = zf - fa;
  const Spring<T> spring(at);
  const T pull = -c0 * (spring.length - l0) / spring.length;
  f[0] = mom - m2 * da * rr * v[1] * (v[1] + 2.0 * v[0]) * at.s_theta;
  f[1] = m2 * da * rr * v[0] * v[0] * at.s_theta;
  f[2] = pull * (spring.x * (sc * at.c_gamma - sd * at.s_gamma) +
                 spring.y * (sd * at.c_gamma + sc * at.s_gamma));
  f[3] = m4 * zt * k * v[4] * v[4] * at.c_Phi;
  f[4] = -m4 * zt * k * v[3] * (v[3] + 2.0 * v[4]) * at.c_Phi;
  f[5] = -m6 * u * h * v[6] * v[6] * at.c_Omega;
  f[6] = m6 * u * h * v[5] * (v[5] + 2 * v[6]) * at.c_Omega;
}

template <class T>
[[gnu::always_inline]] inline void Andrews::constraint(const SinesOf<T>& at, VecOf<T, 6>& g) {
  const T X = rr * at.c_beta - d * at.c_bt, Y = rr * at.s_beta - d * at.s_bt;
  g[0] = X - ss * at.s_gamma - xb;
  g[1] = Y + ss * at.c_gamma - yb;
  g[2] = X - e * at.s_pd - zt * at.c_delta - xa;
  g[3] = Y + e * at.c_pd - zt * at.s_delta - ya;
  g[4] = X - zf * at.c_oe - u * at.s_eps - xa;
  g[5] = Y - zf * at.s_oe + u * at.c_eps - ya;
}

template <class T>
[[gnu::always_inline]] inline void Andrews::jacobian(const SinesOf<T>& at, MatOf<T, 6, 7>& G) {
  G.setZero();
  const T X_theta = d * at.s_bt, X_beta = X_theta - rr * at.s_beta;
  const T Y_theta = -d * at.c_bt, Y_beta = Y_theta + rr * at.c_beta;
  for (int row = 0; row < 6; row += 2) {
    G(row, 0) = X_beta;
    G(row + 1, 0) = Y_beta;
    G(row, 1) = X_theta;
    G(row + 1, 1) = Y_theta;
  }
  G(0, 2) = -ss * at.c_gamma;
  G(1, 2) = -ss * at.s_gamma;
  G(2, 3) = -e * at.c_pd;
  G(3, 3) = -e * at.s_pd;
  G(2, 4) = G(2, 3) + zt * at.s_delta;
  G(3, 4) = G(3, 3) - zt * at.c_delta;
  G(4, 5) = zf * at.s_oe;
  G(5, 5) = -zf * at.c_oe;
  G(4, 6) = G(4, 5) - u * at.c_eps;
  G(5, 6) = G(5, 5) - u * at.s_eps;
}

template <class T>
[[gnu::always_inline]] inline void Andrews::bend(const SinesOf<T>& at, const VecOf<T, 7>& v,
                                                 VecOf<T, 6>& curvature) {
  const auto squared = [](const T& rate) { return rate * rate; };
  const T b = squared(v[0]), w = squared(v[0] + v[1]), c = squared(v[2]), p = squared(v[3] + v[4]),
          r = squared(v[4]), o = squared(v[5] + v[6]), n = squared(v[6]);
  const T X = -rr * at.c_beta * b + d * at.c_bt * w;
  const T Y = -rr * at.s_beta * b + d * at.s_bt * w;
  curvature[0] = X + ss * at.s_gamma * c;
  curvature[1] = Y - ss * at.c_gamma * c;
  curvature[2] = X + e * at.s_pd * p + zt * at.c_delta * r;
  curvature[3] = Y - e * at.c_pd * p + zt * at.s_delta * r;
  curvature[4] = X + zf * at.c_oe * o + u * at.s_eps * n;
  curvature[5] = Y + zf * at.s_oe * o - u * at.c_eps * n;
}

inline Mat<7, 7> Andrews::M(const Position& q) const {
  Mat<7, 7> value;
  mass(Sines(q), value);
  return value;
}

inline Vec<7> Andrews::f(const Position& q, const Position& v, double) const {
  Position value;
  force(Sines(q), v, value);
  return value;
}

inline Vec<6> Andrews::g(const Position& q, double) const {
  Multiplier value;
  constraint(Sines(q), value);
  return value;
}

inline Mat<6, 7> Andrews::G(const Position& q, double) const {
  Mat<6, 7> value;
  jacobian(Sines(q), value);
  return value;
}

inline Vec<6> Andrews::curvature(const Position& q, const Position& v, double) const {
  Multiplier value;
  bend(Sines(q), v, value);
  return value;
}

template <class T, class Terms>
inline void Andrews::terms(const VecOf<T, 7>& q, const VecOf<T, 7>& v, const T&, Terms& at) const {
  const SinesOf<T> sines(q);
  mass(sines, at.M);
  force(sines, v, at.f);
  jacobian(sines, at.G);
  constraint(sines, at.position);
  at.g_t.setZero();
  bend(sines, v, at.curvature);
}

inline void Andrews::constraint_terms(const Position& q, double,
                                      MultibodyTerms<Andrews>& at) const {
  const Sines sines(q);
  jacobian(sines, at.G);
  constraint(sines, at.position);
  at.g_t.setZero();
}

inline double Andrews::spring_length(const Position& q) const {
  return Spring<double>(Sines(q)).length;
}

inline double Andrews::energy(const Position& q, const Position& v) const {
  const double stretch = spring_length(q) - l0;
  return v.dot(M(q) * v) / 2 + c0 * stretch * stretch / 2 - mom * q[0];
}

inline Vec<14> Andrews::start() const {
  static const Vec<14> assembled = assemble();
  return assembled;
}

inline Vec<14> Andrews::assemble() const {
  Vec<14> z = Vec<14>::Zero();
  Position q{-0.06, 0, 0.45, 0.22, 0.49, -0.22, 1.23};
  for (int i = 0; i < 8; ++i) {  // Quadratic: rounding after 5.
    const Mat<6, 7> jacobian_at = G(q, 0);
    MatX without_theta(6, 6);
    without_theta << jacobian_at.col(0), jacobian_at.rightCols<5>();
    VecX step = g(q, 0);
    SmallLu lu(6);
    if (!lu.factorize(without_theta)) return Vec<14>::Constant(std::nan(""));
    lu.solve(step);
    q[0] -= step[0];
    q.tail<5>() -= step.tail<5>();
  }
  z.head<7>() = q;
  return z;
}

}  // namespace daewave::problems
