// How far into a slab of catalyst does a gas come, and what traces does it leave there?
//
//   y'' = k sqrt(y),   z'' = -1e-9 k sqrt(y) g(t),   y' = z' = 0 in the middle,   y = 1, z = 0
//   outside:
//
// y is what is left of the gas at t; traces z are made in a thin layer at t = 0.7 alone, where g
// is. With k > 12 nothing is left in the middle. Two things have to be told:
//
// - iterates of y must not come below zero, where it has no root: lower();
// - z counts, although it is small: its errors are to be below 1e-15, those of y below 1e-6, and
//   those of y' and z' do not matter by themselves.
//
// Output, numbers within 1e-6:
//   y(0.9) = 0.401219, exact 0.401219
//   z(0) = 3.99479e-12, exact 3.99479e-12; with one tolerance for all off by more than half: yes
//   x1 >= 0: the solution is on this bound, or closer than the tolerance tells
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <daewave/bvp.hpp>

using namespace daewave;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Slab {
  using State = Vec<4>;  // y, y', z, z'
  double k = 50;

  Interval interval() const { return {0, 1}; }
  State f(const State& x, double t) const {
    const double rate = k * std::sqrt(x[0]), g = std::exp(-std::pow((t - 0.7) / 1e-3, 2));
    return {x[1], rate, x[3], -1e-9 * rate * g};
  }
  State conditions(const State& middle, const State& outside) const {
    return {middle[1], middle[3], outside[0] - 1, outside[2]};
  }
  State guess(double) const { return {1, 0, 0, 0}; }
  State lower() const { return {0, -infinity, -infinity, -infinity}; }
};

int main() {
  const Slab slab;
  bvp::Options options{.tolerance = 1e-6,
                       .tolerances = {.absolute = VecX{{1e-6, infinity, 1e-15, infinity}}}};
  const bvp::Solution gas = bvp::solve(slab, options);
  if (!gas.report.usable()) return std::puts(gas.report.full().c_str()), 1;
  const double reach = std::sqrt(12 / slab.k);
  std::printf("y(0.9) = %.6f, exact %.6f\n", gas.x(0.9)[0], std::pow(1 - 0.1 / reach, 4));

  const bvp::Solution plain = bvp::solve(slab, {.tolerance = 1e-6});
  // z(0) = integral of (1 - t) 1e-9 k sqrt(y) g, sqrt(y) being a parabola.
  double traces = 0;
  constexpr int points = 100000;
  for (int i = 0; i < points; ++i) {
    const double t = (i + 0.5) / points, s = std::max(0.0, 1 - (1 - t) / reach);
    traces += (1 - t) * 1e-9 * slab.k * s * s * std::exp(-std::pow((t - 0.7) / 1e-3, 2)) / points;
  }
  std::printf("z(0) = %.5e, exact %.5e; with one tolerance for all off by more than half: %s\n",
              gas.x(0)[2], traces, std::abs(plain.x(0)[2] - traces) > 0.5 * traces ? "yes" : "no");
  for (const std::string& warning : gas.report.warnings) {
    std::printf("%s\n", warning.substr(0, warning.find(", from")).c_str());
  }
}
