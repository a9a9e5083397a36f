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
};

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
  }
  effort.error = report.usable() ? error : 0;
  effort.warnings = static_cast<int>(report.warnings.size());
  effort.singular_points = static_cast<int>(report.singular_points.size());
  return effort;
}

/// As it stands in a table of them.
inline std::string text_of(const Effort& effort) {
  if (*effort.ended == '\0') return "{},";
  return fmt::format("{{\"{}\", {}, {}, {:.2e}, {:.2e}, {:.2e}, {:.2e}, {:.2e}, {}, {}}},",
                     effort.ended, effort.intervals, effort.iterates, effort.x, effort.By,
                     effort.boundary, effort.forcing, effort.error, effort.warnings,
                     effort.singular_points);
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
  const auto alike = [](double one, double other) { return are_alike(one, other, rounding, 1.3); };
  if (*recorded.ended == '\0') return true;
  return recorded.ended == std::string(now.ended) &&
         std::abs(recorded.intervals - now.intervals) <= 1 + recorded.intervals / 20 &&
         recorded.iterates == now.iterates && alike(recorded.x, now.x) &&
         alike(recorded.By, now.By) && alike(recorded.boundary, now.boundary) &&
         alike(recorded.forcing, now.forcing) &&
         are_alike(recorded.error, now.error, std::max(1e-3, 10 * rounding / tolerance), 1.5) &&
         recorded.warnings == now.warnings && recorded.singular_points == now.singular_points;
}

}  // namespace daewave::testing
