#include "core/start/consistent_start.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace daewave {
namespace {

/// The largest entry, and the first to be NaN before any.
void find_largest(const VecX& residual, double& size, int& row) {
  for (int i = 0; i < residual.size(); ++i) {
    const double here = std::abs(residual[i]);
    if (row > 0 && here <= size) continue;
    size = here;
    row = i + 1;
    if (std::isnan(here)) return;
  }
}

std::string list(const std::vector<int>& rows) {
  std::string text;
  for (const int row : rows) text += fmt::format("{}{}", text.empty() ? "" : ", ", row);
  return text;
}

std::string rank_text(const Consistency& found) {
  if (!found.singular()) return "";
  const std::string which =
      found.gone.empty()
          ? "B does not reach all rows of G"
          : fmt::format("row {} vanishes or depends on the others", list(found.gone));
  return fmt::format("the constraints have rank {} of {} at t = {:.10g}: {}", found.rank,
                     found.constraints, found.t, which);
}

}  // namespace

bool Consistency::ok(double tolerance) const {
  return not_finite.empty() && position <= tolerance && velocity_ok(tolerance);
}

bool Consistency::velocity_ok(double tolerance) const {
  return velocity <= tolerance || velocity <= velocity_rounding;
}

std::string Consistency::text(double tolerance) const {
  if (ok(tolerance)) return "";
  if (!not_finite.empty()) return not_finite + "; correct the problem or the start";
  std::string what;
  if (!(position <= tolerance)) {
    what = fmt::format("|g| = {:.3g} in row {}", position, position_row);
  }
  if (!velocity_ok(tolerance)) {
    what += fmt::format("{}|G v + g_t| = {:.3g} in row {}", what.empty() ? "" : ", ", velocity,
                        velocity_row);
  }
  const std::string why = rank_text(*this);
  return fmt::format(
      "the start is inconsistent at t = {:.10g}: {}; must be at most {:.1e}{}{}; "
      "correct it, or project it with repair_start()",
      t, what, tolerance, why.empty() ? "" : "; ", why);
}

namespace detail {

Consistency consistency(double t, int index, int constraints, int rank, std::vector<int> gone,
                        const VecX& position, const VecX& velocity, double velocity_rounding,
                        std::string not_finite) {
  Consistency found;
  found.t = t;
  found.index = index;
  found.constraints = constraints;
  found.rank = rank;
  found.gone = std::move(gone);
  find_largest(position, found.position, found.position_row);
  find_largest(velocity, found.velocity, found.velocity_row);
  found.velocity_rounding = velocity_rounding;
  found.not_finite = std::move(not_finite);
  return found;
}

double farthest_row(const VecX& g, const VecX& rows) {
  double most = 0;
  for (int i = 0; i < g.size(); ++i) {
    if (rows[i] > 0) most = larger(most, std::abs(g[i]) / rows[i]);
  }
  return most;
}

void check_start_tolerance(double tolerance) {
  if (tolerance > 0 && std::isfinite(tolerance)) return;
  throw InvalidOption(fmt::format(
      "repair_start: tolerance = {}: must be > 0 and finite; 1e-8 is usual", tolerance));
}

std::string failure_text(const StartRepair& repair, double tolerance) {
  const Consistency& found = repair.consistency;
  if (!found.not_finite.empty()) return found.not_finite + "; correct the problem or the start";
  const bool at_position = !(found.position <= tolerance);
  const std::string left = fmt::format(
      "{} of row {} stays at {:.3g} after {} iterations, must be at most {:.1e}",
      at_position ? "|g|" : "|G v + g_t|", at_position ? found.position_row : found.velocity_row,
      at_position ? found.position : found.velocity, repair.iterations, tolerance);
  const std::string rank = rank_text(found);
  if (!rank.empty()) {
    return fmt::format("singular constraint: {}; {}; start elsewhere, or leave the row out", rank,
                       left);
  }
  return fmt::format("no convergence: {}; start closer to the constraints, or make them agree",
                     left);
}

}  // namespace detail
}  // namespace daewave
