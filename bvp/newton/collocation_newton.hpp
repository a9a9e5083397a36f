#pragma once
// Newton's method for the equations of collocation (bvp/newton/collocation_equations.hpp).
// [AMR] chapters 5, 8

#include <functional>
#include <string>
#include <vector>

#include "bvp/curve/collocation_values.hpp"
#include "bvp/curve/component_sizes.hpp"
#include "bvp/equations/iterate_system.hpp"
#include "bvp/newton/collocation_equations.hpp"
#include "core/threads/executor.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// How Newton's method is to go, and when it is done.
struct NewtonControl {
  double tolerance = 1e-10;     ///< Of the last change, relative to the size of each component.
  ComponentSizes sizes{};       ///< And, where they are given, in units of these.
  int most_iterations = 40;     ///< Of the damped method.
  double least_damping = 1e-3;  ///< Where the damped method gives up.
  std::function<bool(int iteration)> goes_on{};  ///< Before each; false stops. The same on all
                                                 ///< ranks.
  int most_full_steps = 15;  ///< Of the method without damping, tried after it; 0: it is not.
};

/// How it went.
struct NewtonResult {
  enum class Failure { none, evaluation, singular, no_convergence, stopped };
  Failure failure = Failure::none;
  std::string reason{};  ///< Of a failure, with the time where there is one.
  int iterations = 0;
  double change = 0;  ///< The last one, in the unit of NewtonControl::tolerance.
  double smallest_damping = 1;
  /// Where it did not converge: boundary_conditioning() of the last matrix.
  double conditioning = 0;
  double rounding = 0;  ///< Of x, at which changes shrank no more, in that unit; 0: not met.
  bool converged() const { return failure == Failure::none; }
};

class CollocationNewton {
 public:
  /// All are kept by reference. @param solver  name, see linear_solver_names().
  /// @param executor  null: one thread. Others need a system that has a clone().
  /// @param share  with whom the mesh is shared: all ranks call the same.
  /// @throws InvalidOption for an unknown solver.
  CollocationNewton(IterateSystem& system, TwoPointConditions& conditions, const Mesh& mesh,
                    const Collocation& scheme, const std::string& solver,
                    const Executor* executor = nullptr, const MeshShare& share = {});

  /// @param before  y of the iterate before at all stages; entries carried x (k N).
  /// @param values  the guess at x and slopes, and at what is carried where it has as many entries;
  ///                receives the solution and what it leaves. Unchanged where the method fails.
  NewtonResult solve(const MatX& before, const NewtonControl& control, CollocationValues& values);

  /// The change of x at nodes that the method makes first; empty where it cannot.
  /// @param values  as for solve(), with what is carried.
  MatX first_change(const NewtonControl& control, const CollocationValues& values);

  /// A guess from a function of t; slopes are those of the collocation polynomial through it.
  CollocationValues guess(const std::function<VecX(double)>& x) const;

  /// The same for what is carried, at the stages.
  void guess_carried(const std::function<VecX(double)>& w, CollocationValues& values) const;

  /// Of the solution found last: how far its stages are off the constraints.
  double drift() const { return equations_.drift(); }
  /// Of the last matrix: see CollocationEquations.
  double boundary_conditioning() {
    return equations_.boundary_conditioning(moved_, sizes_for_conditioning());
  }
  VecX influences(const VecX& sizes) { return equations_.influences(sizes); }
  const LinearSolveReport& linear_report() const { return equations_.linear_report(); }
  const Seconds& seconds() const { return equations_.seconds(); }
  double stage_time(int i, int j) const { return equations_.stage_time(i, j); }
  const Mesh& mesh() const { return equations_.mesh(); }
  const Collocation& scheme() const { return equations_.scheme(); }
  const MeshShare& share() const { return equations_.share(); }

 private:
  /// 1 + the largest of each component, or less than 1 where all of them are small: what conditions
  /// leave of a solution that nearly vanishes is told in units of it.
  VecX sizes_for_conditioning() const;
  void take_carried(const CollocationValues& values);
  bool is_stopped(const NewtonControl& control, const NewtonResult& so_far);
  void weigh(const MatX& x, const NewtonControl& control);
  bool is_small(const CollocationUnknowns& d, double size, const NewtonControl& control);
  bool is_rounding(const CollocationUnknowns& at, const CollocationUnknowns& d, double size,
                   const NewtonControl& control);
  /// How the method has gone on with a matrix: until it converged; or until a new one is to be
  /// made, where the next change by this one was looked at, or a step beyond that.
  enum class Way { converged, looked_at, stepped };
  Way go_on_with_same_matrix(CollocationUnknowns& at, CollocationUnknowns& d, double size_before,
                             const NewtonControl& control, CollocationUnknowns& next,
                             CollocationUnknowns& d_next, NewtonResult& result);
  NewtonResult solve_from(const NewtonControl& control, CollocationValues& values);
  NewtonResult damped_from(const NewtonControl& control, CollocationValues& values);
  NewtonResult damped(const NewtonControl& control, CollocationValues& values);
  NewtonResult full(const NewtonControl& control, CollocationValues& values);
  NewtonResult failed(NewtonResult::Failure failure, NewtonResult result) const;
  NewtonResult not_converged(NewtonResult result);
  NewtonResult failed_in_equations(NewtonResult::Failure failure, NewtonResult result);
  CollocationUnknowns unknowns(const CollocationValues& values) const;
  NewtonResult done(const CollocationUnknowns& at, NewtonResult result, CollocationValues& values);

  CollocationEquations equations_;
  int n_, k_, intervals_;
  VecX weight_, largest_;  ///< Of each component.
  VecX allowed_;           ///< Its size where errors are measured; empty: as the weight.
  VecX moved_;             ///< Sizes of components for differences.
  std::string reason_;     ///< Of the last failure.
};

}  // namespace daewave::bvp
