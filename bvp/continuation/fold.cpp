#include "bvp/continuation/fold.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "bvp/continuation/predicted.hpp"

namespace daewave::bvp {

Solution fold_between(const TurningStep& step) {
  constexpr int most = 12;
  constexpr double settled = 1e-6;
  struct Place {
    double s, value;
  };
  const auto place_of = [&](const Solution& at) { return Place{step.along(at), step.value(at)}; };
  std::array<Place, 3> places{
      place_of(step.before), {0, step.value(step.last)}, place_of(step.next)};
  const double spread = std::max(std::abs(places[0].value - places[1].value),
                                 std::abs(places[2].value - places[1].value));
  Solution fold = step.last;
  bool is_found = false;
  for (int i = 0; i < most; ++i) {
    const auto [a, b, c] = places;
    const double left = (b.value - a.value) / (b.s - a.s),
                 right = (c.value - b.value) / (c.s - b.s);
    const double bend = (right - left) / (c.s - a.s);
    const double s = 0.5 * (a.s + b.s) - 0.5 * left / bend;
    if (!(s > a.s && s < c.s)) break;
    if (std::abs(s - b.s) < 1e-6 * step.length) {
      is_found = true;
      break;
    }
    const Solution& beside = s > 0 ? step.next : step.before;
    Solution found = step.on_plane(predicted(beside, step.last, -s / step.along(beside)));
    if (!found.report.usable()) break;
    const Place at = place_of(found);
    const bool is_beyond = (at.value - b.value) * bend <= 0;
    const double change = std::abs(at.value - b.value);
    if (is_beyond) {
      fold = std::move(found);
      places = at.s < b.s ? std::array{a, at, b} : std::array{b, at, c};
    } else {
      places = at.s < b.s ? std::array{at, b, c} : std::array{a, b, at};
    }
    const double least = 0.1 * step.tolerance * (std::abs(at.value) + step.range);
    is_found = change <= std::max(least, settled * spread);
    if (change <= least) break;
  }
  return is_found ? fold : Solution();
}

}  // namespace daewave::bvp
