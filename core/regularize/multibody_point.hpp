#pragma once
// What the regularizations of index 3 ask of a multibody system at one state: SecondOrderPoint with
// B = M^-1 G^T. Nothing forms G M^-1 G^T but where it is asked for by name; (GB)^-1 and P go
// through the null space of G (core/kkt/kkt.hpp).                                           [AL2]
// section 5

#include <string>

#include "core/kkt/inverse_mass.hpp"
#include "core/kkt/kkt_of.hpp"
#include "core/not_finite.hpp"
#include "core/problem/terms.hpp"
#include "core/regularize/regularization.hpp"

namespace daewave {

/// Holds the memory of an evaluation: one for each thread. The problem must outlive it.
template <Multibody P>
class MultibodyPoint {
 public:
  using Position = typename P::Position;
  using Multiplier = MultiplierOf<P>;
  using State = StateOf<P>;
  static constexpr bool reducible = HasCurvature<P> || HasMultibodyTerms<P>;

  MultibodyPoint(const P& problem, double rank_tolerance)
      : problem_(&problem), rank_tolerance_(rank_tolerance) {}

  /// False where M is not positive definite: there M^-1 f has no meaning, nor has regularization.
  bool evaluate(const Position& q, const Position& v, double t) {
    t_ = t;
    daewave::evaluate(*problem_, q, v, t, at_);
    return mass_.factorize(at_.M) || (finite() && refuse("M is not positive definite"));
  }
  const P& problem() const { return *problem_; }
  const auto& terms() const { return at_; }

  void acceleration(Position& a) const {
    a = at_.f;
    mass_.apply(a);
  }
  /// h = G v + g_t.
  void velocity_residual(const Position& v, Multiplier& h) const {
    apply(at_.G, v, h);
    h += at_.g_t;
  }
  void apply_B(const Multiplier& lambda, Position& By) const {
    apply_transposed(at_.G, lambda, By);
    mass_.apply(By);
  }
  template <class Out>
  void apply_G(const Position& v, Out& Gv) const {
    apply(at_.G, v, Gv);
  }

  /// Readies weighted(). E = I and E = GB need no factorization of G.
  bool weigh(Weight weight) {
    weight_ = weight;
    return weight != Weight::inverse || split();
  }
  /// Ec = E c. The inverse: M a + G^T lambda = 0, G a = c give lambda = -(GB)^-1 c.
  void weighted(const Multiplier& c, Multiplier& Ec) {
    if (weight_ == Weight::identity) {
      Ec = c;
    } else if (weight_ == Weight::transpose) {
      apply_B(c, work_);
      apply(at_.G, work_, Ec);
    } else {
      none_.setZero(at_.f.size());
      kkt_.solve(at_.M, none_, c, work_, Ec);
      Ec = -Ec;
    }
  }
  /// GB, column by column: G may be of the problem's own type.
  void form_GB() {
    const int nl = static_cast<int>(at_.position.size());
    GB_.resize(nl, nl);
    for (int j = 0; j < nl; ++j) {
      unit_.setZero(nl);
      unit_[j] = 1;
      apply_B(unit_, work_);
      apply(at_.G, work_, column_);
      GB_.col(j) = column_;
    }
  }
  const auto& GB() const { return GB_; }

  /// Readies correct() and forbidden(). Where a row of G is gone its constraint takes no part.
  bool split() {
    eliminate_in_metric(kkt_, at_.G, at_.M, rank_tolerance_);
    if (kkt_.rank() < at_.position.size()) {
      if (!finite()) return false;
      ++guarded_;
    }
    return kkt_.weigh(at_.M) || (finite() && refuse("M is singular on the null space of G"));
  }
  void correct(const Multiplier& c, Position& a) { kkt_.correct(at_.M, c, a); }
  void forbidden(const Position& u, Position& Pu) { kkt_.forbidden(u, Pu); }
  /// Evaluations in which the rank guard dropped a row.
  long guarded() const { return guarded_; }

  /// True where all that was evaluated is finite; failure() tells what is not.
  bool finite() {
    failure_.clear();
    if (!all_finite("f", at_.f, t_, failure_) || !all_finite("g", at_.position, t_, failure_) ||
        !all_finite("g_t", at_.g_t, t_, failure_)) {
      return false;
    }
    if constexpr (requires { all_finite("G", at_.G, t_, failure_); }) {
      if (!all_finite("G", at_.G, t_, failure_)) return false;
    }
    if constexpr (requires { all_finite("M", at_.M, t_, failure_); }) {
      return all_finite("M", at_.M, t_, failure_);
    } else if constexpr (requires { at_.M.diagonal(); }) {
      return all_finite("M", at_.M.diagonal(), t_, failure_);
    }
    return true;
  }
  const std::string& failure() const { return failure_; }

 private:
  bool refuse(const char* why) {
    failure_ = failed_at_text(why, t_);
    return false;
  }
  static constexpr int nl_ = detail::rows<Multiplier>, ml_ = detail::most_rows<Multiplier>;

  const P* problem_;
  double rank_tolerance_;
  MultibodyTerms<P> at_;
  InverseMass<MassOf<P>> mass_;
  KktOf<P> kkt_;
  Weight weight_ = Weight::identity;
  Eigen::Matrix<double, nl_, nl_, Eigen::ColMajor, ml_, ml_> GB_;
  Position work_, none_;
  Multiplier unit_, column_;
  double t_ = 0;
  long guarded_ = 0;
  std::string failure_;
};

}  // namespace daewave
