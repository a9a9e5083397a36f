#pragma once
// What the regularizations of index 3 ask of a problem at one state, for x'' = f - B y:
//
//   free acceleration f,  B y,  E c,  B (GB)^-1 c,  P u = B (GB)^-1 G u,  g, g' and the rest of g''
//
// MultibodyPoint (core/regularize/multibody_point.hpp) answers the same with B = M^-1 G^T.

#include <cmath>
#include <string>

#include "core/kkt/oblique.hpp"
#include "core/not_finite.hpp"
#include "core/problem/terms.hpp"
#include "core/regularize/regularization.hpp"

namespace daewave {

/// Holds the memory of an evaluation: one for each thread. The problem must outlive it.
template <SecondOrderDae P>
class SecondOrderPoint {
 public:
  using Position = typename P::Position;
  using Multiplier = typename P::Multiplier;
  using State = StateOf<P>;
  static constexpr bool reducible = HasCurvature<P> || HasSecondOrderTerms<P>;

  SecondOrderPoint(const P& problem, double rank_tolerance)
      : problem_(&problem), rank_tolerance_(rank_tolerance) {}

  bool evaluate(const Position& x, const Position& v, double t) {
    t_ = t;
    daewave::evaluate(*problem_, x, v, t, at_);
    return true;
  }
  const P& problem() const { return *problem_; }
  const auto& terms() const { return at_; }

  void acceleration(Position& a) const { a = at_.f; }
  /// h = G v + g_t.
  void velocity_residual(const Position& v, Multiplier& h) const {
    h.noalias() = at_.G * v;
    h += at_.g_t;
  }
  void apply_B(const Multiplier& y, Position& By) const { By.noalias() = at_.B * y; }
  template <class Out>
  void apply_G(const Position& v, Out& Gv) const {
    Gv.noalias() = at_.G * v;
  }

  /// Readies weighted(); GB too. False where E is singular.
  bool weigh(Weight weight) {
    weight_ = weight;
    if (weight == Weight::identity) return true;
    form_GB();
    if (weight == Weight::transpose) return true;
    factor_.compute(GB_);
    const double pivots = std::abs(factor_.matrixLU().diagonal().prod());
    if (pivots > 0 && std::isfinite(pivots)) return true;
    return finite() && refuse("GB is singular; take variant = singular");
  }
  /// Ec = E c.
  void weighted(const Multiplier& c, Multiplier& Ec) const {
    if (weight_ == Weight::identity) {
      Ec = c;
    } else if (weight_ == Weight::transpose) {
      Ec.noalias() = GB_.transpose() * c;
    } else {
      factor_.solve(c, Ec);
    }
  }
  void form_GB() { GB_.noalias() = at_.G * at_.B; }
  const auto& GB() const { return GB_; }

  /// Readies correct() and forbidden().
  bool split() {
    if (!split_.split(at_.B, at_.G, rank_tolerance_)) {
      return finite() && refuse("the range of B and the null space of G meet");
    }
    if (split_.rank() < at_.position.size()) {
      if (!finite()) return false;
      ++guarded_;
    }
    return true;
  }
  void correct(const Multiplier& c, Position& a) { split_.correct(c, a); }
  void forbidden(const Position& u, Position& Pu) { split_.forbidden(u, Pu); }
  long guarded() const { return guarded_; }

  /// True where all that was evaluated is finite; failure() tells what is not.
  bool finite() {
    failure_.clear();
    return all_finite("f", at_.f, t_, failure_) && all_finite("g", at_.position, t_, failure_) &&
           all_finite("G", at_.G, t_, failure_) && all_finite("B", at_.B, t_, failure_) &&
           all_finite("g_t", at_.g_t, t_, failure_);
  }
  const std::string& failure() const { return failure_; }

 private:
  bool refuse(const char* why) {
    failure_ = failed_at_text(why, t_);
    return false;
  }
  static constexpr int ny_ = detail::rows<Multiplier>, my_ = detail::most_rows<Multiplier>;
  using Square = Eigen::Matrix<double, ny_, ny_, Eigen::ColMajor, my_, my_>;

  const P* problem_;
  double rank_tolerance_;
  SecondOrderTerms<P> at_;
  Weight weight_ = Weight::identity;
  Square GB_;
  SquareLu<Square> factor_;
  ObliqueSplit<Position, Multiplier> split_;
  double t_ = 0;
  long guarded_ = 0;
  std::string failure_;
};

}  // namespace daewave
