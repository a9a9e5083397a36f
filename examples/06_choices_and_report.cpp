// What the solver chooses and why, what it refuses, and what it says to a call that cannot be
// right.
//
//   x' = - B y + q,   0 = C (x - (cos t, -sin t)),   x1(0) = 1  on [0, 60],
//   B = (cos t, sin t),   C = (cos t + k sin t, sin t - k cos t),   k = 0.3;
//
// x = (cos t, -sin t), y = 1. The projector B (C B)^-1 C is oblique and turns with t: what
// symmetric schemes with epsilon << h cannot bear over a long interval. A report says so before any
// work.
//
// Output, numbers within 1e-2 or 1e-8:
//   refused: gauss with epsilon = 1e-09 << h = 0.2 leaves a constraint mode undamped that grows at
//       the rate 0.25 by a factor 2.6e+06 over the interval (limit 100); use scheme radau, alpha1 =
//       1, or epsilon >= 0.0028
//   converged: error estimate 6.4e-07 within tolerance 1.0e-06 on 40 intervals, 2 iterate(s)
//     tolerance     = 1e-06  (given)
//     weight        = inverse  (B E C is the projector, so all constraint modes decay at the same
//         rate)
//     alpha1        = 0  (the problem gives no C_t and r_t)
//     alpha2        = 1  (constraint errors decay within a unit of time, or of epsilon where alpha1
//         = 0)
//     scheme        = radau  (damps the initial layer and the constraint mode)
//     stages        = 8  (from the tolerance)
//     intervals     = 5 at first  (from the time scale of A; chosen anew until the error estimate
//         is met)
//     epsilon       = 1e-10  (far below the step, where a damping scheme has no layer to resolve)
//     iterates      = up to 12  (until B y changes by less than a tenth of the tolerance; more
//         while each halves that)
//     shooting_back = where a layer is left  (iterates leave B y at the begin as it was; those that
//         run back do not)
//     linear_solver = auto  (block_lu for separated conditions, block_qr for coupled ones)
//   stages = 9: lobatto has 2 to 5 stages
#include <cmath>
#include <cstdio>

#include <daewave/bvp.hpp>

using namespace daewave;

struct TurningConstraint {
  double k = 0.3;

  Interval interval() const { return {0, 60}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>::Zero(); }
  Vec<2> B(double t) const { return {std::cos(t), std::sin(t)}; }
  Vec<2> q(double t) const { return Vec<2>{-std::sin(t), -std::cos(t)} + B(t); }
  Mat<1, 2> C(double t) const {
    return {std::cos(t) + k * std::sin(t), std::sin(t) - k * std::cos(t)};
  }
  Vec<1> r(double t) const { return -C(t) * x_exact(t); }
  Boundary boundary() const { return initial_conditions(MatX{{1, 0}}, VecX{{1}}); }

  Vec<2> x_exact(double t) const { return {std::cos(t), -std::sin(t)}; }
};

int main() {
  const TurningConstraint problem;

  const auto refused = bvp::solve(
      problem, {.scheme = Scheme::gauss, .stages = 2, .intervals = 300, .epsilon = 1e-9});
  std::printf("%s\n", refused.report.brief().c_str());

  const auto solution = bvp::solve(problem, {.tolerance = 1e-6});
  std::printf("%s\n%s", solution.report.brief().c_str(), solution.report.explain().c_str());

  try {
    bvp::solve(problem, {.scheme = Scheme::lobatto, .stages = 9});
  } catch (const InvalidOption& error) {
    std::printf("%s\n", error.what());
  }
}
