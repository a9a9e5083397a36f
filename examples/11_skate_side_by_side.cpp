// A skate on an inclined plane glides along its blade and not across: a constraint on velocities
// that is no derivative of one on positions (nonholonomic).
//
//   x'' = a - mu sin phi,   y'' = mu cos phi,   phi'' = 0,   0 = w = x' sin phi - y' cos phi.
//
// With phi = t it is pulled down the slope and does not go down it:
//
//   x = (a/2) sin^2 t,   y = (a/2) (t - sin t cos t),   mu = 2 a sin t.
//
// Index reduction alone drifts off the constraint; Baumgarte's method pulls back with a rate one
// has to choose, 10 here; a correction after each step needs none. All with Heun's formula and h =
// 0.01, to t = 50; beside the largest |w| the distance from where the skate is at the end.
//
// Output, numbers within 6e-2 or 1e-13:
//   method       drift    error
//   underlying   3.4e-05  2.5e-03
//   baumgarte    5.2e-05  1.7e-03
//   s-vel        1.1e-16  8.3e-04
//   s-both2      1.1e-16  8.3e-04
#include <cmath>
#include <cstdio>

#include <daewave/ivp.hpp>

using namespace daewave;

struct Skate {
  using Position = Vec<3>;            // x, y, phi.
  using Multiplier = Vec<0>;          // No constraint on positions.
  using VelocityMultiplier = Vec<1>;  // mu.
  double a = 1;                       // Of gravity, along the slope.

  Mat<3, 3> M(const Position&) const { return Mat<3, 3>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {a, 0, 0}; }
  template <class T>
  VecOf<T, 0> g(const VecOf<T, 3>&, T) const {
    return {};
  }
  template <class T>
  VecOf<T, 1> w(const VecOf<T, 3>& q, const VecOf<T, 3>& v, T) const {
    using std::cos, std::sin;
    return VecOf<T, 1>(v[0] * sin(q[2]) - v[1] * cos(q[2]));
  }
  Vec<2> place(double t) const {
    const double s = std::sin(t), c = std::cos(t);
    return Vec<2>{s * s, t - s * c} * (a / 2);
  }
};

int main() {
  const Skate skate;
  constexpr double end = 50;
  std::puts("method       drift    error");
  const ivp::Formula heun{ivp::Stepper::heun};
  const ivp::Method methods[] = {ivp::Underlying{heun},
                                 ivp::Baumgarte{.alpha1 = 10, .formula = heun},
                                 ivp::SVel{.formula = heun}, ivp::SBoth2{.formula = heun}};
  for (const ivp::Method& method : methods) {
    const ivp::Options options{.method = method, .h = 0.01, .every = 0};
    const auto path = ivp::solve(with_autodiff(skate), {0, 0, 0, 0, 0, 1}, {0, end}, options);
    if (!path.report.usable()) return std::puts(path.report.full().c_str()), 1;
    std::printf("%-11s  %.1e  %.1e\n", name_of(method), path.report.integration.drift_velocity,
                (path.end().head<2>() - skate.place(end)).norm());
  }
}
