#pragma once
// Index reduction of a DAE of index 3: an ordinary problem for z = (q, v), and what brings it back
// to the invariant set h(z, t) = (g, G v + g_t) = 0 after a step.
//
//   z' = (v, v'),  G v' + curvature + alpha1 (G v + g_t) + alpha0 g = 0     [ACPR] (1.6), (2.1)
//   z <- z - factor F(z) h(z), once or twice                                [ACPR] (5.4)

#include <Eigen/Core>
#include <cmath>
#include <string>

#include "core/constraint_residual.hpp"
#include "core/error.hpp"
#include "ivp/options.hpp"
#include "ivp/reduction.hpp"
#include "ivp/step.hpp"

namespace daewave::ivp {

/// OdeSystem (ivp/step.hpp) of a multibody system or a DAE of index 3.
///
/// @tparam Equations  MultibodyEquations<P> or SecondOrderEquations<P>.
template <class Equations>
class ReducedSystem {
 public:
  using Problem = typename Equations::Problem;
  using Position = typename Equations::Position;
  using Multiplier = typename Equations::Multiplier;
  using State = StateOf<Problem>;
  static constexpr int index = 3;

  /// @param problem         kept by reference.
  /// @param method          not srm.
  /// @param rank_tolerance  of the rank guard, relative to the largest entry of G.
  /// @throws InvalidOption  see check_reduction().
  ReducedSystem(const Problem& problem, Method method, const Stabilization& stabilization,
                double rank_tolerance = 1e-12)
      : equations_(problem, rank_tolerance), method_(method), stabilization_(stabilization) {
    check_reduction(method, stabilization, rank_tolerance, index);
    correction_ = correction_of(method);
    if (correction_.together || method == Method::stabilized_ode) {
      throw InvalidOption("method: D = H^T and the stabilized ODE are to come");
    }
  }

  bool rhs(double t, const State& z, State& slope) {
    if (!evaluate(t, z)) return false;
    slope.resize(z.size());
    head(slope) = v_;
    tail(slope) = acceleration_;
    if (!slope.allFinite()) return fails(EvaluationFailure::Kind::not_finite, t);
    return true;
  }

  /// Directly after rhs(t, z): uses its factorization. The accelerations kept belong to the state
  /// before; they differ by O(h^{p+1}), as much as the correction itself.
  bool after_step(double t, State& z, State& slope) {
    if (!stabilizes()) return true;
    apply_correction(equations_.terms().position, velocity_, false, z);
    for (int again = 1; again < correction_.times; ++again) {
      q_ = head(z);
      v_ = tail(z);
      residual_.evaluate(equations_.problem(), q_, v_, t);
      apply_correction(residual_.position(), residual_.velocity(),
                       stabilization_.second_step == SecondStep::half_fresh, z);
    }
    head(slope) = tail(z);
    if (!z.allFinite()) return fails(EvaluationFailure::Kind::not_finite_after_step, t);
    return true;
  }

  bool stabilizes() const { return correction_.times > 0; }

  bool multiplier(double t, const State& z, Multiplier& multiplier) {
    if (!evaluate(t, z)) return false;
    multiplier = lambda_;
    return true;
  }

  Drift drift(double t, const State& z) {
    q_ = head(z);
    v_ = tail(z);
    residual_.evaluate(equations_.problem(), q_, v_, t);
    return {largest(residual_.position()), largest(residual_.velocity())};
  }

  std::string failure() const { return failure_.text(Equations::matrix); }

  /// Rows of G, with those of K; known after the first evaluation.
  int constraints() const { return static_cast<int>(equations_.terms().position.size()); }
  /// Of G at the last evaluation.
  int rank() const { return equations_.rank(); }
  /// Evaluations in which the rank guard dropped a row of G.
  long guarded() const { return guarded_; }

 private:
  static constexpr int nq_ = detail::rows<Position>;

  static auto half(const State& z) { return Eigen::fix<nq_>(static_cast<int>(z.size() / 2)); }
  static auto head(const State& z) { return z.head(half(z)); }
  static auto head(State& z) { return z.head(half(z)); }
  static auto tail(const State& z) { return z.tail(half(z)); }
  static auto tail(State& z) { return z.tail(half(z)); }

  /// NaN where an entry is not a number.
  static double largest(const Multiplier& h) {
    double most = 0;
    for (int i = 0; i < h.size(); ++i) {
      if (!(std::abs(h[i]) <= most)) most = std::abs(h[i]);
      if (std::isnan(most)) break;
    }
    return most;
  }

  bool evaluate(double t, const State& z) {
    q_ = head(z);
    v_ = tail(z);
    if (!equations_.evaluate(q_, v_, t)) return fails(EvaluationFailure::Kind::singular, t);
    const auto& at = equations_.terms();
    if (equations_.rank() < at.position.size()) ++guarded_;
    if (method_ != Method::underlying) {
      velocity_.resizeLike(at.position);
      apply(at.G, v_, velocity_);
      velocity_ += at.g_t;
    }
    right_ = -at.curvature;
    if (method_ == Method::baumgarte) {
      right_ -= stabilization_.alpha1 * velocity_ + stabilization_.alpha0 * at.position;
    }
    equations_.solve(right_, acceleration_, lambda_);
    return true;
  }

  /// z -= factor F h with the factorization at hand. @param fresh  G^T of residual_.
  void apply_correction(const Multiplier& position, const Multiplier& velocity, bool fresh,
                        State& z) {
    if (correction_.position) {
      correction(position, fresh);
      head(z) -= stabilization_.factor * move_;
    }
    if (correction_.velocity) {
      correction(velocity, fresh);
      tail(z) -= stabilization_.factor * move_;
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

  bool fails(EvaluationFailure::Kind kind, double t) {
    failure_ = {kind, t, rank(), constraints()};
    return false;
  }

  Equations equations_;
  Method method_;
  Stabilization stabilization_;
  Correction correction_;
  ConstraintResidual<Problem> residual_;
  Position q_, v_, acceleration_, move_;
  Multiplier right_, lambda_, mu_, velocity_;
  EvaluationFailure failure_;
  long guarded_ = 0;
};

}  // namespace daewave::ivp
