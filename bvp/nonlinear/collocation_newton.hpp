#pragma once
// Collocation of a nonlinear boundary value problem, by Newton's method:
//
//   X_j = x_i + h sum_l a_jl K_l,   K_j = F(X_j, t_i + c_j h; y),   x_{i+1} = x_i + h sum_l b_l
//   K_l.
//
// In each iteration the slopes K of an interval are eliminated, which leaves a bordered almost
// block diagonal system for the nodes (core/blocks/babd_matrix.hpp). [AMR] chapters 5, 8

#include <functional>
#include <string>
#include <vector>

#include "bvp/curve/collocation_values.hpp"
#include "bvp/nonlinear/iterate_system.hpp"
#include "bvp/nonlinear/slope_elimination.hpp"
#include "core/blocks/checked_solver.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// How Newton's method is to go, and when it is done.
struct NewtonControl {
  double tolerance = 1e-10;     ///< Of the last change, relative to the size of each component.
  int most_iterations = 40;     ///< Of the damped method.
  double least_damping = 1e-3;  ///< Where the damped method gives up.
  std::function<bool(int iteration)> goes_on{};  ///< Before each; false stops.
  int most_full_steps = 15;  ///< Of the method without damping, which is tried after it.
};

/// How it went.
struct NewtonResult {
  enum class Failure { none, evaluation, singular, no_convergence, stopped };
  Failure failure = Failure::none;
  std::string reason{};  ///< Of a failure, with the time where there is one.
  int iterations = 0;
  double change = 0;  ///< The last one, in the unit of NewtonControl::tolerance.
  double smallest_damping = 1;
  bool converged() const { return failure == Failure::none; }
};

class CollocationNewton {
 public:
  /// All are kept by reference. @param solver  name, see linear_solver_names().
  /// @throws InvalidOption for an unknown solver.
  CollocationNewton(IterateSystem& system, TwoPointConditions& conditions, const Mesh& mesh,
                    const Collocation& scheme, const std::string& solver);

  /// @param before  y of the iterate before at all stages; entries carried x (k N).
  /// @param values  the guess at x and slopes, and at what is carried where it has as many entries;
  ///                receives the solution and what it leaves. Unchanged where the method fails.
  NewtonResult solve(const MatX& before, const NewtonControl& control, CollocationValues& values);

  /// A guess from a function of t; slopes are those of the collocation polynomial through it.
  CollocationValues guess(const std::function<VecX(double)>& x) const;

  /// The same for what is carried, at the stages.
  void guess_carried(const std::function<VecX(double)>& w, CollocationValues& values) const;

  /// Of the solution found last: how far its stages are off the constraints.
  double drift() const { return drift_; }
  const LinearSolveReport& linear_report() const { return solver_.report(); }
  double stage_time(int i, int j) const;

 private:
  void take_carried(const CollocationValues& values);
  bool is_stopped(const NewtonControl& control, const NewtonResult& so_far);
  void at_stage(const CollocationValues& at, int i, int j, double* X) const;
  bool evaluate(const CollocationValues& at, const MatX& before);
  bool linearize(const CollocationValues& at, const MatX& before);
  /// The change that the linearization at hand makes of the residuals of the last evaluate().
  bool change(CollocationValues& d);
  double size(const CollocationValues& d) const;
  void weigh(const CollocationValues& at);
  void add(const CollocationValues& x, const CollocationValues& d, double part,
           CollocationValues& sum) const;
  NewtonResult damped(const MatX& before, const NewtonControl& control, CollocationValues& values);
  NewtonResult full(const MatX& before, const NewtonControl& control, CollocationValues& values);
  NewtonResult failed(NewtonResult::Failure failure, NewtonResult result) const;
  NewtonResult done(CollocationValues next, const MatX& before, NewtonResult result,
                    CollocationValues& values);

  IterateSystem& system_;
  TwoPointConditions& conditions_;
  const Mesh& mesh_;
  const Collocation& scheme_;
  int n_, k_, intervals_;
  CheckedSolver solver_;
  BabdMatrix matrix_;
  SlopeElimination slopes_;
  MatX stage_x_, stage_residuals_, node_residuals_, carried_;
  VecX X_, slope_, before_, here_;  ///< At one stage.
  VecX condition_residuals_, right_, u_;
  VecX weight_, largest_;  ///< Of each component.
  double drift_ = 0;
  std::string reason_;  ///< Of the last failure.
};

}  // namespace daewave::bvp
