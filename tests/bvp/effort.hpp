#pragma once
// What a solve took and told when that was recorded, beside what it takes and tells now. A change
// that makes meshes longer, estimates other ones or solutions worse is seen where no bound is
// broken yet. Records are made anew, and looked at, by `[record]` of the test that holds them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "core/report/report.hpp"

namespace daewave::testing {

struct Effort {
  const char* ended = "";  ///< As name_of(Termination); empty where rounding decides.
  int intervals = 0, iterates = 0;
  double x = 0, By = 0;              ///< Estimates of the errors.
  double boundary = 0, forcing = 0;  ///< Condition numbers; 0 where they were not asked.
  double error = 0;                  ///< The true one, in units of the tolerance.
  int warnings = 0, singular_points = 0;
  int newton = 0;       ///< Iterations of Newton's method on all meshes; 0 where none is told.
  double rounding = 0;  ///< What it may make of x; 0 where conditioning was not asked.
};

/// The number before `what` in a message; 0 where it is not there.
inline int number_before(const std::string& what, const std::string& message) {
  const std::size_t at = message.find(" " + what);
  if (at == std::string::npos || at == 0) return 0;
  const std::size_t begin = message.find_last_not_of("0123456789", at - 1) + 1;
  return std::atoi(message.substr(begin, at - begin).c_str());
}

/// @param error  the true one, in units of the tolerance.
inline Effort effort_of(const Report& report, double error) {
  Effort effort;
  effort.ended = name_of(report.termination);
  effort.intervals = report.intervals;
  effort.iterates = static_cast<int>(report.history.size());
  if (report.error.available) {
    effort.x = report.error.x;
    effort.By = report.error.By;
  }
  if (report.conditioning.available) {
    effort.boundary = report.conditioning.boundary;
    effort.forcing = report.conditioning.forcing;
    effort.rounding = report.conditioning.rounding;
  }
  effort.error = report.usable() ? error : 0;
  effort.warnings = static_cast<int>(report.warnings.size());
  effort.singular_points = static_cast<int>(report.singular_points.size());
  effort.newton = number_before("Newton iteration", report.message);
  return effort;
}

/// As it stands in a table of them.
inline std::string text_of(const Effort& effort) {
  if (*effort.ended == '\0') return "{},";
  return fmt::format(
      "{{\"{}\", {}, {}, {:.2e}, {:.2e}, {:.2e}, {:.2e}, {:.2e}, {}, {}, {}, {:.1e}}},",
      effort.ended, effort.intervals, effort.iterates, effort.x, effort.By, effort.boundary,
      effort.forcing, effort.error, effort.warnings, effort.singular_points, effort.newton,
      effort.rounding);
}

/// Whether two numbers are the same but for what other compilers and processors make of rounding.
/// @param negligible  numbers below it are.
inline bool are_alike(double one, double other, double negligible, double factor) {
  one = std::max(one, negligible);
  other = std::max(other, negligible);
  return one <= factor * other && other <= factor * one;
}

/// Whether a solve still takes and tells what it did. Where rounding decides it need not.
inline bool are_alike(const Effort& recorded, const Effort& now, double tolerance) {
  constexpr double rounding = 1e-13;
  const auto alike = [](double one, double other) { return are_alike(one, other, rounding, 1.03); };
  if (*recorded.ended == '\0') return true;
  return recorded.ended == std::string(now.ended) &&
         std::abs(recorded.intervals - now.intervals) <= 1 + recorded.intervals / 20 &&
         recorded.iterates == now.iterates && alike(recorded.x, now.x) &&
         alike(recorded.By, now.By) && alike(recorded.boundary, now.boundary) &&
         alike(recorded.forcing, now.forcing) &&
         are_alike(recorded.error, now.error, std::max(1e-3, 10 * rounding / tolerance), 1.1) &&
         recorded.warnings == now.warnings && recorded.singular_points == now.singular_points &&
         std::abs(recorded.newton - now.newton) <= recorded.newton / 10 &&
         are_alike(recorded.rounding, now.rounding, 1e-16, 2);
}

/// The same in short, of one solve.
struct Cost {
  int intervals = 0, newton = 0;  ///< No intervals: rounding decides, and nothing is compared.
  double x = 0;                   ///< Estimate of the error of x.
  double end = 0;                 ///< Of the last mesh.
};

inline std::string text_of(const Cost& cost) {
  return fmt::format("{{{}, {}, {:.2e}, {:.4g}}}", cost.intervals, cost.newton, cost.x, cost.end);
}

/// @param solution  with values.
template <class Solution>
Cost cost_of(const Solution& solution) {
  const Effort effort = effort_of(solution.report, 0);
  return {effort.intervals, effort.newton, effort.x, solution.mesh().end()};
}

inline bool are_alike(const Cost& recorded, const Cost& now) {
  constexpr double rounding = 1e-13;
  if (recorded.intervals == 0) return true;
  return std::abs(recorded.intervals - now.intervals) <= 1 + recorded.intervals / 20 &&
         std::abs(recorded.newton - now.newton) <= recorded.newton / 10 &&
         are_alike(recorded.x, now.x, rounding, 1.03) &&
         std::abs(recorded.end - now.end) <= 1e-3 * std::abs(recorded.end);
}

}  // namespace daewave::testing
