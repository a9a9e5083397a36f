#include "bvp/continuation/secant_plane.hpp"

#include <cmath>

#include "bvp/continuation/predicted.hpp"

namespace daewave::bvp {

double BranchMetric::product_of(const Solution& a, const Solution& b, const Solution& c,
                                const Solution& d, const VecX& sizes) const {
  return product(a, b, c, d, sizes) +
         (value_of(a) - value_of(b)) / range_ * ((value_of(c) - value_of(d)) / range_);
}

double BranchMetric::distance(const Solution& a, const Solution& b, const VecX& sizes) const {
  return std::sqrt(product_of(a, b, a, b, sizes));
}

ProblemFamily on_plane(const ProblemFamily& family, const BranchMetric& metric,
                       const Solution& guess, const Solution& a, const Solution& b,
                       const VecX& sizes) {
  const int k = metric.entry();
  const double at = metric.value_of(guess), length = metric.distance(b, a, sizes);
  const double of_value =
      (metric.value_of(b) - metric.value_of(a)) / (metric.range() * metric.range() * length);
  const VecX weights =
      sizes.cwiseAbs2().cwiseInverse() / (static_cast<double>(sizes.size()) * length);
  ProblemFamily plane = family;
  plane.p[k] = at;
  plane.unknown.push_back(k);
  plane.member = [make = family.member, guess, a, b, k, at, of_value, weights](const VecX& p) {
    BoundaryProblem problem = make(p);
    const auto integrand = problem.integrand;
    const auto further = problem.further_conditions;
    const double off = of_value * (p[k] - at);
    const double interval = problem.interval.length();
    problem.integrand = [=](const VecX& x, double t) {
      const VecX secant = (b.x(t) - a.x(t)).cwiseProduct(weights);
      const double here = (x - guess.x(t)).dot(secant) / interval;
      if (!integrand) return VecX{{here}};
      const VecX others = integrand(x, t);
      VecX all(others.size() + 1);
      all << others, here;
      return all;
    };
    problem.further_conditions = [=](const Observed& of) {
      const Eigen::Index last = of.integrals.size() - 1;
      const double on = of.integrals[last] + off;
      if (!further) return VecX{{on}};
      Observed without = of;
      without.integrals.conservativeResize(last);
      const VecX others = further(without);
      VecX all(others.size() + 1);
      all << others, on;
      return all;
    };
    return problem;
  };
  return plane;
}

}  // namespace daewave::bvp
