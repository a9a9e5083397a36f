#pragma once
// Elimination of the stages of one interval ("condensation"): what is left couples only the nodes.
//
// Stage equations, unknown F_j = x'(t_j) and zeta_j, where B y = V_j zeta_j:
//
//   F_j - A_j (x + h sum_l a_jl F_l) + V_j zeta_j = q_j
//   L_j zeta_j - K_j (x + h sum_l a_jl F_l)       = epsilon Lo_j zeta_j^old + w_j
//   x_new = x + h sum_l b_l F_l
//
// Nothing is divided by epsilon, so epsilon may go to rounding level.       [AL1] (4.1)-(4.3)
//
// The node unknown u is x, or (x, zeta) for schemes whose first stage is the node: there zeta at
// the left node cannot be had from the interval alone without dividing by epsilon, so it is kept,
// and the multiplier equation of the right node joins the interval's rows.

#include <vector>

#include "core/blocks/babd_matrix.hpp"
#include "core/blocks/small_lu.hpp"
#include "core/machine/aligned.hpp"
#include "core/problem/linear_dae.hpp"
#include "core/stages/regularize_linear.hpp"
#include "core/time/collocation_scheme.hpp"

namespace daewave {

/// Sizes of a discretized problem.
struct StageLayout {
  StageLayout(int nx, int ny, const Collocation& scheme);

  int nx, ny, stages;
  bool shared;      ///< The first stage is the left node: u = (x, zeta).
  int node;         ///< Entries of u.
  int multipliers;  ///< zeta of all stages: ny * stages.
};

/// Whether x between nodes will be asked for: the derivatives of all stages, which most of it is.
enum class KeepSlopes { no, yes };

/// Per interval the affine maps
///   right side of the block row:  g = g0 + G zeta_old,
///   stage multipliers:            zeta = h0 + H u_left + Hr u_right + J zeta_old,
///   derivatives, where kept:      F = F0 + Fx u_left + Fz zeta_old,
/// row-major. Hr exists for shared stages only, the last ones for others.
class StageMaps {
 public:
  StageMaps(const StageLayout& layout, int intervals, KeepSlopes slopes = KeepSlopes::no);

  const StageLayout& layout() const { return layout_; }
  int intervals() const { return intervals_; }
  double* g0(int i) { return at(i); }
  double* G(int i) { return at(i) + G_; }
  double* h0(int i) { return at(i) + h0_; }
  double* H(int i) { return at(i) + H_; }
  double* Hr(int i) { return at(i) + Hr_; }
  double* J(int i) { return at(i) + J_; }
  bool has_slopes() const { return stride_ > F_; }
  /// Rows of (Fx, Fz, F0), one for each component of each stage.
  double* F(int i) { return at(i) + F_; }

  /// right = g0 + G zeta_old; `zeta_old` may be null for zero.
  void right_side(int i, const double* zeta_old, double* right) const;

  /// Overwrites zeta with the new multipliers of the interval; `zero_old` skips J zeta.
  void update_multipliers(int i, const double* left, const double* right, bool zero_old,
                          double* zeta) const;

  /// F of the stages, one below the other; `zeta_old` may be null for zero.
  void slopes(int i, const double* left, const double* zeta_old, double* F) const;

  double bytes() const { return 8.0 * static_cast<double>(values_.size()); }

 private:
  double* at(int i) { return values_.data() + static_cast<std::size_t>(i) * stride_; }
  const double* at(int i) const { return values_.data() + static_cast<std::size_t>(i) * stride_; }

  StageLayout layout_;
  int intervals_, G_, h0_, H_, Hr_, J_, F_, stride_;
  AlignedVector values_;
};

/// In which order the stage equations are solved.
enum class MultipliersFirst {
  no,   ///< Multipliers with the derivatives: L may be as small as epsilon.
  yes,  ///< Each from its own equation, which leaves those of an ordinary equation: L is as large
        ///< as alpha1. Not for shared stages.
};

/// Eliminates stages, interval by interval; one per thread.
class StageElimination {
 public:
  StageElimination(const StageLayout& layout, const Collocation& scheme, double epsilon,
                   MultipliersFirst order = MultipliersFirst::no);

  /// @param first  index of the interval's first stage in both batches.
  /// @param S,R    block row of the node matrix, row-major, S u_left + R u_right = g.
  /// @return       smallest pivot relative to the largest; 0: singular, nothing was written.
  double condense(const CoefficientBatch& coefficients, const StageBatch& regularized, int first,
                  double h, double* S, double* R, StageMaps& maps, int interval);

 private:
  void assemble(const CoefficientBatch& coefficients, const StageBatch& regularized, int first,
                double h);
  double condense_derivatives(const CoefficientBatch& coefficients, const StageBatch& regularized,
                              int first, double h, double* S, double* R, StageMaps& maps,
                              int interval);
  bool eliminate_multipliers(const CoefficientBatch& coefficients, const StageBatch& regularized,
                             int first, double h);
  void scale_stiff_rows();
  void keep_slopes(StageMaps& maps, int interval);
  double* row(int i) { return rows_[i]; }

  StageLayout layout_;
  Collocation scheme_;
  double epsilon_;
  MultipliersFirst order_;
  int first_;  // First stage whose derivative is unknown: 1 for shared stages, else 0.
  int inner_;  // Stages whose multiplier is unknown here.
  int unknowns_, outputs_, stride_;
  int x_, zeta_left_, zeta_right_, zeta_old_, one_;  // Columns of the right part.
  AlignedVector panel_;
  std::vector<double*> rows_, multiplier_rows_;
  MatX A_first_, K_first_;
  // Multipliers first: zeta of each stage from (X, zeta_old, 1).
  SmallLu lu_;
  std::vector<MatX> zeta_of_;
  MatX L_;
  std::vector<double*> weighed_rows_;
  std::vector<double> weights_;
  AlignedVector sum_;
};

}  // namespace daewave
