#pragma once
// The manifold of the constraints in local parameters u = R q, u' = R v, and z from them:
//
//   R q = u, g(q, t) = 0;   R v = u', G v + g_t = 0                          [ACPR] (3.1)
//
// R is the orthogonal complement of D, along which q and v are moved to the constraints: the
// columns of the unit matrix that belong to dependent coordinates, or G^T where R was chosen, R G^T
// = 0. D (G D)^-1 G, which tells how far R is from G, is bounded instead of the inverse in (3.2):
// it has no unit.

#include <string>

#include "core/blocks/small_lu.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/options/index_reduction.hpp"

namespace daewave::ivp {

/// Holds R and the memory: one for each run.
class LocalParameters {
 public:
  /// @param system          kept by reference.
  /// @param rank_tolerance  constraints of which no more than this times the largest entry of G is
  ///                        left beside the others are dependent.
  LocalParameters(DaeSystem& system, const LocalStateSpace& how, double rank_tolerance = 1e-12);

  /// Chooses R at z. False where the constraints are dependent there.
  bool choose(double t, const VecX& z);

  /// z on the constraints with the same R q and R v, to rounding, by Newton's method with the
  /// derivatives of choose() or renew(); where these do not do, renew() once more. False with
  /// failure() where it is not found; z is unchanged.
  bool complete(double t, VecX& z);

  /// With the derivatives at z, on the constraints: keeps R, or chooses it anew where
  /// |D (G D)^-1 G| exceeds the bound and half more than it was when R was chosen.
  bool renew(double t, const VecX& z);

  long choices() const { return choices_; }          ///< Of R, the first one included.
  long evaluations() const { return evaluations_; }  ///< Of the constraints.
  double spread() const { return spread_; }          ///< max |D (G D)^-1 G| at the last renew().
  std::string failure() const;

 private:
  enum class Failure { none, evaluation, dependent, no_convergence };

  /// Positions, or velocities: a block of h and H, and what moves to it.
  struct Level {
    int row = 0, rows = 0, column = 0, columns = 0;
    MatX D, GD;
    SmallLu lu;
    VecX c, d, goal;
    double spread = 1;  ///< When R was chosen.
  };

  bool choose_directions(Level& level);
  /// LU of G D, rounding of h, and max |D (G D)^-1 G|; NaN where G D is singular.
  double factorize(Level& level, const VecX& z);
  void move(Level& level, const VecX& h, VecX& z);
  bool at_rounding(double factor, double floor) const;
  bool linearize(double t, const VecX& z);
  bool fails(Failure failure, double t);

  DaeSystem& system_;
  LocalStateSpace how_;
  double rank_tolerance_;
  Level levels_[2];
  MatX H_, elimination_;
  VecX h_, from_;
  long choices_ = 0, evaluations_ = 0;
  double spread_ = 1, failed_at_ = 0;
  Failure failure_ = Failure::none;
};

}  // namespace daewave::ivp
