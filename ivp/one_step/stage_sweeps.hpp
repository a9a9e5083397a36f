#pragma once
// The stages of a collocation formula by fixed-point iteration: a sweep evaluates the problem at
// all stages of the one before.
//
//   X_j = x + h sum_l a_jl F_l;   with x = (q, v) only the accelerations are iterated,
//   V_j = v + h sum_l a_jl A_l,  Q_j = q + h sum_l a_jl V_l,
//
// which takes half as many sweeps: what an acceleration changes comes back by h^2. For problems
// that are not stiff. Sweeps start from the polynomial through the stages of the step before.

#include <cmath>

#include "core/time/collocation_scheme.hpp"
#include "core/types.hpp"
#include "ivp/one_step/stage_sum.hpp"
#include "ivp/one_step/stage_transform.hpp"

namespace daewave::ivp {

class StageSweeps {
 public:
  /// @param second_order  x is (q, v), and v' of it is iterated; x' otherwise.
  StageSweeps(const Collocation& scheme, bool second_order);

  /// Begins anew: the slope is all that is known.
  void start(const VecX& slope);
  /// The first guess of a step of h.
  void predict(double h);

  /// One sweep for a step of h from x.
  /// @param slope  slope(j, X, F) -> bool: F = F(X, t + c_j h).
  /// @param per_size  1 / size of the components of the state, of which changes are parts.
  /// @param change out: the largest |h dF| / size of what is iterated.
  template <class Evaluate>
  bool sweep(const VecX& x, double h, const VecX& per_size, Evaluate slope, double& change) {
    form(x, h);
    change = 0;
    for (int j = 0; j < k_; ++j) {
      if (!slope(j, X_[j], slope_)) return false;
      take_slope(j, per_size, change);
    }
    change *= std::abs(h);
    return true;
  }

  /// x_new - x of the slopes swept last.
  void increment(const VecX& x, double h, VecX& out);
  /// The step swept last is taken.
  void accept(double h);
  /// x(t + theta h) - x(t) of the step swept last, from x.
  void interpolate(double theta, const VecX& x, VecX& out) const;

  const StageTransform& scheme() const { return scheme_; }

 private:
  /// Of as many terms as there are stages.
  struct Sums {
    StageSum with_z, alone;
  };

  void make_symmetric();
  void form(const VecX& x, double h);
  void take_slope(int j, const VecX& per_size, double& change);
  void extrapolate_to(double ratio);

  Collocation collocation_;
  StageTransform scheme_;
  bool second_order_;
  int k_;
  Sums sum_;
  int first_ = 0, n_ = 0;  ///< What is iterated, in a state: the entries first, ..., first + n - 1.
  StageRow<double> b_{}, of_q_{};  ///< Weights of the end: of v or x, and of h v in q.
  StageRow<StageRow<double>> guess_{};
  StageRow<VecX> X_, F_, V_, last_;
  VecX slope_;
  bool has_last_ = false;
  double last_h_ = 1;
  double ratio_ = 0;  ///< Of guess_.
};

}  // namespace daewave::ivp
