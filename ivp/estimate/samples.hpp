#pragma once
// What a run gave out, thinned: what a second run is compared with.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/types.hpp"

namespace daewave::ivp {

/// What was given out, at times that are about evenly spread over what was; and the first ones, as
/// what begins with a layer is off most there.
class Samples {
 public:
  explicit Samples(int nz) : nz_(nz) {}

  void see(double t, const double* state) {
    const long behind = seen_++ - first;
    if (behind >= 0) {
      if (behind % stride_ != 0) return;
      if (count() >= 2 * most) thin();
      if (behind % stride_ != 0) return;
    }
    times_.push_back(t);
    states_.insert(states_.end(), state, state + nz_);
  }
  /// The state where the run came to is looked at whatever was given out before.
  void see_end(double t, const VecX& state) {
    if (count() > most) thin();
    if (count() > 0 && times_.back() == t) return;
    times_.push_back(t);
    states_.insert(states_.end(), state.data(), state.data() + nz_);
  }

  std::size_t count() const { return times_.size(); }
  double t(std::size_t i) const { return times_[i]; }
  Eigen::Map<const VecX> state(std::size_t i) const {
    return {states_.data() + i * static_cast<std::size_t>(nz_), nz_};
  }

 private:
  static constexpr std::size_t most = 200;
  static constexpr int first = 16;

  /// Each second one goes, but for the first.
  void thin() {
    std::size_t kept = first;
    for (std::size_t i = first; i < count(); i += 2, ++kept) {
      times_[kept] = times_[i];
      std::copy_n(states_.begin() + static_cast<std::ptrdiff_t>(i) * nz_, nz_,
                  states_.begin() + static_cast<std::ptrdiff_t>(kept) * nz_);
    }
    times_.resize(kept);
    states_.resize(kept * static_cast<std::size_t>(nz_));
    stride_ *= 2;
  }

  int nz_;
  long seen_ = 0, stride_ = 1;
  std::vector<double> times_, states_;
};

}  // namespace daewave::ivp
