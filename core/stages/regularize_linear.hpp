#pragma once
// The regularized multiplier equation of a linear DAE at one point, without a division by epsilon.
//
//   Z_s = Z_{s-1} + (1/epsilon) B E (alpha1 (C x_s + r)' + alpha2 (C x_s + r)),  Z = B y   (3.16)
//
// With Z = V zeta this becomes                                            [AL1] (3.15), (3.16)
//
//   L zeta_s = epsilon Lo zeta_{s-1} + K x_s + w,
//
// where V has ny columns. For the weight (CB)^-1 V is an orthonormal basis of the range of B, so
// that the equation stays well scaled beside a singular point; for the others V = B, zeta = y.

#include <array>

#include "core/machine/aligned.hpp"
#include "core/problem/linear_dae.hpp"
#include "core/regularize/regularization.hpp"

namespace daewave {

/// Matrices of the regularized multiplier equation at a number of stages, contiguous per stage.
class StageBatch {
 public:
  using View = Eigen::Map<MatX>;
  using ConstView = Eigen::Map<const MatX>;

  StageBatch(int nx, int ny);
  void resize(int stages);

  View V(int i) { return {at(i), nx_, ny_}; }
  View L(int i) { return {at(i) + L_, ny_, ny_}; }
  View Lo(int i) { return {at(i) + Lo_, ny_, ny_}; }
  View K(int i) { return {at(i) + K_, ny_, nx_}; }
  View w(int i) { return {at(i) + w_, ny_, 1}; }
  ConstView V(int i) const { return {at(i), nx_, ny_}; }
  ConstView L(int i) const { return {at(i) + L_, ny_, ny_}; }
  ConstView Lo(int i) const { return {at(i) + Lo_, ny_, ny_}; }
  ConstView K(int i) const { return {at(i) + K_, ny_, nx_}; }
  ConstView w(int i) const { return {at(i) + w_, ny_, 1}; }

 private:
  double* at(int i) { return values_.data() + static_cast<std::size_t>(i) * stride_; }
  const double* at(int i) const { return values_.data() + static_cast<std::size_t>(i) * stride_; }

  int nx_, ny_, L_, Lo_, K_, w_, stride_;
  AlignedVector values_;
};

/// Units of the columns of B, which are those of y, and of the rows of C: each is the power of two
/// below its largest entry on the interval, so that to divide by it costs no rounding. What is
/// small is measured in them; the projector B (CB)^-1 C knows none.
struct ConstraintUnits {
  VecX B, C;  ///< ny each; empty: one.
};

/// Smallest pivots met while orthonormalizing the columns of B and the rows of C, in their units,
/// and the smallest pivot of the product of the two bases.
struct ConstraintPivots {
  double B = 0;
  double C = 0;
  double transversality = 0;
};

/// Orthonormal bases of the columns of B and the rows of C.
///
/// B = V (..), and T C = W with the rows of T applied to everything that goes with C.
class ConstraintBases {
 public:
  ConstraintBases(int nx, int ny, const ConstraintUnits& units = {});

  /// @param companions  matrices with ny rows that take part in the row operations on C.
  ConstraintPivots find(Eigen::Ref<const MatX> B, Eigen::Ref<const MatX> C,
                        Eigen::Ref<MatX> companions);

  /// The pivots alone, of one multiplier. @param B, C  nx each.
  ConstraintPivots pivots(const double* B, const double* C) const;
  /// The smallest of them in units of others, squared, which takes no roots.
  double squared_pivot(const double* B, const double* C, const ConstraintPivots& units) const;

  const MatX& V() const { return V_; }
  const MatX& W() const { return W_; }
  const MatX& WV() const { return WV_; }

 private:
  /// B'B, C'C and C'B of one multiplier, both scaled: their squares do not overflow.
  std::array<double, 3> products(const double* B, const double* C) const;

  VecX inverse_B_, inverse_C_;  ///< Of the units.
  MatX V_, W_, WV_;
};

/// Fills stages of the regularized equation from coefficients.
class LinearRegularizer {
 public:
  /// Which basis is taken depends on the units, rounding apart nothing else does.
  LinearRegularizer(int nx, int ny, const Regularization& regularization,
                    const ConstraintUnits& units = {});

  /// Stage i of `out` from point i of `in`.
  ConstraintPivots regularize(const CoefficientBatch& in, int i, StageBatch& out);

  /// Stage i from the projector P = B (CB)^-1 C and B (CB)^-1 r, where CB itself cannot be used.
  /// Needs weight inverse and alpha1 = 0.
  void regularize_from_projector(const MatX& P, const VecX& BEr, int i, StageBatch& out) const;

 private:
  void inverse_weight(const CoefficientBatch& in, int i, StageBatch& out, ConstraintPivots& pivots);
  void multiplier_weight(const CoefficientBatch& in, int i, StageBatch& out);

  Regularization regularization_;
  ConstraintBases bases_;
  MatX companions_;  // K and w side by side.
  MatX CB_;
};

}  // namespace daewave
