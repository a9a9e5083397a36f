#pragma once
// MultibodyPoint (core/regularize/multibody_point.hpp) in lanes: what the regularizations of index
// 3 ask of a multibody system at one state in each lane. Lanes in which G loses rank are named by
// lost(), and are somebody else's: their null space has another size.

#include "core/lanes/lane_cholesky.hpp"
#include "core/lanes/lane_null_space.hpp"
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
        split_(problem.nq(), problem.nl()) {
    inverse_.resize(problem.nq());
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
    Position a, Ma;
    a.resize(problem_->nq());
    Ma.resize(problem_->nq());
    Ec.resize(problem_->nl());
    if (weight_ == Weight::identity) {
      Ec = c;
    } else if (weight_ == Weight::transpose) {
      apply_B(c, a);
      apply_G(a, Ec);
    } else {
      split_.particular(c, a);
      split_.remove_free_part(a);
      split_.apply_mass(a, Ma);
      split_.transposed(Ma, Ec);
    }
  }

  bool split() {
    lost_ = lost_ | split_.split(at_.G, at_.M, rank_tolerance_);
    return true;
  }
  void correct(const Multiplier& c, Position& a) const {
    a.resize(problem_->nq());
    split_.particular(c, a);
    split_.remove_free_part(a);
  }
  void forbidden(const Position& u, Position& Pu) const {
    Pu = u;
    split_.remove_free_part(Pu);
  }

  bool finite() const { return true; }
  long guarded() const { return 0; }

 private:
  void apply_inverse_mass(Position& b) const {
    if constexpr (P::diagonal) {
      for (int i = 0; i < problem_->nq(); ++i) b[i] *= inverse_[i];
    } else {
      mass_.solve(b);
    }
  }

  const P* problem_;
  double rank_tolerance_;
  Weight weight_ = Weight::identity;
  MultibodyTerms<P> at_;
  Position inverse_;
  LaneCholesky<Time, P::fixed_nq> mass_;  ///< Where M is dense.
  LaneNullSpace<Time, P::fixed_nq, P::fixed_nl, P::diagonal> split_;
  Mask lost_;
};

}  // namespace daewave
