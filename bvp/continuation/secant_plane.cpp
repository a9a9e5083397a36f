#include "bvp/continuation/secant_plane.hpp"

#include <cmath>
#include <memory>

#include "bvp/continuation/predicted.hpp"

namespace daewave::bvp {
namespace {

/// What a plane is made of.
struct Seen {
  Seen(const Solution& guess_, const Solution& a_, const Solution& b_)
      : guess(guess_), a(a_), b(b_) {}
  SolutionAround guess, a, b;
};

}  // namespace

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
  const auto seen = std::make_shared<Seen>(guess, a, b);
  plane.attend = [seen, attend = family.attend](double begin, double end) {
    for (SolutionAround* const one : {&seen->guess, &seen->a, &seen->b}) one->attend(begin, end);
    if (attend) attend(begin, end);
  };
  plane.member = [make = family.member, seen, k, at, of_value, weights](const VecX& p) {
    BoundaryProblem problem = make(p);
    const auto integrand = problem.integrand;
    const auto further = problem.further_conditions;
    const double off = of_value * (p[k] - at);
    const double interval = problem.interval.length();
    problem.integrand = [=](const VecX& x, double t) {
      const VecX secant = (seen->b.x(t) - seen->a.x(t)).cwiseProduct(weights);
      const double here = (x - seen->guess.x(t)).dot(secant) / interval;
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
