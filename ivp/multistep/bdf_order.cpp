#include "ivp/multistep/bdf_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "ivp/multistep/backward_differences.hpp"

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

/// What h may be multiplied by where the order k becomes k + 1. Each step of order k has moved the
/// past by its error, which a polynomial of degree k + 1 has none of: its slope is off by own / h.
/// So a step of rho h is off by d = rho own / gamma_{k+1}, however exact the formula, and seems to
/// err by d / (k + 2). Of a parabola that is all, and the difference foresees steps without end.
double most_of_past(double own, int order) {
  const double gamma = bdf_gamma[static_cast<std::size_t>(order + 1)];
  return own > 0 ? (order + 2) * gamma / (for_higher * own) : INFINITY;
}

}  // namespace

void BdfOrder::accepted(double own, double lower, double higher) {
  ++same_;
  rejections_ = 0;
  const double with_own = factor(for_own, own, order_);
  const double with_lower = order_ > 1 ? factor(for_lower, lower, order_ - 1) : 0;
  double with_higher = 0;
  if (order_ < most_) {
    with_higher = std::min(factor(for_higher, higher, order_ + 1), most_of_past(own, order_));
  }
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
