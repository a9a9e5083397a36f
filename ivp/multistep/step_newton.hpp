#pragma once
// Newton's method for the equations of one implicit step,
//
//   z - c f(t, z, w) = base,  r(t, z, w) = 0,
//
// with the matrix [I - c f_z, -c f_w; r_z, r_w] kept over many steps: its derivatives until what
// they cost has been spent on iterations that new ones might have saved, its factors until c
// changes. Invariants 0 = h(t, z) may be kept by multipliers: invariant_multipliers.hpp.

#include <string>

#include "core/blocks/small_lu.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/reduced/invariant_multipliers.hpp"

namespace daewave::ivp {

/// Holds the memory: one for each run.
class StepNewton {
 public:
  /// @param system    kept by reference. @param onto  the invariants kept by multipliers.
  /// @param weighted  multipliers move z by what is least in the weights of solve().
  /// @throws InvalidOption for invariants that are none.
  explicit StepNewton(DaeSystem& system, Onto onto = Onto::nothing, double rank_tolerance = 1e-12,
                      bool weighted = false);

  /// @param z, w    predicted; the solution.
  /// @param scale   1 / weight of each z and then of each w. What is measured is the larger of the
  ///                root mean squares of both: w does not matter much to z, but where it is left
  ///                inaccurate its past soon predicts nothing.
  /// @param goal    what the error of z may be then.
  /// @return false with failure() where the method does not converge, even with new derivatives.
  bool solve(double t, double c, const VecX& base, VecX& z, VecX& w, const VecX& scale,
             double goal);

  /// The derivatives are those of another place altogether.
  void forget() { differentiated_ = false; }

  long evaluations() const { return evaluations_; }  ///< Of f and r, those for J with them.
  long jacobians() const { return jacobians_; }
  long iterations() const { return iterations_; }
  const InvariantMultipliers& invariants() const { return invariants_; }
  std::string failure() const;

 private:
  enum class Failure {
    none,
    evaluation,
    invariants,
    singular,
    dependent,
    no_convergence,
    not_finite
  };
  enum class Outcome { converged, slow, impossible };

  Outcome iterate(double t, double c, const VecX& base, VecX& z, VecX& w, const VecX& scale,
                  double goal);
  bool evaluate(double t, const VecX& z, const VecX& w, VecX& slope, VecX& residual);
  bool differentiate(double t, double c, VecX& z, VecX& w, const VecX& scale);
  bool factorize(double t, double c);
  bool correct(double t, double c, const VecX& base, VecX& z, VecX& w);
  double size_of_step(const VecX& scale) const;
  Outcome fails(Failure failure, double t);

  DaeSystem& system_;
  int nz_, nw_;
  MatX J_, matrix_;
  VecX further_column_;  ///< Memory of differentiate(): nz + nw.
  SmallLu lu_;
  InvariantMultipliers invariants_;
  bool weighted_;
  VecX weight_;  ///< Empty where it is not.
  VecX slope_, residual_, moved_slope_, moved_residual_, step_, z0_, w0_;
  double c_ = 0;     ///< Of the factors.
  double rate_ = 1;  ///< Of convergence, as last seen.
  bool differentiated_ = false, factorized_ = false, fresh_ = false;
  double wasted_ = 0;  ///< Iterations beyond one since J is kept.
  long evaluations_ = 0, jacobians_ = 0, iterations_ = 0;
  Failure failure_ = Failure::none;
  double failed_at_ = 0;
};

}  // namespace daewave::ivp
