#pragma once
// Accelerations, multipliers and corrections of a motion at one point whose terms are known:
//
//   M v' = f - G^T lambda,  G v' = -c;   dz = M^-1 G^T (G M^-1 G^T)^-1 h                [ACPR]
//   (5.4)

#include "core/kkt/dense_factors.hpp"
#include "ivp/trains/known_terms.hpp"

namespace daewave::ivp {

/// Owns the memory of its matrices: one for each thread.
class MotionAtPoint {
 public:
  /// @param at  of one point. False where M or G has not full rank, to `rank_tolerance`.
  bool factorize(const KnownTerms& at, double rank_tolerance);

  // Of the point last factorized.

  void multiplier(const KnownTerms& at, VecX& lambda);
  void acceleration(const KnownTerms& at, VecX& a);
  /// @param move  M^-1 G^T (G M^-1 G^T)^-1 residual.
  void correction(const VecX& residual, VecX& move);

 private:
  DenseCholesky of_M_, of_S_;
  MatX M_, G_, S_;
  MatX carried_;  ///< M^-1 G^T.
  VecX force_, mu_;
  bool diagonal_ = false;
};

/// g and G v + g_t of a point.
void residuals_of(const KnownTerms& at, VecX& position, VecX& velocity);

}  // namespace daewave::ivp
