#pragma once
// The slider-crank in its one degree of freedom, to compare the constrained equations with.

#include <algorithm>
#include <cmath>

#include "core/types.hpp"
#include "problems/extrapolation_step.hpp"
#include "problems/slider_crank.hpp"

namespace daewave::problems {

/// phi1(t) and phi1'(t) from Lagrange's equation of the mechanism with phi2 = 2 pi - phi1,
///
///   T = m L^2 (1/3 + sin^2 phi1) phi1'^2,   U = m g L sin phi1,
///   (2/3 + 2 sin^2 phi1) phi1'' = -2 sin phi1 cos phi1 phi1'^2 - (g/L) cos phi1,
///
/// which nothing makes singular. Accurate to about 1e-12 over 70 s, at 0.2 ms per s at rest. Times
/// may be asked for in any order; going back starts again.
class SliderCrankReference {
 public:
  explicit SliderCrankReference(const SliderCrank& problem)
      : problem_(problem), step_(0.06 / fastest_rate(problem)) {
    restart();
  }

  /// (phi1, phi1') at t.
  Vec<2> at(double t) {
    if (t < steps_ * step_) restart();
    while ((steps_ + 1) * step_ <= t) {
      // Compensated: thousands of steps add up without their rounding.
      const Vec<2> increment = increment_of(step_) + lost_;
      const Vec<2> next = angle_ + increment;
      lost_ = increment - (next - angle_);
      angle_ = next;
      ++steps_;
    }
    return angle_ + increment_of(t - steps_ * step_);
  }

  /// (q, v) of the mechanism at t.
  Vec<12> state(double t) {
    const Vec<2> angle = at(t);
    return problem_.state(angle[0], angle[1]);
  }

 private:
  void restart() {
    angle_ << problem_.phi1_start(), problem_.rate_start();
    lost_.setZero();
    steps_ = 0;
  }

  /// An upper bound of |phi1'|, from T <= E + m g L; not less than 0.1 / s.
  static double fastest_rate(const SliderCrank& problem) {
    const double s = std::sin(problem.phi1_start()), rate = problem.rate_start();
    const double pull = problem.g0 / problem.L;
    const double kinetic = (1.0 / 3 + s * s) * rate * rate + pull * (s + 1);
    return std::max(0.1, std::sqrt(3 * kinetic));
  }

  Vec<2> increment_of(double h) const {
    const double pull = problem_.g0 / problem_.L;
    const auto lagrange = [pull](double, const Vec<2>& angle) {
      const double s = std::sin(angle[0]), c = std::cos(angle[0]), rate = angle[1];
      return Vec<2>{rate, -c * (2 * s * rate * rate + pull) / (2.0 / 3 + 2 * s * s)};
    };
    return extrapolation_step(lagrange, 0, h, angle_);
  }

  SliderCrank problem_;
  double step_;
  Vec<2> angle_, lost_;
  int steps_ = 0;
};

}  // namespace daewave::problems
