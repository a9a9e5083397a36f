#pragma once
// MultibodyPoint (core/regularize/multibody_point.hpp) in lanes: what the regularizations of index
// 3 ask of a multibody system at one state in each lane. Lanes in which G loses rank are named by
// lost(), and are somebody else's: their null space has another size.

#include "core/lanes/lane_cholesky.hpp"
#include "core/lanes/lane_elimination.hpp"
#include "core/regularize/lanes_of_problem.hpp"
#include "core/regularize/regularization.hpp"

namespace daewave {

/// @tparam P  LaneMultibody.
template <class P>
class LaneMultibodyPoint {
 public:
  using Position = typename P::Position;
  using Multiplier = typename P::Multiplier;
  using State = typename P::State;
  using Time = typename P::Time;
  using Mask = typename Time::Mask;
  static constexpr bool in_lanes = true;
  static constexpr bool reducible = true;

  LaneMultibodyPoint(const P& problem, double rank_tolerance)
      : problem_(&problem),
        rank_tolerance_(rank_tolerance),
        mass_(problem.nq()),
        elimination_(problem.nl(), problem.nq()),
        reduced_(problem.nq() - problem.nl()) {
    inverse_.resize(problem.nq());
    for (int i = 0; i < most_free_; ++i) {
      Z_[i].resize(problem.nq());
      MZ_[i].resize(problem.nq());
    }
  }

  bool evaluate(const Position& q, const Position& v, const Time& t) {
    const int nq = problem_->nq();
    problem_->terms(q, v, t, at_);
    lost_ = Time(0) < Time(0);
    if constexpr (P::diagonal) {
      for (int i = 0; i < nq; ++i) {
        const Time m = at_.M(i, 0);
        lost_ = lost_ | !(m > Time(0));
        inverse_[i] = 1.0 / m;
      }
    } else {
      for (int i = 0; i < nq; ++i) {
        for (int j = 0; j <= i; ++j) mass_(i, j) = at_.M(i, j);
      }
      lost_ = mass_.factorize();
    }
    return true;
  }
  const P& problem() const { return *problem_; }
  const MultibodyTerms<P>& terms() const { return at_; }
  /// Lanes in which M is not positive definite, or G of full rank, where that is asked for.
  const Mask& lost() const { return lost_; }

  void acceleration(Position& a) const {
    a = at_.f;
    apply_inverse_mass(a);
  }
  void velocity_residual(const Position& v, Multiplier& h) const {
    apply_G(v, h);
    for (int i = 0; i < problem_->nl(); ++i) h[i] += at_.g_t[i];
  }
  void apply_B(const Multiplier& lambda, Position& By) const {
    const int nq = problem_->nq(), nl = problem_->nl();
    By.resize(nq);
    for (int j = 0; j < nq; ++j) {
      Time sum = at_.G(0, j) * lambda[0];
      for (int i = 1; i < nl; ++i) sum += at_.G(i, j) * lambda[i];
      By[j] = sum;
    }
    apply_inverse_mass(By);
  }
  void apply_G(const Position& v, Multiplier& Gv) const {
    const int nq = problem_->nq(), nl = problem_->nl();
    Gv.resize(nl);
    for (int i = 0; i < nl; ++i) {
      Time sum = at_.G(i, 0) * v[0];
      for (int j = 1; j < nq; ++j) sum += at_.G(i, j) * v[j];
      Gv[i] = sum;
    }
  }

  bool weigh(Weight weight) {
    weight_ = weight;
    return weight != Weight::inverse || split();
  }
  void weighted(const Multiplier& c, Multiplier& Ec) {
    Position a;
    a.resize(problem_->nq());
    Ec.resize(problem_->nl());
    if (weight_ == Weight::identity) {
      Ec = c;
    } else if (weight_ == Weight::transpose) {
      apply_B(c, a);
      apply_G(a, Ec);
    } else {
      elimination_.particular(c, a);
      remove_free_part(a);
      elimination_.transposed(apply_mass(a), Ec);
    }
  }

  bool split() {
    const int free = problem_->nq() - problem_->nl();
    lost_ = lost_ | elimination_.eliminate(at_.G, rank_tolerance_);
    for (int j = 0; j < free; ++j) {
      elimination_.null_space(j, Z_[j]);
      MZ_[j] = apply_mass(Z_[j]);
    }
    for (int j = 0; j < free; ++j) {
      for (int i = j; i < free; ++i) reduced_(i, j) = product(Z_[i], MZ_[j]);
    }
    lost_ = lost_ | reduced_.factorize();
    return true;
  }
  void correct(const Multiplier& c, Position& a) const {
    a.resize(problem_->nq());
    elimination_.particular(c, a);
    remove_free_part(a);
  }
  void forbidden(const Position& u, Position& Pu) const {
    Pu = u;
    remove_free_part(Pu);
  }

  bool finite() const { return true; }
  long guarded() const { return 0; }

 private:
  static constexpr int free_ = lane_difference(P::fixed_nq, P::fixed_nl);
  static constexpr int most_free_ = LaneSize<free_>::most > 0 ? LaneSize<free_>::most : 1;

  void apply_inverse_mass(Position& b) const {
    if constexpr (P::diagonal) {
      for (int i = 0; i < problem_->nq(); ++i) b[i] *= inverse_[i];
    } else {
      mass_.solve(b);
    }
  }

  Position apply_mass(const Position& a) const {
    const int nq = problem_->nq();
    Position Ma;
    Ma.resize(nq);
    if constexpr (P::diagonal) {
      for (int i = 0; i < nq; ++i) Ma[i] = at_.M(i, 0) * a[i];
    } else {
      for (int i = 0; i < nq; ++i) {
        Time sum = at_.M(i, 0) * a[0];
        for (int j = 1; j < nq; ++j) sum += at_.M(i, j) * a[j];
        Ma[i] = sum;
      }
    }
    return Ma;
  }
  Time product(const Position& a, const Position& b) const {
    Time sum = a[0] * b[0];
    for (int i = 1; i < problem_->nq(); ++i) sum += a[i] * b[i];
    return sum;
  }
  /// a -= Z (Z^T M Z)^-1 Z^T M a.
  void remove_free_part(Position& a) const {
    const int nq = problem_->nq(), free = nq - problem_->nl();
    Time b[most_free_];
    for (int j = 0; j < free; ++j) b[j] = product(MZ_[j], a);
    reduced_.solve(b);
    for (int j = 0; j < free; ++j) {
      for (int i = 0; i < nq; ++i) a[i] -= b[j] * Z_[j][i];
    }
  }

  const P* problem_;
  double rank_tolerance_;
  Weight weight_ = Weight::identity;
  MultibodyTerms<P> at_;
  Position inverse_;
  LaneCholesky<Time, P::fixed_nq> mass_;  ///< Where M is dense.
  LaneElimination<Time, P::fixed_nl, P::fixed_nq> elimination_;
  Position Z_[most_free_], MZ_[most_free_];  ///< Of the null space of G.
  LaneCholesky<Time, free_> reduced_;
  Mask lost_;
};

}  // namespace daewave
