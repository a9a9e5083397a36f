#pragma once
// w of r(x, w, t) = 0 at many points where Newton's method must not take its steps whole: of each
// so much is taken that the step that would follow with the same dr/dw is shorter, by which units
// of r do not matter (Deuflhard's natural monotonicity).

#include <functional>
#include <vector>

#include "core/blocks/small_lu.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave::bvp {

class DampedAlgebraic {
 public:
  explicit DampedAlgebraic(int nw);

  /// r and dr/dw of all points at w, entry i of point p at [i * stride + p].
  using TermsAt = std::function<const Terms&(const double* w)>;

  /// @param w  from where the method starts, then the roots; spoiled where there is none.
  /// @return a point at which none is found, -1 where there is none such.
  int find(int count, int stride, const TermsAt& terms_at, double* w);

 private:
  /// Newton's step at a point, and from where, in units of 1 + |w|.
  struct Point {
    SmallLu factor;
    VecX w, step;
    double size = 0, part = 1;
    bool open = true;
  };

  bool take_step(const Terms& terms, int p, Point& point);
  double shorter_part(const Point& point) const;
  double part_after(double moved, const VecX& step) const;
  double size_of(const VecX& step, const VecX& w) const;
  /// factor^-1 r. False where that is not finite.
  bool step_with(const Terms& terms, int p, const SmallLu& factor, VecX& step) const;

  int nw_;
  std::vector<Point> points_;
  MatX r_w_;
  VecX next_;
};

}  // namespace daewave::bvp
