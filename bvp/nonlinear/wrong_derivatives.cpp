#include "bvp/nonlinear/wrong_derivatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/start/check_f_jacobian.hpp"

namespace daewave::bvp {

std::string wrong_derivatives(const DaeProblem& problem, const Interval& interval,
                              const std::function<VecX(double t)>& x) {
  if (!problem.structure().has_f_jacobian) return {};
  for (const double part : {0.1382, 0.5279, 0.8647}) {
    DerivativeReport report;
    report.t = interval.begin + part * interval.length();
    report.tolerance = 0.01;
    VecX beside = x(report.t);
    // A guess of zero, or a line, shows few terms of f.
    for (int i = 0; i < beside.size(); ++i) {
      beside[i] += 0.1 * std::sin(i + 1.0) * std::max(1.0, std::abs(beside[i]));
    }
    if (!beside.allFinite()) continue;
    check_f_jacobian(problem, beside, report.t, report);
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
