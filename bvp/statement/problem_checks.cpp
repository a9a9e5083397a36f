#include "bvp/statement/problem_checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace daewave::bvp {
namespace {

void check_inside(const BoundaryProblem& problem) {
  const Interval& interval = problem.interval;
  double before = interval.begin;
  for (const double t : problem.inside) {
    if (t > before && t < interval.end) {
      before = t;
      continue;
    }
    throw InvalidProblem(fmt::format(
        "inside: t = {:g} after {:g}: must increase and lie within ({:g}, {:g}); what is at the "
        "ends further_conditions() sees as left and right",
        t, before, interval.begin, interval.end));
  }
  const bool sees = static_cast<bool>(problem.further_conditions);
  if (!sees && !problem.inside.empty()) {
    throw InvalidProblem("inside: only further_conditions sees it, and there are none");
  }
  if (!sees && problem.integrand) {
    throw InvalidProblem("integrand: only further_conditions sees it, and there are none");
  }
}

bool are_same(const VecX& a, const VecX& b) { return a.size() == b.size() && a == b; }

}  // namespace

void check(const BoundaryProblem& problem) {
  if (!problem.equations) throw InvalidProblem("equations: there are none");
  if (!problem.conditions && !problem.further_conditions) {
    throw InvalidProblem("conditions: there are none");
  }
  const Sizes& sizes = problem.equations->sizes();
  if (sizes.nk > 0) {
    throw InvalidProblem(fmt::format(
        "nk = {}: constraints on velocities are not solved as boundary value problems", sizes.nk));
  }
  if (sizes.nh > 0) {
    throw InvalidProblem(
        fmt::format("nh = {}: invariants are not solved for in boundary value problems, where they "
                    "follow from the conditions; leave h out",
                    sizes.nh));
  }
  const Interval& interval = problem.interval;
  if (!(std::isfinite(interval.begin) && std::isfinite(interval.end) &&
        interval.begin < interval.end)) {
    throw InvalidProblem(
        fmt::format("interval = [{:g}, {:g}]: must be increasing, both ends finite", interval.begin,
                    interval.end));
  }
  check_inside(problem);
}

bool is_alike(const BoundaryProblem& a, const BoundaryProblem& b) {
  return b.equations && a.equations->kind() == b.equations->kind() &&
         a.equations->sizes() == b.equations->sizes() && a.interval.begin == b.interval.begin &&
         a.interval.end == b.interval.end && a.inside == b.inside && are_same(a.lower, b.lower) &&
         are_same(a.upper, b.upper) &&
         are_same(a.singular_term.reshaped(), b.singular_term.reshaped()) &&
         static_cast<bool>(a.integrand) == static_cast<bool>(b.integrand);
}

}  // namespace daewave::bvp
