#include "core/start/consistent_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace daewave {
namespace {

/// The largest entry, of those first that rounding does not explain, and the first to be NaN before
/// any.
void find_largest(const VecX& residual, const VecX& rounding, double& size, int& row,
                  double& explained) {
  for (int i = 0; i < residual.size(); ++i) {
    const double here = std::abs(residual[i]), by_rounding = rounding.size() > 0 ? rounding[i] : 0;
    const bool beyond = !(here <= by_rounding), was_beyond = !(size <= explained);
    if (row > 0 && (beyond == was_beyond ? here <= size : was_beyond)) continue;
    size = here;
    row = i + 1;
    explained = by_rounding;
    if (std::isnan(here)) return;
  }
}

/// What a residual must be at most.
std::string limit_text(double tolerance, double rounding) {
  if (!(rounding > tolerance)) return fmt::format("{:.1e}", tolerance);
  return fmt::format("{:.1e}, which rounding of the state explains", rounding);
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

bool Consistency::position_ok(double tolerance) const {
  return position <= std::max(tolerance, position_rounding);
}

bool Consistency::velocity_ok(double tolerance) const {
  return velocity <= std::max(tolerance, velocity_rounding);
}

bool Consistency::ok(double tolerance) const {
  return not_finite.empty() && position_ok(tolerance) && velocity_ok(tolerance);
}

std::string Consistency::text(double tolerance) const {
  if (ok(tolerance)) return "";
  if (!not_finite.empty()) return not_finite + "; correct the problem or the start";
  std::string what;
  if (!position_ok(tolerance)) {
    what = fmt::format("|g| = {:.3g} in row {}", position, position_row);
  }
  if (!velocity_ok(tolerance)) {
    what += fmt::format("{}|G v + g_t| = {:.3g} in row {}", what.empty() ? "" : ", ", velocity,
                        velocity_row);
  }
  const std::string why = rank_text(*this);
  return fmt::format(
      "the start is inconsistent at t = {:.10g}: {}; must be at most {}{}{}; "
      "correct it, or project it with repair_start()",
      t, what,
      limit_text(tolerance, position_ok(tolerance) ? velocity_rounding : position_rounding),
      why.empty() ? "" : "; ", why);
}

namespace detail {

Consistency consistency(double t, int index, int constraints, int rank, std::vector<int> gone,
                        const VecX& position, const VecX& velocity, const VecX& rounding,
                        std::string not_finite) {
  Consistency found;
  found.t = t;
  found.index = index;
  found.constraints = constraints;
  found.rank = rank;
  found.gone = std::move(gone);
  const bool looked = rounding.size() > 0;
  find_largest(position, looked ? VecX(rounding.head(position.size())) : VecX(), found.position,
               found.position_row, found.position_rounding);
  find_largest(velocity, looked ? VecX(rounding.tail(velocity.size())) : VecX(), found.velocity,
               found.velocity_row, found.velocity_rounding);
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
  const bool at_position = !found.position_ok(tolerance);
  const std::string left = fmt::format(
      "{} of row {} stays at {:.3g} after {} iterations, must be at most {}",
      at_position ? "|g|" : "|G v + g_t|", at_position ? found.position_row : found.velocity_row,
      at_position ? found.position : found.velocity, repair.iterations,
      limit_text(tolerance, at_position ? found.position_rounding : found.velocity_rounding));
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
