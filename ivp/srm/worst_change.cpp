#include "ivp/srm/worst_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"

namespace daewave::ivp {

VecX hundred_tolerances(const VecX& x, const Options& options) {
  const double size = largest_size(x);
  VecX error(x.size());
  for (int i = 0; i < error.size(); ++i) {
    const double absolute = options.atol_each.empty()
                                ? options.atol.value_or(0)
                                : options.atol_each[static_cast<std::size_t>(i)];
    error[i] = 100 * (absolute + options.rtol * size);
  }
  return error;
}

void WorstChange::see(double t, const std::vector<const VecX*>& iterates) {
  const std::size_t m = iterates.size();
  if (m < 3) return;
  iterates_ = static_cast<int>(m);
  change_ = (*iterates[m - 2] - *iterates[m - 3]).cwiseAbs();
  most_before_ = std::max(most_before_, largest_size(change_));
  change_ = (*iterates[m - 1] - *iterates[m - 2]).cwiseAbs();
  most_ = std::max(most_, largest_size(change_));
  const VecX allowed = hundred_tolerances(*iterates[m - 1], options_);
  for (int i = 0; i < change_.size(); ++i) {
    if (!(change_[i] > part_ * allowed[i])) continue;
    part_ = change_[i] / allowed[i];
    t_ = t;
    changed_ = change_[i];
    allowed_ = allowed[i];
    entry_ = i;
  }
}

std::string WorstChange::text() const {
  if (!(part_ > 0)) return {};
  constexpr double slowest_decay = 0.95;
  const double rate = std::min(most_ / most_before_, slowest_decay);
  const double gain = rate / (1 - rate);
  if (!(part_ * gain > 1)) return {};
  return fmt::format(
      "iterates {} and {} were apart on the way: at t = {:.6g} the error of the last was about "
      "{:.1e} in entry {} of the state, where {:.1e}, 100 times the tolerance, is allowed; take "
      "more iterates, or a smaller epsilon",
      iterates_ - 1, iterates_, t_, changed_ * gain, entry_ + 1, allowed_);
}

}  // namespace daewave::ivp
