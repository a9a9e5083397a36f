#include "ivp/sensitivities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/start/problem_start.hpp"
#include "ivp/solve.hpp"

namespace daewave::ivp {
namespace {

constexpr double tight = 1e-13;

/// The end of a run from a start that is brought back to the constraints first.
VecX end_from(const DaeProblem& problem, VecX start, const Interval& span, const Options& options) {
  const StartRepair repair =
      repair_start(problem, start, span.begin, options.start_tolerance, options.rank_tolerance);
  if (!repair.ok) throw InvalidProblem("sensitivities: a start beside this one: " + repair.failure);
  const Solution run = solve(problem, start, span, options);
  if (!run.report.usable()) {
    throw InvalidProblem("sensitivities: a run beside this one ended as " + run.report.brief());
  }
  return run.end();
}

struct Derivative {
  VecX value;
  double apart;  ///< From another one, relative to its largest entry.
};

/// By four points of shorter and shorter steps, until two agree; then rounding makes it worse.
/// @param size  of what is moved. @param reach  of the end: a column that is nothing beside it is
///              measured by a thousandth of that.
Derivative derivative(const std::function<VecX(double)>& end, double size, double reach) {
  constexpr double first = 1e-2, shorter = 0.25, enough = 1e-9;
  constexpr int most = 8;
  Derivative best{VecX(), INFINITY};
  VecX before;
  for (int k = 0; k < most; ++k) {
    const double d = first * std::pow(shorter, k) * size;
    const VecX near = end(d) - end(-d), far = end(2 * d) - end(-2 * d);
    const VecX value = (8 * near - far) / (12 * d);
    const double largest = std::max({value.lpNorm<Eigen::Infinity>(), 1e-3 * reach / size, 1e-300});
    if (k > 0) {
      const double apart = (value - before).lpNorm<Eigen::Infinity>() / largest;
      if (apart < best.apart) best = {value, apart};
      if (best.apart < enough || apart > 100 * best.apart) break;
    }
    before = value;
  }
  return best;
}

/// As the run, with nothing given out but the end.
Options beside(const Options& options, const Solution& run) {
  constexpr long more = 1000, least = 10000;  // Where so many are needed runs do not get on.
  Options one;
  one.method = options.method;
  one.rtol = std::min(tight, options.rtol);
  one.start_tolerance = options.start_tolerance;
  one.rank_tolerance = options.rank_tolerance;
  one.progress = options.progress;
  one.most_steps = std::min(options.most_steps, least + more * run.report.integration.steps);
  one.every = 0;
  one.multipliers = false;
  one.monitor = false;
  return one;
}

/// Of a component of that value among others.
double size_of(double value, double largest) {
  return std::max({std::abs(value), 0.1 * largest, largest > 0 ? 0 : 1.0});
}

}  // namespace

Sensitivities sensitivities(const DaeProblem& problem, const VecX& start, const Interval& span,
                            const Options& options) {
  if (options.h) {
    throw InvalidOption(fmt::format(
        "h = {:g}: sensitivities are differences of runs to 1e-13; leave h out", *options.h));
  }
  Sensitivities found;
  found.solution = solve(problem, start, span, options);
  if (!found.solution.report.usable()) return found;
  const Options one = beside(options, found.solution);
  const int n = static_cast<int>(start.size());
  const double largest = start.lpNorm<Eigen::Infinity>();
  found.start = MatX::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    const Derivative column = derivative(
        [&](double d) { return end_from(problem, start + d * VecX::Unit(n, i), span, one); },
        size_of(start[i], largest), found.solution.end().lpNorm<Eigen::Infinity>());
    found.start.col(i) = column.value;
    found.error = std::max(found.error, column.apart);
  }
  return found;
}

Sensitivities sensitivities(const Family& family, const VecX& parameters, const Interval& span,
                            const Options& options) {
  const Member member = family(parameters);
  Sensitivities found = sensitivities(*member.problem, member.start, span, options);
  if (!found.solution.report.usable()) return found;
  const Options one = beside(options, found.solution);
  const int n = static_cast<int>(parameters.size());
  found.parameters = MatX::Zero(found.solution.nz, n);
  for (int i = 0; i < n; ++i) {
    const Derivative column = derivative(
        [&](double d) {
          const Member moved = family(parameters + d * VecX::Unit(n, i));
          return end_from(*moved.problem, moved.start, span, one);
        },
        size_of(parameters[i], 0), found.solution.end().lpNorm<Eigen::Infinity>());
    found.parameters.col(i) = column.value;
    found.error = std::max(found.error, column.apart);
  }
  return found;
}

}  // namespace daewave::ivp
