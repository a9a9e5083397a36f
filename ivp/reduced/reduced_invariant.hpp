#pragma once
// A DAE of index 1 with invariants as an ordinary problem: w is solved for in every evaluation, and
// z is brought back to the invariants after a step where the method says so.
//
//   z' = f(z, w, t),  0 = r(z, w, t);   h(z, t) = 0 by projection                [Eich] section 2

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "core/kkt/algebraic_elimination.hpp"
#include "core/not_finite.hpp"
#include "core/problem/invariant_terms.hpp"
#include "ivp/equations/algebraic_unknowns.hpp"
#include "ivp/equations/dae_system_of_struct.hpp"
#include "ivp/equations/projector.hpp"
#include "ivp/equations/reduction.hpp"
#include "ivp/run/ode_system.hpp"

namespace daewave::ivp {

/// Of a problem with invariants; its multiplier is w.
template <InvariantDae P>
class ReducedInvariant final : public OdeSystem {
 public:
  using Problem = P;
  using State = typename P::State;
  using Multiplier = typename P::Algebraic;
  static constexpr int index = 1;

  /// @param problem  kept by reference.
  /// @param kind     underlying or projection.
  /// @throws InvalidOption for another one.
  ReducedInvariant(const P& problem, ReductionKind kind, const Projection& projection = {},
                   const Tolerance& tolerance = {}, double rank_tolerance = 1e-12)
      : problem_(problem),
        unknowns_(problem),
        asked_(problem),
        before_look_(problem),
        projects_(kind == ReductionKind::projection && projection.onto != Onto::nothing),
        rank_tolerance_(rank_tolerance),
        projector_(projection, tolerance) {
    if (kind != ReductionKind::projection && kind != ReductionKind::underlying) {
      throw InvalidOption(std::string("method = ") + name_of(kind) +
                          ": a problem of index 1 with invariants h is kept on them by projection, "
                          "or left to drift by underlying");
    }
  }

  /// Where the search for the first w begins.
  void start_algebraic(const Multiplier& w) { unknowns_.start(w); }

  void tries_from(double t) override { unknowns_.tries_from(t); }

  void looks_inside(bool begins) override {
    if (begins) {
      before_look_ = unknowns_;
      unknowns_.return_to_begin();
    } else {
      unknowns_ = before_look_;
    }
  }

  bool rhs(double t, const VecX& z, VecX& slope) override {
    z_ = z;
    if (!unknowns_.solve(z_, t)) return fails_in_unknowns();
    if (projects_ && !projector_.started()) {
      projector_.start(dae_system_of(problem_, z_, unknowns_.w(), t), t, z, rank_tolerance_);
    }
    fill_f(problem_, z_, unknowns_.w(), t, f_);
    slope = f_;
    return std::isfinite(slope.sum()) || all_finite("f", slope, t, failure_);
  }

  /// The slope is evaluated again where z has moved: no linear formula mends it.
  bool after_step(double t, VecX& z, VecX& slope) override {
    if (!projects_) return true;
    before_ = z;
    if (!projector_.project(t, z)) {
      failure_ = projector_.failure();
      return false;
    }
    return before_ == z || rhs(t, z, slope);
  }

  bool stabilizes() const override { return projects_; }

  bool follows() override { return unknowns_.follows() || fails_in_unknowns(); }

  bool knows_jacobian() const override {
    if constexpr (KnowsIndexOneJacobian<P>) return problem_.has_f_jacobian();
    return false;
  }
  /// With w eliminated: f_z - f_w r_w^-1 r_z.
  bool jacobian([[maybe_unused]] double t, [[maybe_unused]] const VecX& z,
                [[maybe_unused]] MatX& J) override {
    if constexpr (KnowsIndexOneJacobian<P>) {
      z_ = z;
      if (!unknowns_.solve(z_, t)) return fails_in_unknowns();
      if (problem_.jacobian(z_, unknowns_.w(), t, all_) &&
          elimination_.eliminate(all_, static_cast<int>(z.size()), J)) {
        return true;
      }
      failure_ =
          failed_at_text("the derivatives of f and r are not finite, or dr/dw is singular", t);
    }
    return false;
  }

  bool multiplier(double t, const VecX& z, VecX& w) override {
    // By a search of its own: what is given out must not change where the next step begins its.
    asked_ = unknowns_;
    z_ = z;
    if (asked_.solve_near(z_, t)) {
      w = asked_.w();
      return true;
    }
    failure_ = asked_.failure();
    return false;
  }

  Drift drift(double t, const VecX& z) override {
    z_ = z;
    fill_h(problem_, z_, t, invariant_);
    const int nh = static_cast<int>(invariant_.size());
    const int positions = position_invariants(problem_, nh);
    return {largest_size(invariant_.head(positions)),
            largest_size(invariant_.tail(nh - positions))};
  }

  std::string failure() const override { return failure_; }

  /// How w was found.
  const AlgebraicUnknowns<P>& unknowns() const { return unknowns_; }

 private:
  bool fails_in_unknowns() {
    failure_ = unknowns_.failure();
    return false;
  }

  const P& problem_;
  AlgebraicUnknowns<P> unknowns_, asked_, before_look_;
  bool projects_;
  double rank_tolerance_;
  Projector projector_;
  State z_, f_;
  MatX all_;  ///< d(f, r)/d(z, w), of which w is eliminated.
  AlgebraicElimination elimination_;
  VecX before_;
  typename P::Invariant invariant_;
  std::string failure_;
};

}  // namespace daewave::ivp
