#include "ivp/windows/window_look.hpp"

#include <algorithm>
#include <cmath>

namespace daewave::ivp {
namespace {

/// Velocity and acceleration i at theta, the latter for an interval of length 1.
struct Turning {
  double v, slope;
};

Turning turning_at(double theta, const WindowPolynomial& motion, int i, int nq) {
  const LegendreAt legendre(theta);
  const double* const L = motion.series.data() + i * WindowPolynomial::nodes;
  double once = 0, value = 0;
  for (int k = WindowPolynomial::nodes; k-- > 0;) {
    once += legendre.once[k] * L[k];
    value += legendre.value[k] * L[k];
  }
  return {motion.begin[nq + i] + motion.h * once, motion.h * value};
}

/// Between theta_0 and theta_1, where the velocity has other signs, by Newton's method.
double zero_between(double theta_0, double v_0, double theta_1, double v_1,
                    const WindowPolynomial& motion, int i, int nq) {
  double theta = theta_0 + (theta_1 - theta_0) * (v_0 / (v_0 - v_1));
  constexpr int most_passes = 4;
  // Where a change is as small as that, what is left after it is its square.
  constexpr double enough = 1e-4;
  for (int pass = 0; pass < most_passes; ++pass) {
    const Turning at = turning_at(theta, motion, i, nq);
    const double next = std::clamp(theta - at.v / at.slope, theta_0, theta_1);
    const bool settled = !(std::abs(next - theta) > enough);
    if (std::isfinite(next)) theta = next;
    if (settled) break;
  }
  return theta;
}

}  // namespace

double WindowLook::next(const WindowPolynomial& motion, const VecX& end) {
  if (const auto turn = next_turn(motion, end)) return *turn;
  // Multiples of the golden ratio never cluster.
  const double place = looks_ * 0.6180339887498949;
  return std::clamp(place - std::floor(place), 0.01, 0.99);
}

std::optional<double> WindowLook::next_turn(const WindowPolynomial& motion, const VecX& end) {
  ++looks_;
  static const LegendreAt half(0.5);
  const int nq = static_cast<int>(end.size()) / 2;
  for (int k = 0; k < nq; ++k) {
    const int i = static_cast<int>((looks_ + static_cast<unsigned>(k)) % static_cast<unsigned>(nq));
    const double* const L = motion.series.data() + i * WindowPolynomial::nodes;
    double once = 0;
    for (int j = WindowPolynomial::nodes; j-- > 0;) once += half.once[j] * L[j];
    const double begin = motion.begin[nq + i], middle = begin + motion.h * once, last = end[nq + i];
    if (begin * middle < 0) return zero_between(0, begin, 0.5, middle, motion, i, nq);
    if (middle * last < 0) return zero_between(0.5, middle, 1, last, motion, i, nq);
  }
  return {};
}

}  // namespace daewave::ivp
