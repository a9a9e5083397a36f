#pragma once
// What each next length of a truncated interval changes, and how fast that falls.

#include <algorithm>
#include <cmath>
#include <vector>

namespace daewave::bvp {

class LengthDecay {
 public:
  /// @param gap  how far the solution of the next length is from that of `length`.
  void see(double length, double gap) { seen_.push_back({length, gap}); }

  int count() const { return static_cast<int>(seen_.size()); }
  double gap() const { return seen_.back().gap; }
  /// p where the last gap falls like length^-p; 0 where it does not, or that is not known.
  double power() const { return power_of(seen_.size()); }
  /// The same of the length before.
  double power_before() const { return power_of(seen_.size() - 1); }
  /// Where lengths are short beside that of a decay they change the more the longer they are.
  bool rises() const {
    constexpr double clearly = 1.1;
    return seen_.size() > 1 && seen_.back().gap > clearly * seen_[seen_.size() - 2].gap;
  }

 private:
  struct Seen {
    double length, gap;
  };

  /// From the last two of `count`.
  double power_of(std::size_t count) const {
    constexpr double any = 100;
    if (count < 2 || count > seen_.size()) return 0;
    const Seen &before = seen_[count - 2], &last = seen_[count - 1];
    if (!(last.gap > 0)) return any;
    return std::max(0.0, std::log(before.gap / last.gap) / std::log(last.length / before.length));
  }

  std::vector<Seen> seen_;
};

}  // namespace daewave::bvp
