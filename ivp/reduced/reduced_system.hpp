#pragma once
// Index reduction of a DAE of index 3: an ordinary problem for z = (q, v), and what brings it back
// to the invariant set h(z, t) = (g, G v + g_t) = 0 after a step.
//
//   z' = (v, v'),  G v' + curvature + alpha1 (G v + g_t) + alpha0 g = 0     [ACPR] (1.6), (2.1)
//   z <- z - factor F(z) h(z), once or twice                                [ACPR] (5.4)
//   or until h(z) = 0, z being the nearest to where it was                  [Eich] (2.5), (2.6)
//   or with parameters of z, the rest of it from h(z) = 0                   [ACPR] section 3.1

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "core/eigen_memory.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/problem/constraint_residual.hpp"
#include "ivp/equations/dae_system_of_struct.hpp"
#include "ivp/equations/full_correction.hpp"
#include "ivp/equations/motion_jacobian.hpp"
#include "ivp/equations/projector.hpp"
#include "ivp/equations/reduction.hpp"
#include "ivp/reduced/projection_in_turn.hpp"
#include "ivp/reduced/reduced_ode.hpp"
#include "ivp/reduced/state_space_form.hpp"

namespace daewave::ivp {

/// Of a multibody system or a DAE of index 3.
///
/// @tparam Equations  MultibodyEquations<P> or SecondOrderEquations<P>.
template <class Equations>
class ReducedSystem : public ReducedOde {
 public:
  using Problem = typename Equations::Problem;
  using Position = typename Equations::Position;
  using Multiplier = typename Equations::Multiplier;
  static constexpr int index = 3;

  /// @param problem         kept by reference.
  /// @param rank_tolerance  of the rank guard, relative to the largest entry of G.
  /// @param projection      of kind projection, with the tolerance for its weights.
  /// @throws InvalidOption  see check_reduction().
  ReducedSystem(const Problem& problem, ReductionKind kind, const Stabilization& stabilization,
                double rank_tolerance = 1e-12, const Projection& projection = {},
                const Tolerance& tolerance = {}, const LocalStateSpace& space = {})
      : equations_(problem, rank_tolerance),
        kind_(kind),
        stabilization_(stabilization),
        rank_tolerance_(rank_tolerance) {
    check_reduction(kind, stabilization, rank_tolerance, index);
    if (kind == ReductionKind::projection && projection.onto != Onto::nothing) {
      if (projection.onto == Onto::in_turn) {
        check_in_turn(projection);
        in_turn_ = std::make_unique<ProjectionInTurn<Equations>>(
            projection.metric == ProjectionMetric::mass ? Metric::mass : Metric::orthogonal);
      } else {
        projector_ = std::make_unique<Projector>(projection, tolerance);
      }
    }
    if (kind == ReductionKind::local_state_space) {
      form_ = std::make_unique<StateSpaceForm>(space);
    }
    correction_ = correction_of(kind);
    if (correction_.together || (kind == ReductionKind::stabilized_ode &&
                                 stabilization.direction == StabilizedOde::Direction::full)) {
      make_full_correction(rank_tolerance);
    }
  }

  /// The first call takes the memory of a projection; the energy it may keep is that of z.
  bool rhs(double t, const VecX& z, VecX& slope) override {
    if (projector_ && !projector_->started()) start_projection(t, z);
    if (form_ && !complete(t, z)) return false;
    if (!evaluate(t, form_ ? on_ : z)) return false;
    join(v_, acceleration_, slope);
    // Not of the slope: the registers just stored would be waited for.
    bool finite = std::isfinite(v_.sum() + acceleration_.sum());
    if (kind_ == ReductionKind::stabilized_ode) {
      direct(stabilization_.direction, t, z);
      slope -= stabilization_.gamma * dz_;
      finite = std::isfinite(slope.sum());
    }
    if (!finite && !slope.allFinite()) return fails(EvaluationFailure::Kind::not_finite, t);
    return true;
  }

  /// Directly after rhs(t, z): uses its factorization. The accelerations kept belong to the state
  /// before; they differ by O(h^{p+1}), as much as the correction itself.
  bool after_step(double t, VecX& z, VecX& slope) override {
    if (!stabilizes()) return true;
    if (kind_ == ReductionKind::projection) return project(t, z, slope);
    if (form_) {
      z = on_;
      return form_->renew(t, z) || fails_in(Place::form);
    }
    direct(correction_.together ? StabilizedOde::Direction::full : StabilizedOde::Direction::both,
           t, z);
    z -= stabilization_.factor * dz_;
    for (int again = 1; again < correction_.times; ++again) {
      split(z, q_, v_);
      residual_.evaluate(equations_.problem(), q_, v_, t);
      correct_both(residual_.position(), residual_.velocity(),
                   stabilization_.second_step == SecondStep::half_fresh);
      z -= stabilization_.factor * dz_;
    }
    head(slope) = tail(z);
    if (!std::isfinite(z.sum()) && !z.allFinite())
      return fails(EvaluationFailure::Kind::not_finite_after_step, t);
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
    return form_ ||
           (kind_ == ReductionKind::projection ? projector_ || in_turn_ : correction_.times > 0);
  }

  bool multiplier(double t, const VecX& z, VecX& multiplier) override {
    if (!evaluate(t, z, &lambda_)) return false;
    multiplier = lambda_;
    return true;
  }

  bool second_order() const override { return true; }

  Drift drift(double t, const VecX& z) override {
    split(z, q_, v_);
    residual_.evaluate(equations_.problem(), q_, v_, t);
    return {largest_size(residual_.position()), largest_size(residual_.velocity())};
  }

  std::string failure() const override {
    return failed_in_ == Place::projection
               ? (in_turn_ ? in_turn_->failure() : projector_->failure())
           : failed_in_ == Place::form ? form_->failure()
                                       : failure_.text(Equations::matrix);
  }

  /// Rows of G, with those of K; known after the first evaluation.
  int constraints() const { return static_cast<int>(equations_.terms().position.size()); }
  /// Of G at the last evaluation.
  int rank() const { return equations_.rank(); }
  /// Evaluations in which the rank guard dropped a row of G.
  long guarded() const override { return guarded_; }
  /// How often local state-space form has chosen its parameters, the first time included.
  long parameter_choices() const override {
    return form_ && form_->started() ? form_->parameters().choices() : 0;
  }
  /// Of G, of all evaluations; nothing is seen where a Kkt of the problem's own has none at hand.
  PivotWatch& pivots() override { return pivots_; }
  bool refuses_end() override {
    return pivots_.refuses_end() && !fails(EvaluationFailure::Kind::beside_dependent, 0);
  }

 private:
  enum class Place { equations, projection, form };
  static constexpr int nq_ = daewave::detail::rows<Position>;

  static auto half(const VecX& z) { return Eigen::fix<nq_>(static_cast<int>(z.size() / 2)); }
  static auto head(const VecX& z) { return z.head(half(z)); }
  static auto head(VecX& z) { return z.head(half(z)); }
  static auto tail(const VecX& z) { return z.tail(half(z)); }
  static auto tail(VecX& z) { return z.tail(half(z)); }

  /// In registers of two where those of z are those of its halves: numbers stored one by one would
  /// be waited for where two are read. Entry by entry, where the second half starts off a boundary.
  static constexpr bool in_pairs_ =
      Position::SizeAtCompileTime != Eigen::Dynamic && Position::SizeAtCompileTime % 2 == 0;
  static void join(const Position& a, const Position& b, VecX& z) {
    if constexpr (in_pairs_) {
      head(z) = a;
      tail(z) = b;
    } else {
      const int n = static_cast<int>(a.size());
      for (int i = 0; i < n; ++i) z[i] = a[i];
      for (int i = 0; i < n; ++i) z[n + i] = b[i];
    }
  }
  static void split(const VecX& z, Position& a, Position& b) {
    if constexpr (in_pairs_) {
      a = head(z);
      b = tail(z);
    } else {
      const int n = static_cast<int>(z.size() / 2);
      a.resize(n);
      b.resize(n);
      for (int i = 0; i < n; ++i) a[i] = z[i];
      for (int i = 0; i < n; ++i) b[i] = z[n + i];
    }
  }

  /// @param multiplier  computed where it is asked for.
  bool evaluate(double t, const VecX& z, Multiplier* multiplier = nullptr) {
    split(z, q_, v_);
    if (!equations_.evaluate(q_, v_, t)) return fails(EvaluationFailure::Kind::singular, t);
    const auto& at = equations_.terms();
    const bool full_rank = equations_.rank() == at.position.size();
    if (!full_rank) ++guarded_;
    if constexpr (requires { equations_.smallest_pivot(); }) {
      pivots_.see(t, equations_.smallest_pivot(), full_rank);
    } else {
      // Of a chain, the only ones without pivots, rows are never dependent.
      pivots_.see(t, std::numeric_limits<double>::infinity(), full_rank);
    }
    right_ = -at.curvature;
    if (kind_ == ReductionKind::baumgarte) {
      evaluate_velocity();
      right_ -= stabilization_.alpha1 * velocity_ + stabilization_.alpha0 * at.position;
    }
    if (multiplier != nullptr) {
      equations_.solve(right_, acceleration_, *multiplier);
    } else {
      equations_.solve(right_, acceleration_);
    }
    return true;
  }

  /// G v + g_t at the state last evaluated; a step needs it once, where it ends.
  void evaluate_velocity() {
    const auto& at = equations_.terms();
    velocity_.resizeLike(at.position);
    apply(at.G, v_, velocity_);
    velocity_ += at.g_t;
  }

  /// dz_ = F h at the state last evaluated, z = (q_, v_).
  void direct(StabilizedOde::Direction direction, double t, const VecX& z) {
    const auto& at = equations_.terms();
    evaluate_velocity();
    dz_.resize(z.size());
    if (direction == StabilizedOde::Direction::full) {
      if constexpr (has_full_correction<Problem>) {
        full_->correct(equations_.problem(), q_, v_, t, at, velocity_, dz_);
      }
      return;
    }
    correct_both(at.position, velocity_, false);
    if (direction == StabilizedOde::Direction::both_curved) {
      move_ = head(dz_);
      motion_.along(equations_.problem(), q_, v_, move_, t, right_);
      right_ = velocity_ - right_;
      correction(right_, false);
      tail(dz_) = move_;
    }
  }

  /// dz_ = F h with the factorization at hand, zero for what is not corrected.
  /// @param fresh  G^T of residual_.
  void correct_both(const Multiplier& position, const Multiplier& velocity, bool fresh) {
    dz_.setZero();
    if (correction_.position) {
      correction(position, fresh);
      head(dz_) = move_;
    }
    if (correction_.velocity) {
      correction(velocity, fresh);
      tail(dz_) = move_;
    }
  }

  void correction(const Multiplier& residual, bool fresh) {
    if (fresh) {
      equations_.orthogonal_multiplier(residual, mu_);
      apply_transposed(residual_.G(), mu_, move_);
    } else {
      equations_.correct(stabilization_.metric, residual, move_);
    }
  }

  void start_projection(double t, const VecX& z) {
    projector_->start(dae_system_of(equations_.problem(), StateOf<Problem>(z), t,
                                    MultiplierForm::eliminated, rank_tolerance_),
                      t, z, rank_tolerance_);
  }

  bool project(double t, VecX& z, VecX& slope) {
    if (in_turn_) {
      split(z, q_, v_);
      if (!in_turn_->project(equations_, t, q_, v_)) return fails_in(Place::projection);
      join(q_, v_, z);
    } else if (!projector_->project(t, z)) {
      return fails_in(Place::projection);
    }
    head(slope) = tail(z);
    return true;
  }

  /// on_ = the state with the parameters of z.
  bool complete(double t, const VecX& z) {
    if (!form_->started() &&
        !form_->start(dae_system_of(equations_.problem(), StateOf<Problem>(z), t,
                                    MultiplierForm::eliminated, rank_tolerance_),
                      t, z)) {
      return fails_in(Place::form);
    }
    return form_->complete(t, z, on_) || fails_in(Place::form);
  }

  bool fails_in(Place place) {
    failed_in_ = place;
    return false;
  }

  void make_full_correction(double rank_tolerance) {
    if constexpr (has_full_correction<Problem>) {
      full_ = std::make_unique<FullCorrection<Problem>>(rank_tolerance);
    } else {
      throw InvalidOption(
          std::string("method = ") + name_of(kind_) +
          ": D = H^T needs the entries of G, which a Jacobian of the problem's own type does not "
          "give; take method = s-both2");
    }
  }

  bool fails(EvaluationFailure::Kind kind, double t) {
    failure_ = {kind, t, rank(), constraints()};
    failed_in_ = Place::equations;
    return false;
  }

  Equations equations_;
  ReductionKind kind_;
  Stabilization stabilization_;
  double rank_tolerance_;
  Correction correction_;
  ConstraintResidual<Problem> residual_;
  MotionJacobian<Problem> motion_;
  std::unique_ptr<FullCorrection<Problem>> full_;
  std::unique_ptr<Projector> projector_;
  std::unique_ptr<ProjectionInTurn<Equations>> in_turn_;
  std::unique_ptr<StateSpaceForm> form_;
  Place failed_in_ = Place::equations;
  VecX dz_, on_;
  Position q_, v_, acceleration_, move_;
  Multiplier right_, mu_, velocity_, lambda_;
  EvaluationFailure failure_;
  long guarded_ = 0;
  PivotWatch pivots_;
  PivotWatch before_look_{};
};

}  // namespace daewave::ivp
