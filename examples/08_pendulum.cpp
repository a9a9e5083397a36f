// A pendulum of length 1 and mass 1 in Cartesian coordinates q = (x, y), let go at the horizontal:
//
//   q'' = (0, -9.81) - q lambda,   0 = (x^2 + y^2 - 1) / 2.
//
// Its period is known, T = Gamma(1/4)^2 / sqrt(pi 9.81), and what the rod carries at the lowest
// point, lambda = 3 * 9.81. Mass, force and constraint are all that is written down:
// with_autodiff() adds the derivatives of the constraint, and nothing but the tolerance is chosen.
//
// Output, numbers within 1e-6 or 1e-6:
//   T/4: x = (0.000000, -1.000000), rod 29.430000
//   10 T: x = (1.000000, -0.000000)
//   drift 1.1e-16, change of energy 1.5e-10
#include <cmath>
#include <cstdio>
#include <numbers>

#include <daewave/ivp.hpp>

using namespace daewave;

struct Pendulum {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -9.81}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>((q.squaredNorm() - 1.0) / 2.0);
  }
  double energy(const Position& q, const Position& v) const {
    return v.squaredNorm() / 2 + 9.81 * q[1];
  }
};

int main() {
  const double T = std::pow(std::tgamma(0.25), 2) / std::sqrt(std::numbers::pi * 9.81);
  const auto motion = ivp::solve(with_autodiff(Pendulum{}), {1, 0, 0, 0}, {0, 10 * T},
                                 {.rtol = 1e-10, .times = {T / 4}});
  if (!motion.report.usable()) return std::puts(motion.report.full().c_str()), 1;
  const VecX low = motion.state(1), end = motion.end();
  std::printf("T/4: x = (%.6f, %.6f), rod %.6f\n", low[0], low[1], motion.multiplier(1)[0]);
  std::printf("10 T: x = (%.6f, %.6f)\n", end[0], end[1]);
  const auto& went = motion.report.integration;
  std::printf("drift %.1e, change of energy %.1e\n", went.drift_position, went.energy_change);
}
