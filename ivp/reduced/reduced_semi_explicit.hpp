#pragma once
// Index reduction of a DAE of index 2: an ordinary problem for x, and what brings it back to
// g(x, t) = 0 after a step.
//
//   x' = f - B y,  G x' + g_t + alpha0 g = 0                                     [AL2] (2.13)
//   x <- x - factor F(x) g(x), once or twice,  F = B (GB)^-1 or G^T (G G^T)^-1    [ACPR] (5.4)
//   or until g(x, t) = 0, x being the nearest to where it was              [Eich] (2.5), (2.6)

#include <cmath>
#include <memory>
#include <string>

#include "core/kkt/oblique.hpp"
#include "core/not_finite.hpp"
#include "core/problem/terms.hpp"
#include "ivp/equations/dae_system_of_struct.hpp"
#include "ivp/equations/projector.hpp"
#include "ivp/equations/reduction.hpp"
#include "ivp/reduced/reduced_ode.hpp"
#include "ivp/reduced/state_space_form.hpp"

namespace daewave::ivp {

/// Of a DAE of index 2.
template <SemiExplicitDae P>
class ReducedSemiExplicit : public ReducedOde {
 public:
  using Problem = P;
  using State = typename P::State;
  using Multiplier = typename P::Multiplier;
  static constexpr int index = 2;

  /// @param problem         kept by reference.
  /// @param kind            not s_vel; s_pos and s_both are the same here. s_full and the
  ///                        direction `full` have F = G^T (G G^T)^-1 whatever the metric.
  /// @param rank_tolerance  of the rank guard, relative to the largest entries of G and B.
  /// @param projection      of kind projection, with the tolerance for its weights.
  /// @throws InvalidOption  see check_reduction().
  ReducedSemiExplicit(const P& problem, ReductionKind kind, const Stabilization& stabilization,
                      double rank_tolerance = 1e-12, const Projection& projection = {},
                      const Tolerance& tolerance = {}, const LocalStateSpace& space = {})
      : problem_(problem),
        rank_tolerance_(rank_tolerance),
        stabilization_(stabilization),
        kind_(kind) {
    check_reduction(kind, stabilization, rank_tolerance, index);
    times_ = correction_of(kind).times;
    const bool full = kind == ReductionKind::stabilized_ode
                          ? stabilization.direction == StabilizedOde::Direction::full
                          : kind == ReductionKind::s_full;
    if (full) stabilization_.metric = Metric::orthogonal;
    if (kind == ReductionKind::projection && projection.onto != Onto::nothing) {
      projector_ = std::make_unique<Projector>(projection, tolerance);
    }
    if (kind == ReductionKind::local_state_space) {
      form_ = std::make_unique<StateSpaceForm>(space);
    }
  }

  /// The first call takes the memory of a projection.
  bool rhs(double t, const VecX& x, VecX& slope) override {
    if (projector_ && !projector_->started()) start_projection(t, x);
    if (form_ && !complete(t, x)) return false;
    if (!evaluate(t, form_ ? on_ : x)) return false;
    slope = terms_.f - By_;
    if (kind_ == ReductionKind::stabilized_ode) {
      correct(terms_.position);
      slope -= stabilization_.gamma * move_;
    }
    if (!slope.allFinite()) return fails(EvaluationFailure::Kind::not_finite, t);
    return true;
  }

  /// Directly after rhs(t, x): uses its factorization. The slope is kept; that at the new x
  /// differs by O(h^{p+1}), as much as the correction itself.
  bool after_step(double t, VecX& x, VecX& /*slope*/) override {
    if (!stabilizes()) return true;
    if (kind_ == ReductionKind::projection) {
      return projector_->project(t, x) || fails_in(Place::projection);
    }
    if (form_) {
      x = on_;
      return form_->renew(t, x) || fails_in(Place::form);
    }
    correct(terms_.position);
    x -= stabilization_.factor * move_;
    for (int again = 1; again < times_; ++again) {
      x_ = x;
      evaluate_position(problem_, x_, t, terms_);
      if (stabilization_.second_step == SecondStep::half_fresh) {
        correct_freshly(t);
      } else {
        correct(terms_.position);
      }
      x -= stabilization_.factor * move_;
    }
    if (!x.allFinite()) return fails(EvaluationFailure::Kind::not_finite_after_step, t);
    return true;
  }

  void looks_inside(bool begins) override {
    if (form_) form_->looks_inside(begins);
    if (begins) {
      before_look_ = pivots_;
    } else {
      pivots_ = before_look_;
    }
  }

  bool stabilizes() const override {
    return form_ || (kind_ == ReductionKind::projection ? projector_ != nullptr : times_ > 0);
  }

  bool multiplier(double t, const VecX& x, VecX& multiplier) override {
    if (!evaluate(t, x)) return false;
    split_.multiplier(By_, mu_);
    multiplier = mu_;
    return true;
  }

  Drift drift(double t, const VecX& x) override {
    x_ = x;
    evaluate_position(problem_, x_, t, terms_);
    return {largest_size(terms_.position), 0.0};
  }

  std::string failure() const override {
    return failed_in_ == Place::projection ? projector_->failure()
           : failed_in_ == Place::form     ? form_->failure()
                                           : failure_.text("[I B; G 0]");
  }

  /// Rows of G; known after the first evaluation.
  int constraints() const { return static_cast<int>(terms_.position.size()); }
  /// Of G and B at the last evaluation.
  int rank() const { return split_.rank(); }
  /// Evaluations in which the rank guard dropped a row of G with its column of B.
  long guarded() const override { return guarded_; }
  /// How often local state-space form has chosen its parameters, the first time included.
  long parameter_choices() const override {
    return form_ && form_->started() ? form_->parameters().choices() : 0;
  }
  /// Of G, of all evaluations.
  PivotWatch& pivots() override { return pivots_; }
  bool refuses_end() override {
    return pivots_.refuses_end() && !fails(EvaluationFailure::Kind::beside_dependent, 0);
  }

 private:
  enum class Place { equations, projection, form };
  /// B y = P f + B (GB)^-1 (g_t + alpha0 g).
  bool evaluate(double t, const VecX& x) {
    x_ = x;
    daewave::evaluate(problem_, x_, t, terms_);
    if (!std::isfinite(terms_.G.sum()) || !std::isfinite(terms_.B.sum()) ||
        !split_.split(terms_.B, terms_.G, rank_tolerance_)) {
      return fails(EvaluationFailure::Kind::singular, t);
    }
    const bool full_rank = split_.rank() == constraints();
    if (!full_rank) ++guarded_;
    pivots_.see(t, split_.smallest_pivot(), full_rank);
    position_ = terms_.g_t;
    if (kind_ == ReductionKind::baumgarte) position_ += stabilization_.alpha0 * terms_.position;
    split_.correct(position_, move_);
    split_.forbidden(terms_.f, By_);
    By_ += move_;
    return true;
  }

  /// move_ = F c.
  void correct(const Multiplier& c) {
    if (stabilization_.metric == Metric::mass) {
      split_.correct(c, move_);
    } else {
      split_.correct_orthogonal(c, move_, mu_);
    }
  }

  /// move_ = G^T (G G^T)^-1 g with g and G^T at x_.
  void correct_freshly(double t) {
    correct(terms_.position);
    evaluate_jacobian(problem_, x_, t, terms_);
    apply_transposed(terms_.G, mu_, move_);
  }

  void start_projection(double t, const VecX& x) {
    projector_->start(
        dae_system_of(problem_, State(x), t, MultiplierForm::eliminated, rank_tolerance_), t, x,
        rank_tolerance_);
  }

  /// on_ = the state with the parameters of x.
  bool complete(double t, const VecX& x) {
    if (!form_->started() &&
        !form_->start(
            dae_system_of(problem_, State(x), t, MultiplierForm::eliminated, rank_tolerance_), t,
            x)) {
      return fails_in(Place::form);
    }
    return form_->complete(t, x, on_) || fails_in(Place::form);
  }

  bool fails_in(Place place) {
    failed_in_ = place;
    return false;
  }

  bool fails(EvaluationFailure::Kind kind, double t) {
    failure_ = {kind, t, rank(), constraints()};
    failed_in_ = Place::equations;
    return false;
  }

  const P& problem_;
  double rank_tolerance_;
  Stabilization stabilization_;
  ReductionKind kind_;
  int times_ = 0;
  SemiExplicitTerms<P> terms_;
  ObliqueSplit<State, Multiplier> split_;
  State x_, By_, move_;
  Multiplier position_, mu_;
  std::unique_ptr<Projector> projector_;
  std::unique_ptr<StateSpaceForm> form_;
  Place failed_in_ = Place::equations;
  VecX on_;
  EvaluationFailure failure_;
  long guarded_ = 0;
  PivotWatch pivots_;
  PivotWatch before_look_{};
};

}  // namespace daewave::ivp
