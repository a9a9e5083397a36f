#include "ivp/reduced/pivot_watch.hpp"

#include <fmt/format.h>

namespace daewave::ivp {

void tell_pivots(const PivotWatch& pivots, Report& report) {
  report.integration.pivot_ratio = pivots.ratio();
  report.integration.pivot_ratio_at = pivots.at();
  if (pivots.ratio() >= near_dependent) return;
  report.warnings.push_back(fmt::format(
      "constraints nearly became dependent: at t = {:.6g} the smallest pivot of G was {:.1e} times "
      "that at the start. Where they do, index reduction can go on along another branch: "
      "estimate_error = true tells whether another method takes the same",
      pivots.at(), pivots.ratio()));
}

}  // namespace daewave::ivp
