#pragma once
// The state nearest to z~ on the manifold of the invariants, by Gauss-Newton:
//
//   min |z - z~|,  h(z, t) = 0;    z <- z~ - H^+ (h + H (z~ - z))         [Eich] (2.5)-(2.6), 4.2
//
// H^+ being the pseudoinverse in the metric asked for. For use after a step of any formula.

#include <string>

#include "ivp/equations/dae_system.hpp"
#include "ivp/equations/invariant_rows.hpp"
#include "ivp/equations/projection.hpp"
#include "ivp/equations/row_space.hpp"

namespace daewave::ivp {

/// Holds the memory: one for each thread. Nothing is allocated after the constructor.
class CoordinateProjection {
 public:
  /// @param system          kept by reference.
  /// @param rank_tolerance  a row of H of which no more than this times the largest is left beside
  ///                        the others takes no part.
  /// @throws InvalidOption for metric = mass where the system has no mass.
  CoordinateProjection(DaeSystem& system, const Projection& how, double rank_tolerance = 1e-12);

  /// Moves z to the manifold, to rounding: until |h_i| <= 4 eps sum_j |H_ij z_j|, or no longer
  /// falls and is below 1e-12 or a thousand times as much, or, where the system is a
  /// KnowsDifferences and G by differences, below 1e-10 |H_i| |z|. Once more with H anew where the
  /// first does not reduce h tenfold.
  /// @param weight  of each entry, for metric = weighted; not read otherwise.
  /// @return false with failure() where it cannot; z is unchanged then.
  bool project(double t, VecX& z, const VecX& weight);

  /// The part of an error in the manifold, with H of the last project(): e - H^+ H e.
  ///                                                                               [Eich] 4.1
  void keep_tangential(VecX& e, const VecX& weight);

  bool projects() const { return how_.onto != Onto::nothing && rows_ > 0; }
  int iterations() const { return iterations_; }     ///< Of the last project().
  double residual() const { return residual_; }      ///< max |h| of the rows projected, after it.
  int rank() const { return space_.rank(); }         ///< Of H.
  long evaluations() const { return evaluations_; }  ///< Of h, with or without H, in all.
  std::string failure() const;

 private:
  enum class Failure { none, evaluation, not_finite, no_mass, no_convergence };

  bool linearize(double t, const VecX& z, const VecX& weight);
  bool metric(double t, const VecX& z);
  /// d_ = H^+ c_, in the entries that are moved.
  void move(const VecX& weight);
  double largest_residual() const;
  bool at_rounding(double factor, double floor) const;
  bool is_noise() const;
  bool fails(Failure failure, double t);

  DaeSystem& system_;
  Projection how_;
  double rank_tolerance_;
  int row_, rows_, column_, columns_;  ///< The block of H that takes part.
  RowSpace space_;
  MatX H_, mass_;
  VecX h_, c_, d_, goal_, from_, z_;
  int iterations_ = 0;
  long evaluations_ = 0;
  double residual_ = 0, failed_at_ = 0;
  Failure failure_ = Failure::none;
};

}  // namespace daewave::ivp
