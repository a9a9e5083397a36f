#pragma once
// An axis: its ends, the numbers printed along it, and where a value lies on it.

#include <string>
#include <vector>

#include "io/figure.hpp"

namespace daewave::io {

/// A number printed along an axis.
struct Tick {
  double value = 0;
  std::string label;  ///< May hold "^{...}".
};

/// Ends, ticks and scale of one axis; every tick lies between the ends.
struct Axis {
  Range range;
  bool log = false;
  std::vector<Tick> ticks;
  std::vector<double> minor;  ///< Values of small ticks without a label.
  std::string scale;          ///< What the labels are to be multiplied by and added to, or empty.

  /// 0 at the low end, 1 at the high end; NaN where the value has no place (log of 0).
  double fraction(double value) const;
};

/// Ends in order, finite and apart: reversed ends are exchanged, equal ends (to rounding) moved by
/// a tenth of their size, ends that are not finite replaced by 0 and 1. A log axis moves equal ends
/// by half a decade and replaces ends that are not positive.
Range usable_range(Range range, bool log);

/// Ticks at multiples of 1, 2 or 5 times a power of ten, at most `most` + 1 and at least 2 of them.
/// Labels that would all share their first digits, or be very large or small, are shortened by
/// `scale`. @param most  at least 5, or is taken as 5.
Axis linear_axis(Range range, int most);

/// Ticks at powers of ten; at 1, 2 and 5 times them, or as on a linear axis, where the range is
/// short. @param most  as above.
Axis log_axis(Range range, int most);

}  // namespace daewave::io
