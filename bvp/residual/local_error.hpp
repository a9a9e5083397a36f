#pragma once
// What a residual becomes within its interval, where e' = J e + delta: an error of h delta where h
// J is small, of |J|^-1 delta where it is large.

#include <vector>

#include "bvp/residual/unresolved.hpp"
#include "core/blocks/small_lu.hpp"
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
  bool is_stiff() const { return is_stiff_; }

  /// Times h and what take() leaves, where a step is long: how far the solution is from the curve
  /// there, once modes that follow at once have followed.
  double part_of_error() const { return part_of_error_; }

  /// No component is stiff.
  void none() { is_stiff_ = false; }

  /// (I - h/4 J)^-1 or (I + h/4 J)^-1, of which the smaller one is right for modes that decay, and
  /// for those that grow. Where modes of both kinds are near 4 / h, what it amplifies, in units of
  /// the sizes, is left as it is. @param J  nx x nx. @param sizes  of components.
  void find(const MatX& J, double h, const VecX& sizes);

  /// @param values  residuals, nx rows and maybe others behind them, which stay. @param sizes  what
  ///                their terms are like.
  void take(RowsOfPoints& values, RowsOfPoints& sizes);

 private:
  double take_inverse(const MatX& J, double time, const VecX& sizes, MatX& inverse);
  void limit_modes(const VecX& sizes);

  bool is_stiff_ = false;
  double part_of_error_ = 0;
  MatX map_, other_, scaled_;
  VecX from_, to_;  ///< Of a mode, what becomes what.
  SmallLu factor_;
  std::vector<double> taken_;  ///< Rows before they are mapped.
};

}  // namespace daewave::bvp
