// A program outside of the tree that integrates a problem of its own, a particle on a parabola
// y = x^2 / 2 under gravity, a linear one, and one of the library's, with the installed headers.

#include <cmath>
#include <cstdio>
#include <exception>

#include <daewave/ivp.hpp>
#include <daewave/problems/pendulum.hpp>

using daewave::Interval, daewave::Mat, daewave::Vec;

struct Bead {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -1}; }
  Multiplier g(const Position& q, double) const { return Multiplier{q[1] - q[0] * q[0] / 2}; }
  Mat<1, 2> G(const Position& q, double) const { return {-q[0], 1}; }
  Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier{-v[0] * v[0]};
  }

  Vec<4> start() const { return {1, 0.5, 0, 0}; }
  Interval interval() const { return {0, 5}; }
  double energy(const Position& q, const Position& v) const { return v.squaredNorm() / 2 + q[1]; }
};

/// x1' = -x1, x2' = y, 0 = x2 - sin t; x1(0) = 1. x = (exp(-t), sin t).
struct Driven {
  Interval interval() const { return {0, 2}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{-1, 0}, {0, 0}}; }
  Vec<2> B(double) const { return {0, -1}; }
  Vec<2> q(double) const { return {0, 0}; }
  Mat<1, 2> C(double) const { return {0, 1}; }
  Vec<1> r(double t) const { return Vec<1>{-std::sin(t)}; }
  Mat<1, 2> C_t(double) const { return {0, 0}; }
  Vec<1> r_t(double t) const { return Vec<1>{-std::cos(t)}; }
  daewave::Boundary boundary() const {
    return daewave::initial_conditions(daewave::MatX{{1, 0}}, daewave::VecX::Ones(1));
  }
};

/// Largest error at the end.
double error_of_linear() {
  const auto coefficients = daewave::erase(Driven{});
  const daewave::VecX start = daewave::initial_state(*coefficients);
  const auto problem = daewave::problem_of(daewave::LinearAsSemiExplicit(coefficients), start);
  const auto solution = daewave::ivp::solve(*problem, start, {0, 2}, {.rtol = 1e-9});
  return (solution.end() - Vec<2>{std::exp(-2.0), std::sin(2.0)}).cwiseAbs().maxCoeff();
}

int main() try {
  const auto motion = daewave::ivp::solve(Bead{}, {.rtol = 1e-9});
  const auto& went = motion.report.integration;
  std::printf("%s\nenergy changed by %.1e\n", motion.report.brief().c_str(), went.energy_change);
  // Local errors of 1e-9 in some hundred steps.
  const bool kept = motion.report.usable() && went.energy_change < 1e-6;
  const daewave::problems::Pendulum pendulum;
  const double period = pendulum.period();
  std::printf("period of the pendulum %.6f\n", period);
  const double error = error_of_linear();
  std::printf("error of the linear problem %.1e\n", error);
  return kept && period > 2 && std::isfinite(period) && error < 1e-7 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "initial_value: %s\n", error.what());
  return 1;
}
