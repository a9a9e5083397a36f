#pragma once
// Nodes of steps of one length h: t_i = begin + i h, not a sum of i terms; the last step is
// shorter, unless h divides the interval up to rounding.

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/error.hpp"
#include "core/types.hpp"

namespace daewave::ivp {

class FixedSteps {
 public:
  /// @param h  > 0, also where end < begin.
  /// @throws InvalidOption where it is lost in rounding beside the ends: no step would get on.
  FixedSteps(const Interval& span, double h) : span_(span), h_(span.end < span.begin ? -h : h) {
    const double ratio = std::abs(span.length()) / h;
    const double whole = std::round(ratio);
    const double size = std::max(std::abs(span.begin), std::abs(span.end));
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    if (!(epsilon * size < h)) throw_lost(h, epsilon * size);
    const double rounding = 4 * epsilon * (ratio + size / h);
    count_ = static_cast<long>(std::abs(ratio - whole) <= rounding ? whole : std::ceil(ratio));
    if (count_ == 0 && ratio > 0) count_ = 1;
  }

  long count() const { return count_; }
  /// Steps that a run to any later end takes too, with the same bits: all, or all but the last,
  /// where the end is no begin + i h.
  long shared() const {
    return span_.begin + static_cast<double>(count_) * h_ == span_.end ? count_ : count_ - 1;
  }
  /// Whether steps 0, ..., i - 1 of that sum have led to t.
  bool passes(long i, double t) const {
    // Close to t = 0 a sum of steps may differ from the node in its last bits.
    const double rounding =
        std::abs(node(i)) < 4 * std::abs(h_) ? std::numeric_limits<double>::epsilon() : 0;
    return std::abs(t - node(i)) <= rounding * std::abs(h_);
  }
  /// Begin of step i, 0 <= i <= count.
  double node(long i) const {
    return i == count_ ? span_.end : span_.begin + static_cast<double>(i) * h_;
  }

 private:
  [[noreturn]] static void throw_lost(double h, double least);

  Interval span_;
  double h_;
  long count_ = 0;
};

inline void FixedSteps::throw_lost(double h, double least) {
  std::ostringstream text;
  text << "h = " << h << ": is lost in rounding beside the ends of the interval; take more than "
       << least;
  throw InvalidOption(text.str());
}

}  // namespace daewave::ivp
