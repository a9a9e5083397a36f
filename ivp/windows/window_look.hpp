#pragma once
// Where a window is looked into between its nodes, at one place: what happens between two of them,
// as a brief contact with something stiff, no sweep has seen.
//
// What a motion only just comes to, it comes to where it turns: at a zero of a velocity, of one
// after the other where there are several. Elsewhere at places that change from window to window.

#include <optional>

#include "ivp/windows/window_polynomial.hpp"

namespace daewave::ivp {

class WindowLook {
 public:
  /// Begins anew.
  void start() { looks_ = 0; }

  /// The next place, theta in (0, 1).
  /// @param motion  in the window. @param end  of it, (q, v).
  double next(const WindowPolynomial& motion, const VecX& end);
  /// The same, none where nothing turns.
  std::optional<double> next_turn(const WindowPolynomial& motion, const VecX& end);

 private:
  unsigned looks_ = 0;
};

}  // namespace daewave::ivp
