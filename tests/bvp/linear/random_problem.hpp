#pragma once
// Linear boundary value DAEs with known solutions, drawn at random: modes up to +-1000, constraints
// that become singular, peaks, fronts and layers, rows and columns in other units, index 2.
//
// x = Q(t) z with a rotation Q. The first components of z are free and have a mode each, with the
// condition at the end it decays from; the others are given by the constraint.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/problem/boundary.hpp"
#include "core/types.hpp"

namespace daewave::testing {

/// A sine and what is added to it.
struct RandomFunction {
  enum class Feature { none, peak, front, layer };
  double amplitude = 0, frequency = 0, phase = 0;
  Feature feature = Feature::none;
  double at = 0, width = 1, height = 0;

  double value(double t) const {
    const double smooth = amplitude * std::sin(frequency * t + phase), s = (t - at) / width;
    switch (feature) {
      case Feature::peak:
        return smooth + height * std::exp(-s * s);
      case Feature::front:
        return smooth + height * std::tanh(s);
      case Feature::layer:
        return smooth + height * std::exp(-t / width);
      default:
        return smooth;
    }
  }
  double slope(double t) const {
    const double smooth = amplitude * frequency * std::cos(frequency * t + phase);
    const double s = (t - at) / width, steep = height / width;
    switch (feature) {
      case Feature::peak:
        return smooth - 2 * s * steep * std::exp(-s * s);
      case Feature::front:
        return smooth + steep * (1 - std::tanh(s) * std::tanh(s));
      case Feature::layer:
        return smooth - steep * std::exp(-t / width);
      default:
        return smooth;
    }
  }
};

/// Gives no C_t and r_t.
struct RandomProblem {
  int n = 0, m = 0;
  double length = 1;
  std::vector<RandomFunction> z, y;
  std::vector<double> modes;  ///< n - m.
  MatX beside;                ///< Of A: what drives the constrained components; m x n.
  MatX oblique;               ///< Of B: how multipliers act on the free components.
  double turning = 0;
  int zero_order = 0;  ///< Of B and C where they vanish together; 0: nowhere.
  double zero_at = 0;
  std::vector<double> rows, columns;  ///< Units.

  std::string name() const { return "random"; }
  Interval interval() const { return {0, length}; }

  MatX A(double t) const {
    MatX inner = MatX::Zero(n, n);
    for (int i = 0; i < n - m; ++i) inner(i, i) = modes[static_cast<std::size_t>(i)];
    inner.bottomRows(m) = beside;
    const MatX q = Q(t);
    return Q_t(t) * q.transpose() + q * inner * q.transpose();
  }
  MatX B(double t) const {
    MatX inner = MatX::Zero(n, m);
    inner.topRows(n - m) = oblique;
    inner.bottomRows(m).setIdentity();
    for (int i = 0; i < m; ++i) inner.col(i) *= zero(t) * columns[static_cast<std::size_t>(i)];
    return Q(t) * inner;
  }
  MatX C(double t) const { return scaled(zero(t)) * Q(t).transpose(); }
  VecX q(double t) const {
    const VecX x = x_exact(t), By = By_exact(t);
    return Q_t(t) * values(z, t) + Q(t) * slopes(z, t) - A(t) * x + By;
  }
  VecX r(double t) const { return -(scaled(zero(t)) * values(z, t)); }
  Boundary boundary() const {
    Boundary boundary{MatX::Zero(n - m, n), MatX::Zero(n - m, n), VecX(n - m)};
    for (int i = 0; i < n - m; ++i) {
      const bool decays = modes[static_cast<std::size_t>(i)] < 0;
      const double t = decays ? 0 : length;
      (decays ? boundary.B0 : boundary.B1).row(i) = Q(t).col(i).transpose();
      boundary.beta[i] = z[static_cast<std::size_t>(i)].value(t);
    }
    return boundary;
  }

  VecX x_exact(double t) const { return Q(t) * values(z, t); }
  VecX By_exact(double t) const {
    VecX multipliers = values(y, t);
    for (int i = 0; i < m; ++i) multipliers[i] /= columns[static_cast<std::size_t>(i)];
    return B(t) * multipliers;
  }

 protected:
  double zero(double t) const { return std::pow(t - zero_at, zero_order); }
  double zero_t(double t) const {
    return zero_order == 0 ? 0 : zero_order * std::pow(t - zero_at, zero_order - 1);
  }
  MatX scaled(double factor) const {
    MatX inner = MatX::Zero(m, n);
    for (int i = 0; i < m; ++i) inner(i, n - m + i) = factor * rows[static_cast<std::size_t>(i)];
    return inner;
  }
  MatX Q(double t) const {
    MatX q = MatX::Identity(n, n);
    q(0, 0) = q(n - 1, n - 1) = std::cos(turning * t);
    q(n - 1, 0) = std::sin(turning * t);
    q(0, n - 1) = -q(n - 1, 0);
    return q;
  }
  MatX Q_t(double t) const {
    MatX q = MatX::Zero(n, n);
    q(0, 0) = q(n - 1, n - 1) = -turning * std::sin(turning * t);
    q(n - 1, 0) = turning * std::cos(turning * t);
    q(0, n - 1) = -q(n - 1, 0);
    return q;
  }
  static VecX values(const std::vector<RandomFunction>& of, double t) {
    VecX all(of.size());
    for (std::size_t i = 0; i < of.size(); ++i) all[static_cast<Eigen::Index>(i)] = of[i].value(t);
    return all;
  }
  static VecX slopes(const std::vector<RandomFunction>& of, double t) {
    VecX all(of.size());
    for (std::size_t i = 0; i < of.size(); ++i) all[static_cast<Eigen::Index>(i)] = of[i].slope(t);
    return all;
  }
};

/// The same with C_t and r_t.
struct RandomProblemWithDerivatives : RandomProblem {
  MatX C_t(double t) const {
    return scaled(zero_t(t)) * Q(t).transpose() + scaled(zero(t)) * Q_t(t).transpose();
  }
  VecX r_t(double t) const {
    return -(scaled(zero_t(t)) * values(z, t)) - scaled(zero(t)) * slopes(z, t);
  }
};

/// A problem, and how it is to be solved.
struct RandomCase {
  RandomProblemWithDerivatives problem;
  bool with_derivatives = true;
  double tolerance = 1e-6;
};

inline RandomCase random_case(unsigned seed) {
  std::mt19937 generator(seed * 7919u + 1u);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(generator()) / 4294967296.0);
  };
  const auto spread = [&](double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  };
  const auto one_of = [&](unsigned count) { return static_cast<int>(generator() % count); };
  RandomCase drawn;
  RandomProblem& problem = drawn.problem;
  problem.m = one_of(4) == 0 ? 2 : 1;
  problem.n = problem.m + 1 + one_of(3);
  problem.length = one_of(4) == 0 ? spread(2, 100) : 1;
  enum { smooth, steep, fast };
  const int kind = one_of(3);
  problem.turning = uniform(0.1, 2) / problem.length * std::min(problem.length, 5.0);
  problem.zero_order = one_of(4) == 0 ? 1 + one_of(2) : 0;
  problem.zero_at = problem.length * (one_of(3) == 0 ? 0.5 : uniform(0.1, 0.9));
  for (int i = 0; i < problem.n - problem.m; ++i) {
    const double size = kind == fast ? spread(1, 1000) / std::sqrt(problem.length)
                                     : std::min(spread(0.1, 5), 150 / problem.length);
    problem.modes.push_back(one_of(2) == 0 ? -size : size);
  }
  const auto function = [&](bool with_feature) {
    RandomFunction one;
    one.amplitude = uniform(-1, 1);
    one.frequency = uniform(0.5, 6);
    one.phase = uniform(0, 6);
    one.at = problem.length * uniform(0.05, 0.95);
    one.width = problem.length * spread(3e-4, 0.1);
    one.height = uniform(-1, 1);
    if (with_feature) one.feature = static_cast<RandomFunction::Feature>(1 + one_of(3));
    return one;
  };
  for (int i = 0; i < problem.n; ++i)
    problem.z.push_back(function(kind == steep && one_of(3) == 0));
  for (int i = 0; i < problem.m; ++i)
    problem.y.push_back(function(kind == steep && one_of(2) == 0));
  const int m = problem.m, n = problem.n;
  problem.beside = MatX::NullaryExpr(m, n, [&] { return uniform(-1, 1); });
  problem.oblique = MatX::NullaryExpr(n - m, m, [&] { return uniform(-0.3, 0.3); });
  const bool in_units = one_of(5) == 0;
  for (int i = 0; i < m; ++i) {
    problem.rows.push_back(in_units ? spread(1e-9, 1e9) : 1);
    problem.columns.push_back(in_units ? spread(1e-9, 1e9) : 1);
  }
  drawn.tolerance = std::pow(10.0, -3 - one_of(7));
  drawn.with_derivatives = one_of(3) != 0;
  return drawn;
}

}  // namespace daewave::testing
