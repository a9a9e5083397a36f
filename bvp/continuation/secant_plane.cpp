#include "bvp/continuation/secant_plane.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bvp/continuation/predicted.hpp"

namespace daewave::bvp {
namespace {

/// What a plane is made of.
class Seen {
 public:
  /// What it is at one time: the predicted solution, and the secant over S^2.
  struct Here {
    std::uint64_t plane = 0;
    double t = 0;
    VecX guess, secant;
  };

  Seen(const Solution& guess, const Solution& a, const Solution& b, VecX weights)
      : guess_(guess), a_(a), b_(b), weights_(std::move(weights)) {}

  void attend(double begin, double end) {
    for (SolutionAround* const one : {&guess_, &a_, &b_}) one->attend(begin, end);
  }
  /// Newton's method asks at the same times again, for each column of the Jacobian and in each
  /// pass: each thread keeps some of what it was told last.
  const Here& at(double t) const {
    thread_local std::vector<Here> kept;
    kept.resize(places_);
    Here& here = kept[(std::bit_cast<std::uint64_t>(t) * 0x9E3779B97F4A7C15U >> 32) % places_];
    if (here.plane != number_ || here.t != t) {
      here.secant = (b_.x(t) - a_.x(t)).cwiseProduct(weights_);
      here.guess = guess_.x(t);
      here.t = t;
      here.plane = number_;
    }
    return here;
  }

 private:
  static std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
  }

  SolutionAround guess_, a_, b_;
  VecX weights_;
  std::uint64_t number_ = next_number();
  /// So that a thread keeps at most half a megabyte, of states that are not longer.
  std::size_t places_ = std::clamp<std::size_t>(32768 / (weights_.size() + 1), 1, 1021);
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
  const auto seen = std::make_shared<Seen>(guess, a, b, weights);
  plane.attend = [seen, attend = family.attend](double begin, double end) {
    seen->attend(begin, end);
    if (attend) attend(begin, end);
  };
  plane.member = [make = family.member, seen, k, at, of_value](const VecX& p) {
    BoundaryProblem problem = make(p);
    const auto integrand = problem.integrand;
    const auto further = problem.further_conditions;
    const double off = of_value * (p[k] - at);
    const double interval = problem.interval.length();
    problem.integrand = [=](const VecX& x, double t) {
      const Seen::Here& here = seen->at(t);
      const double on = (x - here.guess).dot(here.secant) / interval;
      if (!integrand) return VecX{{on}};
      const VecX others = integrand(x, t);
      VecX all(others.size() + 1);
      all << others, on;
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
