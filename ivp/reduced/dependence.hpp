#pragma once
// How near the constraints of a state are to being dependent, and whether they are so everywhere.
//
// Of rows that are dependent in all states around (a constraint stated twice, more joints than a
// mechanism needs) none is missed: the rank r of G is what it always is. In a singular
// configuration it is less than around.

#include "core/eigen_memory.hpp"
// After it.
#include <Eigen/QR>

#include "core/types.hpp"
#include "ivp/equations/coordinate_projection.hpp"
#include "ivp/equations/dae_system.hpp"

namespace daewave::ivp {

/// Holds the memory: one for each thread. The system is kept by reference.
class Dependence {
 public:
  /// Around a state on the constraints: the rank that G has there, or on the constraints near it.
  /// @param by_velocities  the system is a motion, of which invariants cost little without their
  ///                       derivatives: G follows from those of velocities, which are linear.
  Dependence(DaeSystem& system, double t, const VecX& z, bool by_velocities = false);

  /// Of G, in general.
  int rank() const { return rank_; }
  int rows() const { return rows_; }
  /// What is left of the r-th row of G beside those that are larger; of the largest on the way. NaN
  /// where G cannot be evaluated.
  double at(double t, const VecX& z);
  /// The same of a state that the motion has come to. What it is looked at ahead may be far off,
  /// and have rows beside which those of the motion are none.
  double reached(double t, const VecX& z);
  /// The same of the largest row there, where it was asked last. It depends on the units of q and
  /// of the constraints.
  double part() const { return part_; }
  /// What is left of the r-th row, of the most that is left of it on the constraints around, which
  /// no units change: small where the state is singular, near 1 elsewhere. part() where nothing
  /// around is reached.
  double part_of_around(double t, const VecX& z);

 private:
  /// In the k-th direction, of which the first is the motion's own; how far, in parts of the size
  /// of the state, or of each coordinate.
  struct Move {
    int k;
    double part;
    bool by_own_size;
  };

  double left_at(double t, const VecX& z);
  bool move(CoordinateProjection& projection, double t, const VecX& z, const Move& how, VecX& away);
  bool jacobian(double t, const VecX& z);
  void pivots(double t, const VecX& z);
  int rank_of_pivots() const;
  int rank_in_own_units();

  DaeSystem& system_;
  bool by_velocities_;
  int row_, rows_, column_, columns_;
  int rank_ = 0;
  double largest_ = 0;  ///< Of states that were reached.
  double part_ = 1;
  VecX h_;
  MatX H_, G_, columns_of_G_;
  Eigen::ColPivHouseholderQR<MatX> factors_;
  VecX sizes_;  ///< The pivots.
  double begin_ = 0;
  VecX start_, start_pivots_;  ///< Where it was made, which is asked for next.
};

}  // namespace daewave::ivp
