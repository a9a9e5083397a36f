#pragma once
// Projection onto the constraints of positions, and then, at the positions found, onto those of
// velocities,
//
//   q <- q - F g(q, t),   v <- v - F (G(q, t) v + g_t),   each until it is rounding,
//
// with F as in ivp/equations: so the factorization is the problem's own, and the cost that of a
// step where it has one of linear cost. The joint projection,
// ivp/equations/coordinate_projection.hpp, moves both at once and factorizes a dense matrix; the
// two differ by the square of what they move.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/not_finite.hpp"
#include "core/problem/constraint_residual.hpp"
#include "ivp/options/index_reduction.hpp"

namespace daewave::ivp {

/// @tparam Equations  MultibodyEquations<P> or SecondOrderEquations<P>.
template <class Equations>
class ProjectionInTurn {
 public:
  using Problem = typename Equations::Problem;
  using Position = typename Equations::Position;
  using Multiplier = typename Equations::Multiplier;

  explicit ProjectionInTurn(Metric metric) : metric_(metric) {}

  /// Directly after equations.evaluate(q, v, t), whose factorization it begins with; it is anew
  /// where that does not reduce a residual tenfold. False with failure(); q, v are unchanged then.
  bool project(Equations& equations, double t, Position& q, Position& v) {
    q_ = q;
    v_ = v;
    if (!fall<true>(equations, t) || !fall<false>(equations, t)) return false;
    q = q_;
    v = v_;
    return true;
  }

  std::string failure() const {
    return fmt::format(
        "no projection onto the constraints of {} at t = {:.9g}: they are off by {:.3g}, and {} "
        "iterations do not reduce that",
        of_positions_ ? "positions" : "velocities", failed_at_, size_, most_iterations_);
  }

 private:
  static constexpr int most_iterations_ = 12;
  /// Of |h| beside what its terms are made of: below this it may stay as it is.
  static constexpr double acceptable_ = 1e-11;

  template <bool positions>
  bool fall(Equations& equations, double t) {
    Position& moved = positions ? q_ : v_;
    double before = INFINITY;
    for (int i = 0; i < most_iterations_; ++i) {
      residual_.evaluate(equations.problem(), q_, v_, t);
      const Multiplier& h = positions ? residual_.position() : residual_.velocity();
      size_ = largest_size(h);
      const double unit = largest_size(moved);
      if (size_ <= std::numeric_limits<double>::epsilon() * unit) return true;
      if (size_ > 0.5 * before && size_ <= acceptable_ * (1 + unit)) return true;
      if (!std::isfinite(size_)) break;
      if (size_ > 0.1 * before && !equations.evaluate(q_, v_, t)) break;
      before = size_;
      equations.correct(metric_, h, step_);
      moved -= step_;
    }
    of_positions_ = positions;
    failed_at_ = t;
    return false;
  }

  Metric metric_;
  ConstraintResidual<Problem> residual_;
  Position q_, v_, step_;
  double size_ = 0, failed_at_ = 0;
  bool of_positions_ = true;
};

}  // namespace daewave::ivp
