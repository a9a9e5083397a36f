#pragma once
// A linear TwoPoint as a DAE of index 2: beside (y, y') a component that a constraint holds at
// zero,
//
//   y'' = b(t) y + c(t) y' + g(t),   u' = -lambda,   0 = u.

#include <string>
#include <utility>

#include "core/problem/boundary.hpp"
#include "problems/two_point.hpp"

namespace daewave::problems {

/// State (y, y', u). The law must be linear in y and y'.
class LinearTwoPoint {
 public:
  explicit LinearTwoPoint(TwoPoint of) : of_(std::move(of)) {}

  std::string name() const { return of_.name(); }
  Interval interval() const { return of_.span; }

  struct Coefficients {
    Mat<3, 3> A;
    Vec<3> B, q;
    Mat<1, 3> C;
    Vec<1> r;
    Mat<1, 3> C_t;
    Vec<1> r_t;
  };

  Coefficients coefficients(double t) const {
    const Acceleration a = of_.law(t, 0.0, 0.0);
    return {Mat<3, 3>{{0, 1, 0}, {a.by_y, a.by_slope, 0}, {0, 0, 0}},
            B(t),
            Vec<3>{0, a.value, 0},
            C(t),
            r(t),
            C_t(t),
            r_t(t)};
  }

  Mat<3, 3> A(double t) const { return coefficients(t).A; }
  Vec<3> B(double) const { return {0, 0, 1}; }
  Vec<3> q(double t) const { return coefficients(t).q; }
  Mat<1, 3> C(double) const { return {0, 0, 1}; }
  Vec<1> r(double) const { return Vec<1>::Zero(); }
  Mat<1, 3> C_t(double) const { return Mat<1, 3>::Zero(); }
  Vec<1> r_t(double) const { return Vec<1>::Zero(); }

  Boundary boundary() const {
    return {MatX{{1, 0, 0}, {0, 0, 0}}, MatX{{0, 0, 0}, {1, 0, 0}}, Vec<2>{of_.first, of_.last}};
  }

 private:
  TwoPoint of_;
};

}  // namespace daewave::problems
