#pragma once
// Whether a run of reduced index came near a configuration where constraints become dependent: the
// smallest pivot of G of all evaluations, compared with that of the first.

#include <cmath>
#include <limits>

#include "core/report/report.hpp"

namespace daewave::ivp {

/// Ratios below this are told by a warning. Measured: motions far from dependent constraints
/// (pendulum, arms, squeezer) stay above 0.1 at tolerances up to 1e-3. The slider-crank, of which a
/// step rarely ends in the configuration that it passes, comes below within a few passages; of 240
/// runs by dopri5 and dop853 at 1e-2 to 1e-5 all 62 that went on along another branch did.
inline constexpr double near_dependent = 0.01;

/// And from there on another one may come.
inline constexpr double well_away = 0.1;

class PivotWatch {
 public:
  /// One comparison, in all evaluations but a few.
  /// @param pivot  the smallest, in the unit of G.
  void see(double t, double pivot, bool full_rank) {
    last_ = pivot;
    if (pivot < since_) since_ = pivot;
    if (pivot < least_) lower(t, pivot, full_rank);
  }
  /// False where the first evaluation had no full rank: pivots tell nothing then.
  bool knows() const { return first_ > 0; }
  /// Rows that no state makes dependent, as of a chain, have an infinite one.
  bool is_never_small() const { return last_ == std::numeric_limits<double>::infinity(); }
  /// Of the last evaluation.
  double last() const { return last_; }
  /// The last evaluation is of a state that the run has come to.
  void reached() {
    if (last_ > most_ && std::isfinite(last_)) most_ = last_;
  }
  /// The largest of such states: a run may begin near dependent constraints. Not of all
  /// evaluations: stages that stiff forces throw far off have rows as large.
  double most() const { return most_; }
  /// The smallest since mark().
  void mark() { since_ = std::numeric_limits<double>::infinity(); }
  double since_mark() const { return since_; }

  /// Smallest pivot, times that of the first evaluation; 1 where the first had no full rank.
  double ratio() const { return first_ > 0 ? least_ / first_ : 1; }
  /// Where that was.
  double at() const { return at_; }

  /// Whether a step should rather not end at the state last seen. A step that ends beside a
  /// configuration in which constraints are dependent is followed by ever shorter ones, and may
  /// leave it along another branch; one that passes over it does neither. Gives in after two
  /// refusals on the way to it, and where the step began beside it: steps that are refused each
  /// time that they have become longer again would never come there.
  bool refuses_end() {
    const bool near = last_ < near_dependent * first_;
    if (near && !began_near_ && refusals_ < 2) {
      ++refusals_;
      return true;
    }
    if (last_ > well_away * first_) refusals_ = 0;
    began_near_ = near;
    return false;
  }

 private:
  void lower(double t, double pivot, bool full_rank) {
    if (first_ < 0) first_ = full_rank ? pivot : 0;
    least_ = pivot;
    at_ = t;
  }

  double least_ = std::numeric_limits<double>::infinity();
  double first_ = -1, at_ = 0;
  double last_ = 0, most_ = 0, since_ = std::numeric_limits<double>::infinity();
  bool began_near_ = false;
  int refusals_ = 0;
};

/// Fills pivot_ratio and pivot_ratio_at, and warns.
void tell_pivots(const PivotWatch& pivots, Report& report);

}  // namespace daewave::ivp
