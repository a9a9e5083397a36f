#pragma once
// Families of ordinary problems with known solutions and parameters, drawn at random: modes that
// decay and that grow, conditions at the ends, inside and on integrals, a singular term.
//
//   x' = x*' + V diag(rate) V^T (x - x*) + wave (sin x - sin x*) + effects of p - p*,
//
// or, of pairs (u, u') with a singular term, u'' + shape u' / t = the same of u*, even in t.

#include <Eigen/QR>
#include <cmath>
#include <random>
#include <vector>

#include "bvp/statement/problem_family.hpp"
#include "core/adapt/problem_from_functions.hpp"

namespace daewave::testing {

struct RandomFamily {
  int n = 1;  ///< Entries of x; even where there is a singular term.
  double length = 1;
  bool singular = false;
  VecX size, pace, phase;  ///< Of x*, or of u*.
  VecX rate, wave, shape;
  MatX modes;
  VecX truth;               ///< p*.
  MatX effect;              ///< n x p: of p on x'.
  bool multiplies = false;  ///< p is a factor of x.
  bool alike = false;       ///< Two parameters of which only a sum acts.
  std::vector<double> inside{};
  bool integral = false;
  VecX weight;  ///< n: of the integrand, and of conditions that are not of one mode.
  double tolerance = 1e-6;

  VecX x(double t) const {
    VecX at(n);
    for (int i = 0; i < n; ++i) {
      at[i] = singular ? (i % 2 == 0 ? size[i] * std::cos(pace[i] * t)
                                     : -size[i - 1] * pace[i - 1] * std::sin(pace[i - 1] * t))
                       : size[i] * std::sin(pace[i] * t + phase[i]);
    }
    return at;
  }
  VecX slope(double t) const {
    VecX at(n);
    for (int i = 0; i < n; ++i) {
      at[i] = size[i] * pace[i] * std::cos(pace[i] * t + phase[i]);
      if (!singular) continue;
      const int of = i - i % 2;
      at[i] = i % 2 == 0 ? x(t)[i + 1] : -size[of] * pace[of] * pace[of] * std::cos(pace[of] * t);
    }
    return at;
  }

  VecX f(const VecX& at, double t, const VecX& p) const {
    const VecX known = x(t);
    VecX rates = slope(t);
    if (singular) {
      for (int i = 0; i < n; i += 2) {
        const double w = pace[i], over_t = t > 1e-8 ? std::sin(w * t) / t : w;
        rates[i] = at[i + 1];
        rates[i + 1] += -shape[i] * size[i] * w * over_t + 0.3 * (at[i] - known[i]) +
                        wave[i] * (std::sin(at[i]) - std::sin(known[i]));
      }
    } else {
      rates += modes * (rate.asDiagonal() * (modes.transpose() * (at - known)));
      for (int i = 0; i < n; ++i) {
        const int next = (i + 1) % n;
        rates[i] += wave[i] * (std::sin(at[next]) - std::sin(known[next]));
      }
    }
    for (Eigen::Index j = 0; j < p.size(); ++j) {
      const double turn = alike ? 1 : std::cos(2 * static_cast<double>(j) * t / length);
      for (int i = singular ? 1 : 0; i < n; i += singular ? 2 : 1) {
        const int of = singular ? i - 1 : i;
        const double acts = multiplies ? at[of] * p[j] - known[of] * truth[j] : p[j] - truth[j];
        rates[i] += effect(alike ? 0 : i, j) * turn * acts;
      }
    }
    return rates;
  }

  /// Of one mode each, where it decays from; of u at the end where there is a singular term.
  VecX at_ends(const VecX& left, const VecX& right) const {
    const VecX begins = left - x(0), ends = right - x(length);
    std::vector<double> all;
    if (singular) {
      for (int i = 0; i < n; i += 2) all.push_back(ends[i] + 0.1 * std::sin(ends[i]));
    } else {
      for (int i = 0; i < n; ++i) {
        const double off = modes.col(i).dot(rate[i] < 0 ? begins : ends);
        all.push_back(off + 0.1 * off * off * off);
      }
    }
    const bool further = !inside.empty() || integral;
    for (Eigen::Index j = 0; j < truth.size() && !further; ++j) {
      const VecX& there = singular || rate[0] >= 0 ? begins : ends;
      all.push_back(j == 0 ? there[0] : weight.dot(there));
    }
    return Eigen::Map<const VecX>(all.data(), static_cast<Eigen::Index>(all.size()));
  }

  bvp::BoundaryProblem member(const VecX& p) const {
    ProblemFunctions functions{.kind = Kind::ordinary, .sizes = {.nq = n}};
    functions.f = [of = *this, p](const Points& points, double* out) {
      VecX at(of.n);
      for (int k = 0; k < points.count; ++k) {
        for (int i = 0; i < of.n; ++i) at[i] = points.q[i * points.stride + k];
        const VecX rates = of.f(at, points.t[k], p);
        for (int i = 0; i < of.n; ++i) out[i * points.count + k] = rates[i];
      }
    };
    functions.differences = true;
    bvp::BoundaryProblem problem;
    problem.equations = problem_from_functions(functions);
    problem.interval = {0, length};
    problem.conditions = [of = *this](const VecX& left, const VecX& right) {
      return of.at_ends(left, right);
    };
    problem.guess = [of = *this](double t) { return VecX(0.8 * of.x(t).array() + 0.1); };
    if (singular) {
      problem.singular_term = MatX::Zero(n, n);
      for (int i = 0; i < n; i += 2) problem.singular_term(i + 1, i + 1) = -shape[i];
    }
    if (truth.size() > 0 && (integral || !inside.empty())) add_further(problem);
    return problem;
  }

  bvp::ProblemFamily family() const {
    bvp::ProblemFamily all;
    all.p = 0.7 * truth.array() + 0.05;
    for (int j = 0; j < truth.size(); ++j) all.unknown.push_back(j);
    all.member = [of = *this](const VecX& p) { return of.member(p); };
    return all;
  }

 private:
  double integrand(const VecX& at) const { return weight.dot(at) + 0.1 * at.squaredNorm(); }
  /// Of the solution, by Simpson's rule.
  double known_integral() const {
    constexpr int steps = 20000;
    double sum = integrand(x(0)) + integrand(x(length));
    for (int i = 1; i < steps; ++i) sum += (i % 2 == 0 ? 2 : 4) * integrand(x(length * i / steps));
    return sum * length / (3 * steps);
  }
  void add_further(bvp::BoundaryProblem& problem) const {
    problem.inside = inside;
    if (integral) {
      problem.integrand = [of = *this](const VecX& at, double) {
        return VecX(VecX::Constant(1, of.integrand(at)));
      };
    }
    problem.further_conditions = [of = *this, known = known_integral()](const bvp::Observed& seen) {
      VecX off(of.truth.size());
      for (Eigen::Index j = 0; j < off.size(); ++j) {
        const auto k = static_cast<std::size_t>(j);
        const bool is_inside = k < of.inside.size();
        off[j] = is_inside ? VecX(seen.inside[k] - of.x(of.inside[k]))[0]
                           : of.weight.dot(seen.right - of.x(of.length));
        if (of.integral && j == 0) off[j] = seen.integrals[0] - known;
      }
      return off;
    };
  }
};

inline RandomFamily random_family(unsigned seed) {
  std::mt19937 generator(seed * 7919u + 5u);
  const auto uniform = [&generator](double low, double high) {
    return low + (high - low) * (static_cast<double>(generator()) / 4294967296.0);
  };
  const auto one_in = [&generator](unsigned count) { return generator() % count == 0; };
  const auto vector = [&uniform](int entries, double low, double high) {
    VecX all(entries);
    for (double& entry : all) entry = uniform(low, high);
    return all;
  };
  RandomFamily drawn;
  drawn.singular = one_in(3);
  drawn.n = drawn.singular ? (one_in(2) ? 4 : 2) : 1 + static_cast<int>(generator() % 4);
  drawn.length = std::pow(10, uniform(-0.5, drawn.singular ? 0.6 : 1.2));
  drawn.size = vector(drawn.n, 0.3, 2);
  drawn.pace = vector(drawn.n, 0.5, 4) / std::max(1.0, drawn.length / 5);
  drawn.phase = vector(drawn.n, 0, 6);
  drawn.wave = vector(drawn.n, -0.5, 0.5);
  drawn.shape = vector(drawn.n, 0.3, 4);
  drawn.rate = vector(drawn.n, 0.1, 10) / std::max(1.0, drawn.length / 10);
  for (double& rate : drawn.rate) rate *= one_in(2) ? 1 : -1;
  MatX any(drawn.n, drawn.n);
  for (int j = 0; j < drawn.n; ++j) any.col(j) = vector(drawn.n, -1, 1);
  drawn.modes = Eigen::HouseholderQR<MatX>(any).householderQ();
  const int parameters = one_in(2) ? 0 : (one_in(3) ? 2 : 1);
  drawn.truth = vector(parameters, -2, 2);
  drawn.effect.resize(drawn.n, parameters);
  for (int j = 0; j < parameters; ++j) drawn.effect.col(j) = vector(drawn.n, 0.4, 1.5);
  drawn.multiplies = one_in(2);
  drawn.alike = parameters == 2 && (drawn.singular || one_in(2));
  if (parameters > 0 && one_in(3)) drawn.inside = {drawn.length * uniform(0.2, 0.8)};
  drawn.integral = parameters > 0 && one_in(3);
  drawn.weight = vector(drawn.n, -1, 1);
  drawn.tolerance = std::pow(10, -2 - static_cast<int>(generator() % 7));
  return drawn;
}

}  // namespace daewave::testing
