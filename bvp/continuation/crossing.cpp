#include "bvp/continuation/crossing.hpp"

#include <cmath>
#include <utility>

namespace daewave::bvp {

Crossing crossing(const TurnedStep& step, double least) {
  // A branch may change faster beside a crossing than over all of a step.
  constexpr double steeper = 3;
  // Not the middle, where a crossing of what is symmetric lies; there no solution is found.
  constexpr double parts[] = {0.45, 0.6};
  const double whole = step.distance(step.next, step.last);
  Solution from = step.last, to = step.next;
  double width = 1;
  // Beside a crossing errors grow by one over the distance from it, and are no gap while that is
  // below a tenth of the distance.
  const auto tells_a_gap = [&] {
    constexpr double times_least = 1e-2, tenth = 0.1;
    return width > times_least * least && std::pow(tenth * width * whole, 2) > step.error(from, to);
  };
  while (width > least || tells_a_gap()) {
    Solution middle;
    double part = 0;
    for (const double one : parts) {
      part = one;
      middle = step.between(from, to, part);
      if (middle.report.termination == Termination::stopped) return Crossing::stopped;
      if (middle.report.usable()) break;
    }
    if (!middle.report.usable()) return Crossing::leapt;
    const bool is_before = step.orientation(middle) == step.at_last;
    width *= is_before ? 1 - part : part;
    (is_before ? from : to) = std::move(middle);
    if (step.distance(to, from) > steeper * width * whole + step.error(from, to)) {
      return Crossing::leapt;
    }
  }
  return Crossing::passed;
}

}  // namespace daewave::bvp
