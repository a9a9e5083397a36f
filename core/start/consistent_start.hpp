#pragma once
// Does a state satisfy the constraints, those that differentiation hides too, and the nearest one
// that does:
//
//   index 2   0 = g(x, t)
//   index 3   0 = g(q, t),   0 = G v + g_t,   0 = w(q, v, t)

#include <algorithm>
#include <string>
#include <vector>

#include "core/not_finite.hpp"
#include "core/problem/dae.hpp"
#include "core/start/constraint_point.hpp"
#include "core/start/rounding_of_state.hpp"

namespace daewave {

/// What can be said of the constraints at one state.
struct Consistency {
  double t = 0;
  int index = 0;          ///< Of the DAE: 3 with position constraints of a motion, otherwise 2.
  int constraints = 0;    ///< Rows of g and w.
  int rank = 0;           ///< Of G with K; with a B of its own, of GB.
  std::vector<int> gone;  ///< Rows of G that depend on the others or vanish, counted from 1.
  double position = 0;    ///< max |g|; where rounding explains some rows and not others, of those.
  int position_row = 0;   ///< Where, counted from 1; 0 without rows.
  double velocity = 0;    ///< max |G v + g_t| and |w|, so too; 0 for a first-order system.
  int velocity_row = 0;
  /// What rounding of the state explains of those rows; 0 where nobody looked.
  double position_rounding = 0, velocity_rounding = 0;
  std::string not_finite;  ///< What is not finite, in words; empty where all is.

  bool singular() const { return rank < constraints; }
  /// All residuals are finite and at most `tolerance`, absolute, or what rounding explains.
  bool ok(double tolerance) const;
  bool position_ok(double tolerance) const;
  bool velocity_ok(double tolerance) const;
  /// Why not, and the way out; empty when ok. A singular constraint is mentioned, but no reason.
  std::string text(double tolerance) const;
};

/// How a start was repaired.
struct StartRepair {
  bool ok = false;
  std::string failure;      ///< Why not, and what to do; empty when ok.
  int iterations = 0;       ///< Of Gauss-Newton, on the position.
  double position = 0;      ///< How far the position, or x, was moved; max norm.
  double velocity = 0;      ///< How far the velocity was moved; max norm.
  Consistency consistency;  ///< After the repair.
};

namespace detail {

/// A Consistency from a ConstraintPoint. @param rounding  what it leaves of all rows, those of
///                                                          `position` first; empty: of none.
Consistency consistency(double t, int index, int constraints, int rank, std::vector<int> gone,
                        const VecX& position, const VecX& velocity, const VecX& rounding,
                        std::string not_finite);

/// @throws InvalidOption
void check_start_tolerance(double tolerance);
std::string failure_text(const StartRepair& repair, double tolerance);

/// max |g_i| / rows_i; rows that vanish take no part.
double farthest_row(const VecX& g, const VecX& rows);

/// Those of position first.
template <class P>
VecX residuals(const ConstraintPoint<P>& point) {
  const VecX position = point.position(), velocity = point.velocity();
  VecX all(position.size() + velocity.size());
  all.head(position.size()) = position;
  all.tail(velocity.size()) = velocity;
  return all;
}

/// What rounding explains is looked at where a row is off by more than the tolerance.
template <class P>
Consistency consistency_of(const P& problem, const ConstraintPoint<P>& point, const StateOf<P>& z,
                           double tolerance, double rank_tolerance) {
  VecX rounding;
  const VecX all = residuals(point);
  if (point.not_finite().empty() && largest_size(all) > tolerance) {
    ConstraintPoint<P> near(problem, rank_tolerance);
    rounding = left_by_rounding(z, point.t(), all, [&](const StateOf<P>& there, double t, VecX& r) {
      if (!near.evaluate(there, t)) return false;
      r = residuals(near);
      return true;
    });
  }
  return consistency(point.t(), point.index(), point.constraints(), point.rank(), point.gone(),
                     point.position(), point.velocity(), rounding, point.not_finite());
}

/// Gauss-Newton for 0 = g, the step halved as long as g does not fall; ends where rounding does
/// not let it fall any further. `repair` gets the failure, if any.
///
/// Rows fall by how far they are from zero in the unknowns, |g_i| over the sizes of row i of G:
/// lengths and cosines are in different units, and where lengths are large numbers, what a turn
/// adds to them for a while would count for more than what it takes from the cosines. Sizes are the
/// larger ones of both ends of the step: a row may vanish at one of them.
template <class P>
bool project_position(ConstraintPoint<P>& point, StateOf<P>& z, double t, double tolerance,
                      StartRepair& repair) {
  constexpr int most_iterations = 100, most_halvings = 20;
  ConfigurationOf<P> d = ConfigurationOf<P>::Zero(configuration_size<P>(z));
  for (; largest_size(point.position()) > 0 && repair.iterations < most_iterations;
       ++repair.iterations) {
    if (!point.correct_position(d)) break;
    const StateOf<P> from = z;
    const VecX g = point.position(), rows = point.sizes_of_rows();
    double before = 0, size = 0, part = 1;
    for (int halving = 0; halving <= most_halvings; ++halving, part /= 2) {
      z.head(d.size()) = from.head(d.size()) - part * d;
      if (!point.evaluate(z, t)) continue;
      const VecX sizes = rows.cwiseMax(point.sizes_of_rows());
      before = farthest_row(g, sizes);
      size = farthest_row(point.position(), sizes);
      if (size < before) break;
    }
    if (!(size < before) || !point.not_finite().empty()) {
      z = from;
      point.evaluate(z, t);
      break;
    }
    if (size > 0.25 * before && largest_size(point.position()) <= tolerance) break;
  }
  return largest_size(point.position()) <= tolerance;
}

/// v - F (G v + g_t), twice: the second takes off what rounding left.
template <class P>
void project_velocity(ConstraintPoint<P>& point, StateOf<P>& z, double t) {
  const int n = configuration_size<P>(z), nv = static_cast<int>(z.size()) - n;
  ConfigurationOf<P> d = ConfigurationOf<P>::Zero(n);
  for (int pass = 0; pass < 2 && nv > 0; ++pass) {
    if (!point.correct_velocity(d)) return;
    z.tail(nv) -= d;
    if (!point.evaluate(z, t)) return;
  }
}

}  // namespace detail

/// @param state  x, or (q, v).
/// @param rank_tolerance  a row of G that falls below this times its largest entry is gone.
/// @param tolerance       where a row is off by more, what rounding explains is looked at.
/// @throws InvalidProblem for a state of odd size where (q, v) is due.
template <Dae P>
Consistency check_start(const P& problem, const StateOf<P>& state, double t,
                        double rank_tolerance = 1e-12, double tolerance = 1e-8) {
  detail::ConstraintPoint<P> point(problem, rank_tolerance);
  point.evaluate(state, t);
  return detail::consistency_of(problem, point, state, tolerance, rank_tolerance);
}

/// Moves a state to the constraints: the position by Gauss-Newton in the metric of M (along
/// B (GB)^-1 where B is general, orthogonally where GB is singular), then the velocity at that
/// position; to rounding.
///
/// Rows of G that vanish or depend on others take no part: redundant constraints are met all the
/// same where they do not contradict each other.
/// @param state      x, or (q, v); unchanged where this fails.
/// @param tolerance  > 0; what max |g|, |G v + g_t| and |w| must be at the end, or what rounding of
///                   the state leaves of them.
/// @throws InvalidOption for a tolerance that is not positive, InvalidProblem as check_start().
template <Dae P>
StartRepair repair_start(const P& problem, StateOf<P>& state, double t, double tolerance,
                         double rank_tolerance = 1e-12) {
  detail::check_start_tolerance(tolerance);
  detail::ConstraintPoint<P> point(problem, rank_tolerance);
  StartRepair repair;
  StateOf<P> z = state;
  point.evaluate(z, t);
  const auto found = [&] {
    return detail::consistency_of(problem, point, z, tolerance, rank_tolerance);
  };
  if (point.not_finite().empty() && (detail::project_position(point, z, t, tolerance, repair) ||
                                     found().position_ok(tolerance))) {
    detail::project_velocity(point, z, t);
  }
  repair.consistency = found();
  repair.ok = repair.consistency.ok(tolerance);
  if (!repair.ok) {
    repair.failure = detail::failure_text(repair, tolerance);
    return repair;
  }
  const int n = detail::configuration_size<P>(z);
  repair.position = largest_size(z.head(n) - state.head(n));
  repair.velocity = largest_size(z.tail(z.size() - n) - state.tail(z.size() - n));
  state = z;
  return repair;
}

}  // namespace daewave
