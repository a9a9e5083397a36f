#pragma once
// Events that accumulate: infinitely many in a finite time, as the impacts of a ball that comes to
// rest. Nothing goes on beyond the point where they do, unless something else takes over there.

#include <cmath>
#include <map>
#include <optional>
#include <string>

namespace daewave::ivp {

/// What to do about it.
inline constexpr const char* after_accumulation =
    "let something else hold from there, as contact: an event that stops the run at a small "
    "velocity, and a problem with one constraint more that goes on";

/// Sees the times of restarts by events.
class Accumulation {
 public:
  /// @param h    the fixed step, where there is one.
  /// @param end  of the run; infinite: it is not known.
  Accumulation(double begin, std::optional<double> h, double end = INFINITY)
      : last_(begin), h_(h.value_or(0)), end_(end) {}

  /// Why the run cannot go on beyond an event; empty where it can.
  /// @param event  which it is: another one may be close to the first by chance, or follow from it
  ///               at the same time, as impacts of bodies that touch.
  std::string at(double t, int event);

  /// How long the first step after it should be at most, where events follow on each other fast.
  std::optional<double> first_step() const {
    if (!(before_ > 0 && before_ < 1e-2 * longest_)) return {};
    return before_;
  }

 private:
  std::string at_once(int event);

  // Times between events that are a part of the longest so short, or of a fixed step, are near the
  // rounding of states; they may come close by chance, but not shrinking so often, or so many.
  static constexpr double short_part = 1e-6, short_of_step = 1e-3;
  static constexpr int most_shrinking = 8, most_halving = 2, most_short = 100;
  // Alike, however short, they lead to the end of the run where it is no more than as many away.
  static constexpr double most_to_come = 1e6;
  // Where they shrink by less it would take a thousand of them until they end in a point.
  static constexpr double hardly_shrinks = 0.999;
  // One that happens as often without time between.
  static constexpr int most_at_once = 100;

  double last_, h_, end_;
  double longest_ = 0, before_ = INFINITY;
  int event_ = 0;               ///< The last.
  std::map<int, int> at_once_;  ///< How often each has happened at that time.
  int count_ = 0, shrinking_ = 0, halving_ = 0, short_ = 0;
};

}  // namespace daewave::ivp
