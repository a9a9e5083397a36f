#pragma once
// How fast the changes of an iteration shrink, from their sizes alone: all that Newton's method
// with a matrix of elsewhere, or sweeps without one, can know of its error.
//
//   theta = |d_k| / |d_{k-1}|,   |error| <= theta / (1 - theta) |d_k|               [HW2] IV.8
//
// What is done with it is the business of each iteration: how a rate is remembered from step to
// step, when it is too slow, and when changes are rounding.

namespace daewave::ivp {

class Contraction {
 public:
  /// An iteration begins.
  void begin() { change_ = rate_ = 0; }

  /// @param change  its size, >= 0. @return false at the first change, which tells nothing.
  bool see(double change) {
    const double before = change_;
    change_ = change;
    if (!(before > 0)) return false;
    rate_ = change / before;
    return true;
  }

  double change() const { return change_; }  ///< The last one.
  double rate() const { return rate_; }      ///< theta of the last two; 0 before.

  /// What all changes to come add, at that rate, < 1.
  static double left(double rate, double change) { return rate / (1 - rate) * change; }

 private:
  double change_ = 0, rate_ = 0;
};

}  // namespace daewave::ivp
