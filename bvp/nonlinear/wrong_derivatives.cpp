#include "bvp/nonlinear/wrong_derivatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"
#include "core/start/check_f_jacobian.hpp"

namespace daewave::bvp {

VecX beside(const VecX& state) {
  const double largest = largest_size(state), least = largest > 0 ? 1e-3 * largest : 1;
  VecX moved = state;
  for (int i = 0; i < moved.size(); ++i) {
    moved[i] += (0.1 + 0.01 * std::sin(i + 1.0)) * std::max(std::abs(moved[i]), least);
  }
  return moved;
}

std::string wrong_derivatives(const DaeProblem& problem, const Interval& interval,
                              const std::function<VecX(double t)>& x) {
  if (!problem.structure().has_f_jacobian) return {};
  for (const double part : {0.1382, 0.5279, 0.8647}) {
    DerivativeReport report;
    report.t = interval.begin + part * interval.length();
    report.tolerance = 0.01;
    const VecX state = beside(x(report.t));
    if (!state.allFinite()) continue;
    check_f_jacobian(problem, state, report.t, report);
    for (const DerivativeCheck& check : report.checks) {
      if (check.ok || !std::isfinite(check.expected)) continue;
      return fmt::format(
          "{} row {}, column {} at t = {:.10g}: given {:.10g}, differences give {:.10g}",
          check.quantity, check.row, std::max(check.column, 1), report.t, check.given,
          check.expected);
    }
  }
  return {};
}

}  // namespace daewave::bvp
