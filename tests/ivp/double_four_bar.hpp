#pragma once
// Two four-bars side by side, of five rods m = l = 1: three cranks at (0, 0), (1, 0), (2, 0) and
// two couplers, q being the angles of cranks and couplers. Where all rods lie in a line the
// constraints are dependent, and the cranks may part. As parallelograms they move together, by
//
//   phi'' = -(7/6) g cos phi.

#include <cmath>

#include "core/types.hpp"

namespace daewave {

struct DoubleFourBar {
  using Position = Vec<5>;
  using Multiplier = Vec<4>;

  static constexpr double gravity = 9.81;
  const char* name() const { return "double four-bar"; }

  /// Upright, and turning.
  static Vec<10> start() {
    const double up = std::acos(-1.0) / 2;
    Vec<10> z;
    z << up, up, up, 0, 0, 1, 1, 1, 0, 0;
    return z;
  }

  Mat<5, 5> M(const Position& q) const {
    Mat<5, 5> M = Mat<5, 5>::Zero();
    M.diagonal() << 4.0 / 3, 4.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3;
    for (int i = 0; i < 2; ++i) M(i, 3 + i) = M(3 + i, i) = std::cos(q[i] - q[3 + i]) / 2;
    return M;
  }
  Position f(const Position& q, const Position& v, double) const {
    Position f;
    const double weight[] = {1.5, 1.5, 0.5, 0.5, 0.5};
    for (int i = 0; i < 5; ++i) f[i] = -gravity * weight[i] * std::cos(q[i]);
    for (int i = 0; i < 2; ++i) {
      const double s = std::sin(q[i] - q[3 + i]) / 2;
      f[i] -= s * v[3 + i] * v[3 + i];
      f[3 + i] += s * v[i] * v[i];
    }
    return f;
  }
  /// Crank, coupler and the next crank back to the ground.
  Multiplier g(const Position& q, double) const {
    Multiplier g;
    for (int i = 0; i < 2; ++i) {
      g[2 * i] = std::cos(q[i]) + std::cos(q[3 + i]) - std::cos(q[i + 1]) - 1;
      g[2 * i + 1] = std::sin(q[i]) + std::sin(q[3 + i]) - std::sin(q[i + 1]);
    }
    return g;
  }
  Mat<4, 5> G(const Position& q, double) const {
    Mat<4, 5> G = Mat<4, 5>::Zero();
    for (int i = 0; i < 2; ++i) {
      const auto column = [&](int j, double sign) {
        G(2 * i, j) = -sign * std::sin(q[j]);
        G(2 * i + 1, j) = sign * std::cos(q[j]);
      };
      column(i, 1);
      column(3 + i, 1);
      column(i + 1, -1);
    }
    return G;
  }
  Multiplier g_t(const Position&, double) const { return Multiplier::Zero(); }
  Multiplier curvature(const Position& q, const Position& v, double) const {
    Multiplier c;
    const auto pull = [&](int j) { return v[j] * v[j]; };
    for (int i = 0; i < 2; ++i) {
      const int a = i, b = 3 + i, d = i + 1;
      c[2 * i] = -std::cos(q[a]) * pull(a) - std::cos(q[b]) * pull(b) + std::cos(q[d]) * pull(d);
      c[2 * i + 1] =
          -std::sin(q[a]) * pull(a) - std::sin(q[b]) * pull(b) + std::sin(q[d]) * pull(d);
    }
    return c;
  }

  /// (phi, phi') of the parallelograms, by the formula of Stoermer and Verlet with 4,000 steps a
  /// second and one extrapolation: to 1e-9 over 10 s.
  static Vec<2> reference(double t) {
    const auto run = [t](long steps) {
      const double h = t / static_cast<double>(steps);
      const auto pull = [](double phi) { return -7.0 / 6 * gravity * std::cos(phi); };
      double phi = std::acos(-1.0) / 2, rate = 1;
      for (long i = 0; i < steps; ++i) {
        rate += h / 2 * pull(phi);
        phi += h * rate;
        rate += h / 2 * pull(phi);
      }
      return Vec<2>(phi, rate);
    };
    const long steps = std::lround(std::ceil(4000 * t));
    return (4 * run(2 * steps) - run(steps)) / 3;
  }
};

}  // namespace daewave
