#pragma once
// Order and length of the next step of a BDF from what the last one would have erred with the order
// k of now and its neighbours: the one that allows the longest step is taken, its
//
//   h_new = h / (safety error^{1 / (order + 1)}),
//
// once h and k have been the same for k + 1 steps, and only where it is worth a new grid.

namespace daewave::ivp {

/// Errors in units of the tolerance.
class BdfOrder {
 public:
  BdfOrder() = default;
  explicit BdfOrder(int most) : most_(most) {}

  int order() const { return order_; }
  /// Of the next step; > 0.
  double length() const { return h_; }
  void restart() {
    order_ = 1;
    same_ = 0;
  }

  /// The step of length h is about to be tried.
  void begin(double h, bool other_grid) {
    h_ = h;
    if (other_grid) same_ = 0;
  }

  /// Enough steps have been alike to change order or length after this one.
  bool may_change() const { return same_ >= order_; }
  bool knows_higher() const { return order_ < most_; }

  /// An accepted step that tells nothing more.
  void accepted() { ++same_; }
  /// @param lower, higher  with the order below, and above; infinite where there is none.
  void accepted(double own, double lower, double higher);
  void rejected(double own, double lower);
  /// The equations of the step could not be solved.
  void unsolved();
  /// Rejections since the last accepted step.
  int rejections() const { return rejections_; }

 private:
  int most_ = 6, order_ = 1;
  int same_ = 0;  ///< Accepted steps of this order and length.
  int rejections_ = 0;
  double h_ = 0;
};

}  // namespace daewave::ivp
