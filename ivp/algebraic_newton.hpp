#pragma once
// Newton's method for 0 = r(w), few unknowns, its Jacobian by differences: algebraic unknowns at a
// given state.

#include <cmath>

#include "core/types.hpp"
#include "ivp/small_lu.hpp"

namespace daewave::ivp {

/// Holds the memory.
class AlgebraicNewton {
 public:
  explicit AlgebraicNewton(int nw) : J_(nw, nw), r_(nw), moved_(nw), tried_(nw), lu_(nw) {}

  /// To rounding, steps being halved where |r| does not fall.
  /// @param residual  r = residual(w, r). @param w  near the solution; the solution.
  template <class Residual>
  bool solve(Residual residual, VecX& w) {
    if (w.size() == 0) return true;
    residual(w, r_);
    double size = r_.cwiseAbs().maxCoeff();
    for (int iteration = 0; iteration < 50; ++iteration) {
      if (!std::isfinite(size)) return false;
      if (size == 0) return true;
      if (!differentiate(residual, w)) return false;
      lu_.solve(r_);
      const double largest =
          r_.cwiseQuotient(w.cwiseAbs().cwiseMax(1e-3 * largest_of(w))).cwiseAbs().maxCoeff();
      double after = size, part = 1;
      for (int halving = 0; halving < 20; ++halving, part /= 2) {
        tried_ = w - part * r_;
        residual(tried_, moved_);
        after = moved_.cwiseAbs().maxCoeff();
        if (after < size) break;
      }
      if (!(after < size)) return largest < 1e-9;  // Rounding.
      w = tried_;
      r_ = moved_;
      size = after;
      if (largest < 1e-15) return true;
    }
    return false;
  }

 private:
  static double largest_of(const VecX& w) {
    const double largest = w.cwiseAbs().maxCoeff();
    return largest > 0 ? largest : 1.0;
  }

  template <class Residual>
  bool differentiate(Residual residual, VecX& w) {
    const double unit = 1e-3 * largest_of(w);
    for (int j = 0; j < w.size(); ++j) {
      const double kept = w[j], step = 1.5e-8 * (std::abs(kept) + unit);
      w[j] = kept + step;
      residual(w, moved_);
      J_.col(j) = (moved_ - r_) / (w[j] - kept);
      w[j] = kept;
    }
    return lu_.factorize(J_);
  }

  MatX J_;
  VecX r_, moved_, tried_;
  SmallLu lu_;
};

}  // namespace daewave::ivp
