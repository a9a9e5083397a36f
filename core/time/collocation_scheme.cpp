#include "core/time/collocation_scheme.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "core/error.hpp"

namespace daewave {
namespace {

using Real = long double;
using Coefficients = std::vector<Real>;  // Of 1, t, t^2, ...

/// Legendre polynomial of degree k shifted to [0, 1].
Coefficients shifted_legendre(int k) {
  Coefficients previous{1}, current{-1, 2};
  if (k == 0) return previous;
  for (int degree = 1; degree < k; ++degree) {
    Coefficients next(degree + 2, 0);
    for (int j = 0; j <= degree; ++j) {
      next[j] -= (2 * degree + 1) * current[j] / (degree + 1);
      next[j + 1] += 2 * (2 * degree + 1) * current[j] / (degree + 1);
    }
    for (int j = 0; j < degree; ++j) next[j] -= degree * previous[j] / (degree + 1);
    previous = std::move(current);
    current = std::move(next);
  }
  return current;
}

Real value(const Coefficients& p, Real t) {
  Real sum = 0;
  for (std::size_t j = p.size(); j-- > 0;) sum = sum * t + p[j];
  return sum;
}

Coefficients derivative(const Coefficients& p) {
  Coefficients d;
  for (std::size_t j = 1; j < p.size(); ++j) d.push_back(static_cast<Real>(j) * p[j]);
  return d;
}

Coefficients difference(const Coefficients& p, const Coefficients& q) {
  Coefficients d(std::max(p.size(), q.size()), 0);
  for (std::size_t j = 0; j < p.size(); ++j) d[j] += p[j];
  for (std::size_t j = 0; j < q.size(); ++j) d[j] -= q[j];
  return d;
}

/// The simple roots of p inside (0, 1): sign changes on a fine grid, then bisection and Newton.
std::vector<Real> roots_inside(const Coefficients& p) {
  const int samples = 4000;
  const Coefficients slope = derivative(p);
  std::vector<Real> roots;
  for (int i = 0; i < samples; ++i) {
    // The grid is shifted by an irrational fraction so that no root, 1/2 above all, falls on it.
    Real left = (i + Real(0.2360679774997896964L)) / (samples + 1);
    Real right = left + Real(1) / (samples + 1);
    if (value(p, left) * value(p, right) >= 0) continue;
    for (int step = 0; step < 20; ++step) {
      const Real middle = (left + right) / 2;
      (value(p, left) * value(p, middle) <= 0 ? right : left) = middle;
    }
    Real root = (left + right) / 2;
    for (int step = 0; step < 4; ++step) root -= value(p, root) / value(slope, root);
    roots.push_back(root);
  }
  return roots;
}

std::vector<Real> stage_positions(Scheme scheme, int k) {
  std::vector<Real> c;
  switch (scheme) {
    case Scheme::gauss:
    case Scheme::midpoint:
      return roots_inside(shifted_legendre(k));
    case Scheme::radau:  // Roots of P_k - P_{k-1}, of which 1 is one.
      if (k > 1) c = roots_inside(difference(shifted_legendre(k), shifted_legendre(k - 1)));
      c.push_back(1);
      return c;
    case Scheme::lobatto:  // 0, the roots of P'_{k-1}, and 1.
      c.push_back(0);
      if (k > 2) {
        for (Real root : roots_inside(derivative(shifted_legendre(k - 1)))) c.push_back(root);
      }
      c.push_back(1);
      return c;
  }
  return c;
}

/// The Lagrange polynomial of stage l in powers of t.
Coefficients lagrange(const std::vector<Real>& c, std::size_t l) {
  Coefficients p{1};
  for (std::size_t j = 0; j < c.size(); ++j) {
    if (j == l) continue;
    Coefficients next(p.size() + 1, 0);
    for (std::size_t i = 0; i < p.size(); ++i) {
      next[i] -= c[j] * p[i] / (c[l] - c[j]);
      next[i + 1] += p[i] / (c[l] - c[j]);
    }
    p = std::move(next);
  }
  return p;
}

Real integral(const Coefficients& p, Real to) {
  Real sum = 0;
  for (std::size_t j = p.size(); j-- > 0;) sum = sum * to + p[j] / static_cast<Real>(j + 1);
  return sum * to;
}

template <class Weigh>
VecX stage_weights(const VecX& c, Weigh weigh) {
  const std::vector<Real> positions(c.begin(), c.end());
  VecX weights(c.size());
  for (int l = 0; l < c.size(); ++l) {
    weights[l] = static_cast<double>(weigh(lagrange(positions, static_cast<std::size_t>(l))));
  }
  return weights;
}

int order_of(Scheme scheme, int k) {
  switch (scheme) {
    case Scheme::radau:
      return 2 * k - 1;
    case Scheme::lobatto:
      return 2 * k - 2;
    default:
      return 2 * k;
  }
}

}  // namespace

const char* name_of(Scheme scheme) {
  switch (scheme) {
    case Scheme::gauss:
      return "gauss";
    case Scheme::radau:
      return "radau";
    case Scheme::lobatto:
      return "lobatto";
    case Scheme::midpoint:
      return "midpoint";
  }
  return "unknown";
}

const std::vector<Scheme>& all_schemes() {
  static const std::vector<Scheme> schemes{Scheme::gauss, Scheme::radau, Scheme::lobatto,
                                           Scheme::midpoint};
  return schemes;
}

Scheme scheme_named(const std::string& name) {
  for (Scheme scheme : all_schemes()) {
    if (name == name_of(scheme)) return scheme;
  }
  throw InvalidOption(fmt::format("scheme = \"{}\"; known: gauss, radau, lobatto, midpoint", name));
}

StageRange stage_range(Scheme scheme) {
  switch (scheme) {
    case Scheme::gauss:
    case Scheme::radau:
      return {1, 8};
    case Scheme::lobatto:
      return {2, 5};
    case Scheme::midpoint:
      return {1, 1};
  }
  return {1, 1};
}

namespace {

Collocation computed(Scheme scheme, int stages) {
  const StageRange range = stage_range(scheme);
  if (stages < range.least || stages > range.most) {
    const std::string has = range.least == range.most
                                ? fmt::format("{} alone", range.most)
                                : fmt::format("{} to {} stages", range.least, range.most);
    throw InvalidOption(fmt::format("stages = {}: {} has {}", stages, name_of(scheme), has));
  }
  const std::vector<Real> c = stage_positions(scheme, stages);
  Collocation result;
  result.scheme = scheme;
  result.stages = stages;
  result.c.resize(stages);
  result.a.resize(stages, stages);
  result.b.resize(stages);
  for (int l = 0; l < stages; ++l) {
    const Coefficients p = lagrange(c, static_cast<std::size_t>(l));
    result.c[l] = static_cast<double>(c[l]);
    result.b[l] = static_cast<double>(integral(p, 1));
    for (int j = 0; j < stages; ++j) result.a(j, l) = static_cast<double>(integral(p, c[j]));
  }
  result.order = order_of(scheme, stages);
  return result;
}

}  // namespace

Collocation collocation(Scheme scheme, int stages) {
  // Finding the stages costs as much as a short solve.
  static std::mutex mutex;
  static std::map<std::pair<Scheme, int>, Collocation> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = known.find({scheme, stages});
  if (found != known.end()) return found->second;
  return known.emplace(std::pair(scheme, stages), computed(scheme, stages)).first->second;
}

double Collocation::growing_up_to() const {
  if (!damps()) return std::numeric_limits<double>::infinity();
  // R is the Pade approximation (k - 1, k) of exp; rounded down.
  constexpr double of_radau[] = {2, 6, 11.842, 19.156, 27.841, 37.824, 49.051, 61.481};
  return of_radau[stages - 1];
}

VecX Collocation::integrated_weights(double theta) const {
  return stage_weights(c, [theta](const Coefficients& p) { return integral(p, theta); });
}

VecX Collocation::interpolation_weights(double theta) const {
  return stage_weights(c, [theta](const Coefficients& p) { return value(p, theta); });
}

}  // namespace daewave
