#pragma once
// What a residual becomes within its interval, where e' = J e + delta: an error of h delta where h
// J is small, of |J|^-1 delta where it is large.

#include "core/eigen_memory.hpp"

#include <Eigen/LU>

#include "core/types.hpp"

namespace daewave::bvp {

class LocalError {
 public:
  /// Sizes of components that no unit of theirs changes: those in which rows and columns of J are
  /// alike. [Osborne]
  static VecX balancing(const MatX& J);

  /// Whether a step is long for J: otherwise residuals are errors as they are.
  static bool matters(const MatX& J, double h, const VecX& sizes);

  /// Whether the step that find() was given is long for J.
  bool is_stiff() const { return map_.size() > 0; }

  /// No component is stiff.
  void none() { map_.resize(0, 0); }

  /// (I - h/4 J)^-1 or (I + h/4 J)^-1, of which the smaller one is right for modes that decay, and
  /// for those that grow. @param J  nx x nx. @param sizes  of components.
  void find(const MatX& J, double h, const VecX& sizes);

  /// @param values  residuals, nx rows. @param sizes  what their terms are like.
  template <class Values, class Sizes>
  void take(Values&& values, Sizes&& sizes) const {
    if (map_.size() == 0) return;
    values = (map_ * values).eval();
    sizes = (map_.cwiseAbs() * sizes).eval();
  }

 private:
  double take_inverse(const MatX& J, double h, const VecX& sizes, MatX& inverse);

  MatX map_, other_, scaled_;
  Eigen::PartialPivLU<MatX> factor_;
};

}  // namespace daewave::bvp
