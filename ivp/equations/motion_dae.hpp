#pragma once
// A multibody system or a DAE of index 3 as a DAE of index 1 with invariants:
//
//   q' = v,  v' = M^-1 (f - G^T lambda)  or  f - B y,
//   0 = r = G v' + curvature,   0 = h = (g, G v + g_t[, energy - energy_0])   [Eich] (1.5), (2.2)
//
// with lambda eliminated by a linear system in every evaluation, or left to the formula.

#include <cmath>
#include <string>

#include "core/kkt/inverse_mass.hpp"
#include "core/not_finite.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/equations/energy_row.hpp"
#include "ivp/equations/full_correction.hpp"
#include "ivp/equations/motion_jacobian.hpp"
#include "ivp/equations/multibody_equations.hpp"
#include "ivp/equations/reduction.hpp"
#include "ivp/equations/second_order_equations.hpp"
#include "ivp/options/multistep.hpp"

namespace daewave::ivp {

/// @tparam Equations  MultibodyEquations<P> or SecondOrderEquations<P>.
template <class Equations>
class MotionDae : public DaeSystem {
  using P = typename Equations::Problem;
  using Position = typename Equations::Position;
  using Multiplier = typename Equations::Multiplier;
  static constexpr bool has_mass = Multibody<P>;

 public:
  /// @param problem         kept by reference.
  /// @param z0              a state, for sizes.
  /// @param rank_tolerance  of the rank guard, relative to the largest entry of G.
  MotionDae(const P& problem, const StateOf<P>& z0, double t, MultiplierForm form,
            double rank_tolerance)
      : equations_(problem, rank_tolerance),
        index_1_(form == MultiplierForm::index_1),
        nq_(static_cast<int>(z0.size() / 2)) {
    q_ = z0.head(nq_);
    v_ = z0.tail(nq_);
    daewave::evaluate(problem, q_, v_, t, terms_);
    nl_ = static_cast<int>(terms_.position.size());
    if constexpr (HasVelocityConstraint<P>) nk_ = static_cast<int>(problem.w(q_, v_, t).size());
    lambda_ = right_ = terms_.position;
    acceleration_ = q_;
  }

  int nz() const override { return 2 * nq_; }
  int nw() const override { return index_1_ ? nl_ : 0; }
  int nh() const override { return 2 * nl_ - nk_ + (keeps_energy_ ? 1 : 0); }
  int position_invariants() const override { return nl_ - nk_; }
  int positions() const override { return nq_; }

  bool evaluate(double t, const VecX& z, const VecX& w, VecX& slope, VecX& residual) override {
    take(z);
    if (!index_1_) {
      if (!accelerate(t)) return false;
    } else {
      lambda_ = w;
      if (!accelerate_by(lambda_, t)) return false;
      apply(terms_.G, acceleration_, right_);
      residual = right_ + terms_.curvature;
    }
    slope.head(nq_) = v_;
    slope.tail(nq_) = acceleration_;
    return std::isfinite(slope.sum()) || slope.allFinite() ||
           fails(EvaluationFailure::Kind::not_finite, t);
  }

  bool algebraic(double t, const VecX& z, VecX& w) override {
    if (!index_1_) return true;
    take(z);
    if (!accelerate(t)) return false;
    w = lambda_;
    return true;
  }

  bool invariants(double t, const VecX& z, VecX& h) override {
    take(z);
    residual_.evaluate(equations_.problem(), q_, v_, t);
    h.head(nl_ - nk_) = residual_.position().head(nl_ - nk_);
    h.segment(nl_ - nk_, nl_) = residual_.velocity();
    if (keeps_energy_) h[h.size() - 1] = energy_.change(energy(), z);
    return true;
  }

  bool invariants(double t, const VecX& z, VecX& h, MatX& H) override {
    if (!invariants(t, z, h)) return false;
    const int ny = nl_ - nk_;
    H.setZero();
    for (int j = 0; j < nq_; ++j) {
      unit_.setZero(nq_);
      unit_[j] = 1;
      apply(residual_.G(), unit_, right_);
      H.col(j).head(ny) = right_.head(ny);
      H.col(nq_ + j).segment(ny, nl_) = right_;
      motion_.along(equations_.problem(), q_, v_, unit_, t, right_);
      H.col(j).segment(ny, nl_) = right_;
    }
    if (keeps_energy_) energy_.gradient(energy(), z, H);
    return true;
  }

  bool constraint_jacobian(double t, const VecX& z, MatX& G) override {
    if (keeps_energy_) return false;
    take(z);
    residual_.evaluate(equations_.problem(), q_, v_, t);
    G.resize(nl_, nq_);
    for (int j = 0; j < nq_; ++j) {
      unit_.setZero(nq_);
      unit_[j] = 1;
      apply(residual_.G(), unit_, right_);
      G.col(j) = right_;
    }
    return true;
  }

  bool mass(double, const VecX& z, MatX& M) override {
    if constexpr (has_mass) {
      take(z);
      M.setZero();
      const auto& of_q = equations_.problem().M(q_);
      if constexpr (requires { M.topLeftCorner(nq_, nq_) = of_q; }) {
        M.topLeftCorner(nq_, nq_) = of_q;
      } else if constexpr (requires { of_q.dense(); }) {
        M.topLeftCorner(nq_, nq_) = of_q.dense();
      } else {
        M.topLeftCorner(nq_, nq_) = of_q * MatX::Identity(nq_, nq_);
      }
      M.bottomRightCorner(nq_, nq_) = M.topLeftCorner(nq_, nq_);
    }
    return has_mass;
  }

  bool keep_energy(double, const VecX& z) override {
    if constexpr (HasEnergy<P>) {
      bool has_energy = true;
      if constexpr (requires(const P& p) { p.has_energy(); }) {
        has_energy = equations_.problem().has_energy();
      }
      keeps_energy_ = has_energy && energy_.start(energy(), z);
    }
    return keeps_energy_;
  }

  bool multiplier(double t, const VecX& z, const VecX& w, VecX& multiplier) override {
    if (index_1_) {
      multiplier = w;
      return true;
    }
    take(z);
    if (!accelerate(t)) return false;
    multiplier = lambda_;
    return true;
  }

  Drift drift(double t, const VecX& z) override {
    take(z);
    residual_.evaluate(equations_.problem(), q_, v_, t);
    return {largest_size(residual_.position()), largest_size(residual_.velocity())};
  }

  std::string failure() const override {
    return failure_.text(index_1_ && has_mass ? "M, with [M G^T; G 0]," : Equations::matrix);
  }

 private:
  void take(const VecX& z) {
    q_ = z.head(nq_);
    v_ = z.tail(nq_);
  }

  auto energy() {
    return [this](const VecX& z) { return energy_at(z); };
  }
  double energy_at([[maybe_unused]] const VecX& z) {
    if constexpr (HasEnergy<P>) {
      take(z);
      return equations_.problem().energy(q_, v_);
    } else {
      return 0;
    }
  }

  /// v' and lambda at (q_, v_).
  bool accelerate(double t) {
    if (!equations_.evaluate(q_, v_, t)) return fails(EvaluationFailure::Kind::singular, t);
    right_ = -equations_.terms().curvature;
    equations_.solve(right_, acceleration_, lambda_);
    return true;
  }

  /// v' of the multiplier given.
  bool accelerate_by(const Multiplier& lambda, double t) {
    daewave::evaluate(equations_.problem(), q_, v_, t, terms_);
    if constexpr (has_mass) {
      apply_transposed(terms_.G, lambda, acceleration_);
      acceleration_ = terms_.f - acceleration_;
      if (!inverse_.factorize(terms_.M)) return fails(EvaluationFailure::Kind::singular, t);
      inverse_.apply(acceleration_);
    } else {
      acceleration_ = terms_.f;
      acceleration_.noalias() -= terms_.B * lambda;
    }
    return true;
  }

  bool fails(EvaluationFailure::Kind kind, double t) {
    failure_ = {kind, t, equations_.rank(), nl_};
    return false;
  }

  struct NoInverse {};
  template <class Q>
  struct InverseTrait {
    using type = NoInverse;
  };
  template <Multibody Q>
  struct InverseTrait<Q> {
    using type = InverseMass<MassOf<Q>>;
  };

  Equations equations_;
  bool index_1_;
  int nq_, nl_ = 0, nk_ = 0;
  bool keeps_energy_ = false;
  TermsOf<P> terms_;
  typename InverseTrait<P>::type inverse_;
  ConstraintResidual<P> residual_;
  MotionJacobian<P> motion_;
  EnergyRow energy_;
  Position q_, v_, acceleration_, unit_;
  Multiplier right_, lambda_;
  EvaluationFailure failure_;
};

}  // namespace daewave::ivp
