#include "ivp/srm/worst_change.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/not_finite.hpp"
#include "ivp/srm/iterate_error.hpp"

namespace daewave::ivp {

void WorstChange::see(double t, const std::vector<const VecX*>& iterates) {
  const std::size_t m = iterates.size();
  if (m < (one_suffices_ ? 2 : 3)) return;
  iterates_ = static_cast<int>(m);
  const VecX &x = *iterates[m - 1], &one = *iterates[m - 2];
  const double size = largest_size(x);
  for (int i = 0; i < x.size(); ++i) {
    const double change = std::abs(x[i] - one[i]);
    if (m > 2) most_before_ = larger(most_before_, std::abs(one[i] - (*iterates[m - 3])[i]));
    most_ = larger(most_, change);
    const double allowed = hundred_tolerances(options_, i, size);
    if (!(change > part_ * allowed)) continue;
    part_ = change / allowed;
    t_ = t;
    changed_ = change;
    allowed_ = allowed;
    entry_ = i;
  }
}

std::string WorstChange::text() const {
  if (!(part_ > 0)) return {};
  const double gain = iterates_ > 2 ? left_of_change(most_ / most_before_) : all_of_change;
  if (!(part_ * gain > 1)) return {};
  return fmt::format(
      "iterates {} and {} were apart on the way: at t = {:.6g} the error of the last was about "
      "{:.1e} in entry {} of the state, where {:.1e}, 100 times the tolerance, is allowed; take "
      "more iterates, or a smaller epsilon",
      iterates_ - 1, iterates_, t_, changed_ * gain, entry_ + 1, allowed_);
}

}  // namespace daewave::ivp
