#pragma once
// A DAE of index 1 with invariants, as implicit formulas with a past see it:
//
//   z' = f(t, z, w),   0 = r(t, z, w),   0 = h(t, z)
//
// w are unknowns without a derivative: multipliers, contact points; none where they have been
// eliminated. h holds along every solution that starts on it, and is what a projection brings back.
// Formulas of this kind spend their time in evaluations and factorizations: they are compiled once,
// and see problems through virtual functions. dae_system_of.hpp makes one of any problem.

#include <string>

#include "core/types.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

/// Objects hold the memory of an evaluation: one for each thread. No function allocates after its
/// first call. False where something cannot be evaluated, and failure() tells why.
class DaeSystem {
 public:
  virtual ~DaeSystem() = default;

  virtual int nz() const = 0;  ///< Unknowns with a derivative.
  virtual int nw() const = 0;  ///< Unknowns without one, and rows of r.
  virtual int nh() const = 0;  ///< Invariants; those of position come first.

  /// A step from t is tried, as of OdeSystem.
  virtual void tries_from(double /*t*/) {}

  /// slope = f, residual = r; nz, nw.
  virtual bool evaluate(double t, const VecX& z, const VecX& w, VecX& slope, VecX& residual) = 0;

  /// The derivative of (f, r) with respect to (z, w), square; false where it is not known, and is
  /// taken by differences.
  virtual bool jacobian(double t, const VecX& z, const VecX& w, MatX& J);

  /// w with r(t, z, w) = 0, near the w given.
  virtual bool algebraic(double t, const VecX& z, VecX& w) = 0;

  /// A root w of 0 = r at a state.
  struct RootAt {
    double t;
    const VecX& z;
    const VecX& w;
  };
  /// Whether the second is what the first becomes on the way there: not another root that a step
  /// has found. Entries of w where they are unknowns of the formula.
  virtual bool follows(const RootAt& /*begin*/, const RootAt& /*end*/) { return true; }

  /// Where the search for w at the start begins.
  virtual void guess_algebraic(VecX& w) const;

  /// h; nh.
  virtual bool invariants(double t, const VecX& z, VecX& h) = 0;
  /// h and H = dh/dz, nh x nz. H serves Gauss-Newton: parts that vanish with h may be left out.
  virtual bool invariants(double t, const VecX& z, VecX& h, MatX& H) = 0;
  /// Of a motion the rows of velocities beside velocities alone, which cost less than all of H;
  /// false where they are not known but from there.
  virtual bool constraint_jacobian(double t, const VecX& z, MatX& G);

  /// Rows of h on the level of positions; they depend on the first positions() entries of z alone.
  virtual int position_invariants() const { return nh(); }
  virtual int positions() const { return nz(); }
  /// The mass of the entries of z, a symmetric matrix nz x nz; false where there is none.
  virtual bool mass(double t, const VecX& z, MatX& M);
  /// From now on the energy minus that at z is the last row of h, and nh() one more; false where
  /// there is none.
  virtual bool keep_energy(double t, const VecX& z);

  /// What is given out as multiplier at (t, z, w).
  virtual bool multiplier(double t, const VecX& z, const VecX& w, VecX& multiplier) = 0;

  virtual Drift drift(double t, const VecX& z) = 0;
  virtual std::string failure() const = 0;
};

}  // namespace daewave::ivp
