#pragma once
// Whether a step along a parameter ends on the branch on which it begins. Another branch may be
// nearer than where the branch goes, and a line or a solution between may lead to either; what
// tells them apart is where each goes. With d = x1 - x0 and the tangents T0, T1 at both ends, times
// the step:
//
//   | d - (T0 + T1) / 2 |  <=  d / 4.
//
// Up to a fold, where x is as a root of the parameter, d misses that by 12 % over three quarters of
// what is left. Where a branch ends at another one it would be followed by that one a few times as
// far behind as it is before it: in the middle of the step there is no solution then where the
// cubic of Hermite goes.

#include "bvp/result/solution.hpp"
#include "bvp/statement/problem_family.hpp"

namespace daewave::bvp {

/// From one solution to another one beside it.
struct Secant {
  Solution from, to;
  double length = 1;  ///< Of the parameter, or what leads it, with its sign.
};

/// A step from one solution to the next one.
struct BranchStepEnds {
  const Solution &last, &next;
  /// Of what is error in them, relative to 1 + max |x|.
  double tolerance = 0;
};

/// What two solutions may be off together, in the unit of product().
double errors_of(const Solution& a, const Solution& b, const VecX& sizes);

/// In units of which both ends of a step are compared: small components count as others do, up to
/// what is error.
VecX sizes_of(const BranchStepEnds& step);

/// Both ends are on one interval; others are not compared.
bool are_on_one_interval(const BranchStepEnds& step);

/// Whether the next one may be of another branch: it is as far away as others may be, and the
/// problem is not linear, which has one solution. @param value  of that entry of p, at the next
/// one.
bool may_leap(const ProblemFamily& family, int entry, double value, const BranchStepEnds& step);

/// @param length  of the step, as those of secants.
/// @param at_last, at_next  short ones at both ends.
/// @param geometric  the parameter changes tenfold and more: layers that become thinner are not
///   where their tangents lead. Then
///       d T0 > 0,  d T1 > 0,  |d| <= 3 / 2 max(|T0|, |T1|).
bool stays_on_branch(const BranchStepEnds& step, double length, const Secant& at_last,
                     const Secant& at_next, bool geometric);

/// Whether a solution in the middle of such a step, which is not geometric, is on the cubic through
/// its ends along their tangents, within d / 10.
bool is_between(const BranchStepEnds& step, double length, const Secant& at_last,
                const Secant& at_next, const Solution& middle);

}  // namespace daewave::bvp
