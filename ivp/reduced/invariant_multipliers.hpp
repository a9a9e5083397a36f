#pragma once
// Multipliers that keep the invariants within one implicit step, beside its own equations:
//
//   z - c f(t, z, w) + D nu = base,   0 = r(t, z, w),   0 = h(t, z)          [ACPR] (3.3), (4.8)
//
// nu = c mu. D is a basis of the rows of H = dh/dz where the iteration begins, orthonormal, or
// where weights S of z are given S Q, Q an orthonormal basis of those of H S: what moves z the
// least in these weights. What Newton's method takes off (z, w) without invariants, s, becomes with
// them
//
//   s + W dnu,   H W dnu = h - H s,   W = A^-1 (D; 0),
//
// A being the matrix of that method: H is that of this step while A is kept over many, and no
// entry depends on the length of the step.

#include "core/blocks/small_lu.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/equations/invariant_rows.hpp"
#include "ivp/equations/row_space.hpp"

namespace daewave::ivp {

/// Holds the memory: one for each run. Nothing is allocated after the constructor. Numbers that are
/// not finite are passed on.
class InvariantMultipliers {
 public:
  /// @param system          kept by reference.
  /// @param rank_tolerance  a row of H of which no more than this times the largest is left beside
  ///                        the others takes no part.
  /// @throws InvalidOption for a level that has no invariants.
  InvariantMultipliers(DaeSystem& system, Onto onto, double rank_tolerance);

  bool any() const { return kept_.rows > 0; }

  /// h, H and D at z; nu = 0. False where they cannot be evaluated.
  /// @param weight  of each z, or empty.
  bool linearize(double t, const VecX& z, const VecX& weight = VecX());
  /// Takes the factors of A. False where H W is singular.
  bool couple(const SmallLu& A);
  /// residual += D nu, in the rows of z.
  void add(VecX& residual) const;
  /// step, s on entry: what is taken off (z, w). False where h cannot be evaluated.
  bool correct(double t, const VecX& z, VecX& step);

  /// Of D: how far the step was off the invariants without it; rank() entries.
  const VecX& nu() const { return nu_; }
  int rank() const { return space_.rank(); }

 private:
  double along_row(int k, const double* move) const;

  DaeSystem& system_;
  InvariantRows kept_;
  double rank_tolerance_;
  RowSpace space_;
  MatX H_, W_, coupling_;
  SmallLu factors_;
  VecX h_, nu_, change_, weight_;
  bool has_h_ = false;
};

}  // namespace daewave::ivp
