#pragma once
// MultibodyPoint (core/regularize/multibody_point.hpp) in lanes: what the regularizations of index
// 3 ask of a multibody system at one state in each lane. Lanes in which G loses rank are named by
// lost(), and are somebody else's: their null space has another size.

#include <string>
#include <type_traits>

#include "core/lanes/lane_cholesky.hpp"
#include "core/lanes/lane_elimination.hpp"
#include "core/problem/terms.hpp"
#include "core/regularize/form.hpp"

namespace daewave {

namespace detail {

template <class Mass>
inline constexpr bool is_diagonal = false;
template <class T, int n, int most>
inline constexpr bool is_diagonal<Eigen::DiagonalMatrix<T, n, most>> = true;

/// As evaluate() of core/problem/terms.hpp, with a time in each lane.
template <class P, class X, class T>
[[gnu::always_inline]] inline void evaluate_in_lanes(const P& problem, const X& q, const X& v,
                                                     const T& t, MultibodyTerms<P>& at) {
  if constexpr (requires { problem.terms(q, v, t, at); }) {
    problem.terms(q, v, t, at);
  } else {
    at.M = problem.M(q);
    at.f = problem.f(q, v, t);
    at.G = problem.G(q, t);
    at.position = problem.g(q, t);
    at.g_t = problem.g_t(q, t);
    if constexpr (requires { problem.curvature(q, v, t); }) {
      at.curvature = problem.curvature(q, v, t);
    }
  }
}

}  // namespace detail

/// @tparam P  a multibody system of scalar Lanes and of fixed sizes.
template <class P>
class LaneMultibodyPoint {
 public:
  using Position = typename P::Position;
  using Multiplier = typename P::Multiplier;
  using Time = typename Position::Scalar;
  using Mask = typename Time::Mask;
  static constexpr int nq = Position::RowsAtCompileTime, nl = Multiplier::RowsAtCompileTime;
  static_assert(nq > 0 && nl > 0 && nl <= nq, "lanes are for problems of fixed sizes");
  using State = VecOf<Time, 2 * nq>;
  static constexpr bool in_lanes = true;
  static constexpr bool reducible = true;

  LaneMultibodyPoint(const P& problem, double rank_tolerance)
      : problem_(&problem), rank_tolerance_(rank_tolerance) {}

  bool evaluate(const Position& q, const Position& v, const Time& t) {
    detail::evaluate_in_lanes(*problem_, q, v, t, at_);
    lost_ = Time(0) < Time(0);
    if constexpr (diagonal_) {
      for (int i = 0; i < nq; ++i) {
        const Time m = at_.M.diagonal()[i];
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
    for (int i = 0; i < nl; ++i) h[i] += at_.g_t[i];
  }
  void apply_B(const Multiplier& lambda, Position& By) const {
    for (int j = 0; j < nq; ++j) {
      Time sum = at_.G(0, j) * lambda[0];
      for (int i = 1; i < nl; ++i) sum += at_.G(i, j) * lambda[i];
      By[j] = sum;
    }
    apply_inverse_mass(By);
  }
  void apply_G(const Position& v, Multiplier& Gv) const {
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
    lost_ = lost_ | elimination_.eliminate(at_.G, rank_tolerance_);
    for (int j = 0; j < free_; ++j) {
      elimination_.null_space(j, Z_[j]);
      MZ_[j] = apply_mass(Z_[j]);
    }
    for (int j = 0; j < free_; ++j) {
      for (int i = j; i < free_; ++i) reduced_(i, j) = product(Z_[i], MZ_[j]);
    }
    lost_ = lost_ | reduced_.factorize();
    return true;
  }
  void correct(const Multiplier& c, Position& a) const {
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
  static constexpr bool diagonal_ = detail::is_diagonal<MassOf<P>>;
  static constexpr int free_ = nq - nl;

  void apply_inverse_mass(Position& b) const {
    if constexpr (diagonal_) {
      for (int i = 0; i < nq; ++i) b[i] *= inverse_[i];
    } else {
      mass_.solve(b);
    }
  }

  Position apply_mass(const Position& a) const {
    Position Ma;
    if constexpr (diagonal_) {
      for (int i = 0; i < nq; ++i) Ma[i] = at_.M.diagonal()[i] * a[i];
    } else {
      for (int i = 0; i < nq; ++i) {
        Time sum = at_.M(i, 0) * a[0];
        for (int j = 1; j < nq; ++j) sum += at_.M(i, j) * a[j];
        Ma[i] = sum;
      }
    }
    return Ma;
  }
  static Time product(const Position& a, const Position& b) {
    Time sum = a[0] * b[0];
    for (int i = 1; i < nq; ++i) sum += a[i] * b[i];
    return sum;
  }
  /// a -= Z (Z^T M Z)^-1 Z^T M a.
  void remove_free_part(Position& a) const {
    if constexpr (free_ > 0) {
      Time b[free_];
      for (int j = 0; j < free_; ++j) b[j] = product(MZ_[j], a);
      reduced_.solve(b);
      for (int j = 0; j < free_; ++j) {
        for (int i = 0; i < nq; ++i) a[i] -= b[j] * Z_[j][i];
      }
    }
  }

  const P* problem_;
  double rank_tolerance_;
  Weight weight_ = Weight::identity;
  MultibodyTerms<P> at_;
  Position inverse_;
  LaneCholesky<Time, nq> mass_;  ///< Where M is dense.
  LaneElimination<Time, nl, nq> elimination_;
  Position Z_[free_ + 1], MZ_[free_ + 1];  ///< Of the null space of G.
  LaneCholesky<Time, free_> reduced_;
  Mask lost_;
};

}  // namespace daewave
