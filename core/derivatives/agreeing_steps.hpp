#pragma once
// Which of several steps a difference is best taken at: entry by entry, that whose result agrees
// best with the one of the step before it. Large steps do not see narrow features, small ones are
// rounding; smaller ones are tried as long as rounding does not forbid a better agreement.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/eigen_memory.hpp"

namespace daewave::detail {

/// Values of a function at a point and around it, at distances d and 2 d.
template <class Values>
struct FivePoints {
  Values far_left, left, middle, right, far_right;

  Values first(double d) const { return (far_left - far_right + 8 * (right - left)) / (12 * d); }
  Values second(double d) const {
    return (16 * (right + left) - (far_right + far_left) - 30 * middle) / (12 * d * d);
  }
  /// Whether the others foresee the middle, as they do where the function is smooth: two steps that
  /// pass over a narrow feature agree on what is not there.
  bool foresees_middle(Eigen::Index i) const {
    const double at = middle.data()[i];
    const double foreseen =
        (4 * (left.data()[i] + right.data()[i]) - (far_left.data()[i] + far_right.data()[i])) / 6;
    const double most =
        std::max({std::abs(far_left.data()[i] - at), std::abs(left.data()[i] - at),
                  std::abs(right.data()[i] - at), std::abs(far_right.data()[i] - at)});
    constexpr double part = 0.02, rounding = 16 * std::numeric_limits<double>::epsilon();
    return std::abs(foreseen - at) <= part * most + rounding * std::abs(at);
  }
};

template <class Values>
class AgreeingSteps {
 public:
  /// @param first  the result of the largest step.
  explicit AgreeingSteps(const Values& first)
      : best_(first),
        before_(first),
        gap_(Values::Constant(first.rows(), first.cols(),
                              std::numeric_limits<double>::infinity())) {}

  /// @param is_seen  tells of an entry whether the step sees the function.
  template <class IsSeen>
  void see(const Values& result, IsSeen is_seen) {
    for (Eigen::Index i = 0; i < result.size(); ++i) {
      const double gap = std::abs(result.data()[i] - before_.data()[i]);
      if (!(gap < gap_.data()[i]) || !is_seen(i)) continue;
      gap_.data()[i] = gap;
      best_.data()[i] = result.data()[i];
    }
    before_ = result;
  }

  /// Whether a step at which entries are off by that much, by rounding alone, may be better.
  bool may_improve(const Values& rounding) const {
    return !(gap_.array() <= rounding.array()).all();
  }

  const Values& best() const { return best_; }

 private:
  Values best_, before_, gap_;
};

}  // namespace daewave::detail
