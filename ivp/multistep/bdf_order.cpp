#include "ivp/multistep/bdf_order.hpp"

#include <algorithm>
#include <cmath>

namespace daewave::ivp {
namespace {

/// The largest factors on h, of low orders and of others.
constexpr double grow_first = 100, grow = 10;
/// Nearly always when allowed: steps that are rarely changed, but by more, cost up to a fifth more
/// evaluations for the same error, as the errors of a cycle then do not cancel.
constexpr double worth_it = 1.02;

/// How much shorter than what the errors allow a step is to be, by its order: that of now, which is
/// preferred, the one below and the one above. With 1.2, 1.3 and 1.4 so many steps are rejected,
/// one in fourteen of an oscillation, that they take more evaluations in all and leave twice the
/// error.
constexpr double for_own = 1.4, for_lower = 1.5, for_higher = 1.6;

/// What h may be multiplied by; nothing is gained with an error that is not a number.
double factor(double safety, double error, int order) {
  if (std::isnan(error)) return 0;
  return error > 0 ? 1 / (safety * std::pow(error, 1.0 / (order + 1))) : INFINITY;
}

}  // namespace

void BdfOrder::accepted(double own, double lower, double higher) {
  ++same_;
  rejections_ = 0;
  const double with_own = factor(for_own, own, order_);
  const double with_lower = order_ > 1 ? factor(for_lower, lower, order_ - 1) : 0;
  const double with_higher = order_ < most_ ? factor(for_higher, higher, order_ + 1) : 0;
  const double best = std::max({with_own, with_lower, with_higher});
  if (best < worth_it && with_own >= 1) return;
  if (with_higher == best) {
    ++order_;
  } else if (with_lower == best) {
    --order_;
  }
  h_ *= std::clamp(best, 0.2, order_ <= 2 ? grow_first : grow);
  same_ = 0;
}

void BdfOrder::rejected(double own, double lower) {
  ++rejections_;
  same_ = 0;
  if (rejections_ > 1) {
    h_ *= 0.5;
    if (rejections_ > 2 && order_ > 1) --order_;
    return;
  }
  const double with_own = factor(for_own, own, order_);
  const double with_lower = order_ > 1 ? factor(for_lower, lower, order_ - 1) : 0;
  if (with_lower > with_own) --order_;
  h_ *= std::clamp(std::max(with_own, with_lower), 0.1, 0.9);
}

void BdfOrder::unsolved() {
  ++rejections_;
  same_ = 0;
  h_ *= 0.25;
}

}  // namespace daewave::ivp
