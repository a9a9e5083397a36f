#pragma once
// The constraints of a DAE of any class at one state: residuals, rank, the correction back to them,
// and the underlying ordinary equation
//
//   index 2    x' = f - B y,      y = (GB)^-1 (G f + g_t)
//   index 3    v' = f - B y,      y = (GB)^-1 (G f + curvature)
//   multibody  M v' + G^T lambda = f,  G v' + curvature = 0
//
// For the start of a computation: not the fastest, but it looks at everything.

#include "core/eigen_memory.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <string>
#include <vector>

#include "core/kkt/inverse_mass.hpp"
#include "core/kkt/kkt_of.hpp"
#include "core/kkt/oblique.hpp"
#include "core/not_finite.hpp"
#include "core/problem/constraint_residual.hpp"
#include "core/problem/terms.hpp"
#include "core/start/row_sizes.hpp"

namespace daewave::detail {

/// Half of an even number of entries. @throws InvalidProblem for an odd one.
int positions_of(int entries);

/// Entries of x, or of q.
template <class P>
int configuration_size(const StateOf<P>& z) {
  return SemiExplicitDae<P> ? static_cast<int>(z.size()) : static_cast<int>(z.size()) / 2;
}

/// Rows of G that an elimination left out, counted from 1, in order.
template <class Kkt>
std::vector<int> rows_gone(const Kkt& kkt, int rows) {
  std::vector<int> gone;
  for (int i = kkt.rank(); i < rows; ++i) gone.push_back(kkt.dropped_row(i) + 1);
  std::sort(gone.begin(), gone.end());
  return gone;
}

/// What every class of problem shares: f, g, g_t and G finite or not.
template <class Terms>
std::string not_finite_of(const Terms& at, double t) {
  std::string text;
  if (!all_finite("g", at.position, t, text) || !all_finite("g_t", at.g_t, t, text) ||
      !all_finite("f", at.f, t, text)) {
    return text;
  }
  if constexpr (requires { all_finite("G", at.G, t, text); }) {
    if (!all_finite("G", at.G, t, text)) return text;
  }
  if constexpr (requires { all_finite("B", at.B, t, text); }) {
    if (!all_finite("B", at.B, t, text)) return text;
  }
  if constexpr (requires { all_finite("M", at.M, t, text); }) {
    if (!all_finite("M", at.M, t, text)) return text;
  } else if constexpr (requires { at.M.diagonal(); }) {
    if (!all_finite("M", at.M.diagonal(), t, text)) return text;
  }
  return text;
}

/// G and B of x' = f - B y or x'' = f - B y; dense and of sizes known at run time.
class GeneralB {
 public:
  void split(const MatX& B, const MatX& G, double rank_tolerance);
  /// Of GB.
  int rank() const { return rank_; }
  const std::vector<int>& gone() const { return gone_; }
  /// d = B (GB)^-1 c, and G^T (G G^T)^-1 c where GB is singular.
  VecX correct(const VecX& c);
  /// GB y = c; false where GB is singular.
  bool solve(const VecX& c, VecX& y, VecX& By);

 private:
  NullSpaceKkt<VecX, VecX> kkt_;
  ObliqueSplit<VecX, VecX> oblique_;
  Eigen::FullPivLU<MatX> factor_;
  bool meets_ = false;
  int rank_ = 0;
  std::vector<int> gone_;
};

/// What the points of all classes tell.
template <class P>
class PointOfGeneralB {
 public:
  PointOfGeneralB(const P& problem, double rank_tolerance)
      : problem_(problem), rank_tolerance_(rank_tolerance) {}

  double t() const { return t_; }
  int constraints() const { return static_cast<int>(at_.position.size()); }
  int rank() const { return general_.rank(); }
  const std::vector<int>& gone() const { return general_.gone(); }
  const std::string& not_finite() const { return not_finite_; }
  VecX position() const { return at_.position; }
  /// Of each row of G the sum of |G_ij|.
  VecX sizes_of_rows() const { return row_sizes(at_.G); }
  /// G d = g; true: it can always be corrected.
  bool correct_position(ConfigurationOf<P>& d) {
    d = general_.correct(position());
    return true;
  }

 protected:
  bool finish(double t) {
    t_ = t;
    not_finite_ = not_finite_of(at_, t);
    if (not_finite_.empty()) general_.split(MatX(at_.B), MatX(at_.G), rank_tolerance_);
    return not_finite_.empty();
  }

  const P& problem_;
  double rank_tolerance_;
  TermsOf<P> at_;
  GeneralB general_;
  double t_ = 0;
  std::string not_finite_;
};

template <class P>
class ConstraintPoint;

/// Keeps the problem by reference, as the others do.
template <SemiExplicitDae P>
class ConstraintPoint<P> : public PointOfGeneralB<P> {
 public:
  using PointOfGeneralB<P>::PointOfGeneralB;

  int index() const { return 2; }
  /// False where a term is not finite.
  bool evaluate(const StateOf<P>& x, double t) {
    daewave::evaluate(this->problem_, x, t, this->at_);
    return this->finish(t);
  }
  VecX velocity() const { return {}; }
  bool correct_velocity(typename P::State&) { return false; }
  /// x', y and B y; false where GB is singular.
  bool solve(const StateOf<P>&, StateOf<P>& slope, VecX& y, VecX& By) {
    const auto& at = this->at_;
    if (!this->general_.solve(at.G * at.f + at.g_t, y, By)) return false;
    slope = at.f - By;
    return true;
  }
};

template <SecondOrderDae P>
class ConstraintPoint<P> : public PointOfGeneralB<P> {
 public:
  using PointOfGeneralB<P>::PointOfGeneralB;
  using X = typename P::Position;

  int index() const { return 3; }
  bool evaluate(const StateOf<P>& z, double t) {
    const int n = positions_of(static_cast<int>(z.size()));
    const X x = z.head(n), v = z.tail(n);
    daewave::evaluate(this->problem_, x, v, t, this->at_);
    velocity_ = this->at_.G * v + this->at_.g_t;
    return this->finish(t);
  }
  const VecX& velocity() const { return velocity_; }
  /// G d = G v + g_t.
  bool correct_velocity(X& d) {
    d = this->general_.correct(velocity_);
    return true;
  }
  /// (v, v'), y and B y; false where GB is singular.
  bool solve(const StateOf<P>& z, StateOf<P>& slope, VecX& y, VecX& By) requires Reducible<P> {
    const auto& at = this->at_;
    if (!this->general_.solve(at.G * at.f + at.curvature, y, By)) return false;
    slope.resize(z.size());
    slope << z.tail(at.f.size()), at.f - By;
    return true;
  }

 private:
  VecX velocity_;
};

template <Multibody P>
class ConstraintPoint<P> {
 public:
  using X = typename P::Position;

  ConstraintPoint(const P& problem, double rank_tolerance)
      : problem_(problem), rank_tolerance_(rank_tolerance) {}

  int index() const { return positions_ > 0 ? 3 : 2; }
  bool evaluate(const StateOf<P>& z, double t) {
    t_ = t;
    const int n = positions_of(static_cast<int>(z.size()));
    const X q = z.head(n), v = z.tail(n);
    daewave::evaluate(problem_, q, v, t, at_);
    positions_ = static_cast<int>(at_.position.size());
    if constexpr (HasVelocityConstraint<P>) {
      positions_ -= static_cast<int>(problem_.w(q, v, t).size());
    }
    velocity_.resize(at_.position.size());
    apply(at_.G, v, velocity_);
    velocity_ += at_.g_t;
    not_finite_ = not_finite_of(at_, t);
    if (!not_finite_.empty()) return false;
    eliminate_in_metric(kkt_, at_.G, at_.M, rank_tolerance_);
    gone_ = rows_gone(kkt_, constraints());
    regular_ = kkt_.weigh(at_.M);
    return true;
  }
  double t() const { return t_; }
  int constraints() const { return static_cast<int>(at_.position.size()); }
  int rank() const { return not_finite_.empty() ? kkt_.rank() : 0; }
  const std::vector<int>& gone() const { return gone_; }
  const std::string& not_finite() const { return not_finite_; }
  VecX position() const { return at_.position.head(positions_); }
  const MultiplierOf<P>& velocity() const { return velocity_; }
  VecX sizes_of_rows() const { return row_sizes(at_.G).head(positions_); }

  /// The smallest d in the metric of M with G d = g, K d = 0; false where M is singular on the
  /// motions that the constraints allow.
  bool correct_position(X& d) {
    if (regular_) kkt_.correct(at_.M, at_.position, d);
    return regular_;
  }
  /// G d = G v + g_t, K d = w.
  bool correct_velocity(X& d) {
    if (regular_) kkt_.correct(at_.M, velocity_, d);
    return regular_;
  }
  /// (v, v'), lambda and M^-1 G^T lambda, which is empty where M is singular; false where the whole
  /// system is.
  bool solve(const StateOf<P>& z, StateOf<P>& slope, VecX& lambda, VecX& By) requires Reducible<P> {
    if (!regular_) return false;
    X a;
    MultiplierOf<P> multiplier;
    kkt_.solve(at_.M, at_.f, MultiplierOf<P>(-at_.curvature), a, multiplier);
    slope.resize(z.size());
    slope << z.tail(a.size()), a;
    lambda = multiplier;
    X force = X::Zero(a.size());
    apply_transposed(at_.G, multiplier, force);
    const bool invertible = mass_.factorize(at_.M);
    if (invertible) mass_.apply(force);
    By = invertible ? VecX(force) : VecX();
    return true;
  }

 private:
  const P& problem_;
  double rank_tolerance_;
  MultibodyTerms<P> at_;
  MultiplierOf<P> velocity_;
  KktOf<P> kkt_;
  InverseMass<MassOf<P>> mass_;
  bool regular_ = false;
  int positions_ = 0;
  double t_ = 0;
  std::vector<int> gone_;
  std::string not_finite_;
};

}  // namespace daewave::detail
