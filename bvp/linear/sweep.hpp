#pragma once
// One sweep over a mesh: what an iterate leaves of B y is replaced by what the next makes of it.

#include <algorithm>
#include <cmath>
#include <memory>

#include "bvp/linear/discretization.hpp"
#include "bvp/linear/linear_values.hpp"
#include "core/not_finite.hpp"
#include "core/threads/executor.hpp"
#include "core/time/waveform.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// The largest change and the largest entry of B y.
struct SweepChange {
  /// Keeps the larger change, of equal ones the first, and one that is not a number.
  void add(double change_here, double t) {
    if (change_here <= change || std::isnan(change)) return;
    change = change_here;
    change_at = t;
  }
  /// Keeps the larger ones of another part of the interval.
  void add(const SweepChange& part) {
    add(part.change, part.change_at);
    watched = larger(watched, part.watched);
    size = std::max(size, part.size);
    if (part.changes.size() == 0) return;
    changes = changes.size() > 0 ? VecX(changes.cwiseMax(part.changes)) : part.changes;
    sizes = sizes.size() > 0 ? VecX(sizes.cwiseMax(part.sizes)) : part.sizes;
  }

  double change = 0;
  double change_at = 0;
  double watched = 0;  ///< Of the times that count.
  double size = 0;
  VecX changes{}, sizes{};  ///< By row of B y, where that is asked for; of the times that count.
};

/// What a sweep replaces.
struct SweepValues {
  VecX zeta;
  MatX slopes;  ///< Empty where they are not kept.
  MatX change;  ///< As LinearData has it; empty where it is not kept.
};

/// zeta of every stage from a waveform of B y: least squares in the basis of each stage.
void project(const Discretization& discretization, const Waveform& By_0, VecX& zeta);

/// Replaces the multipliers of all intervals by their successors, with the same bits on any number
/// of threads and ranks.
/// @param u           node values of this iterate.
/// @param zero_old    what there is is zero.
/// @param by_row      changes and sizes of each row of B y are asked for, too.
/// @param watch_from  time from which changes count.
SweepChange update(const Discretization& discretization, const VecX& u, bool zero_old, bool by_row,
                   double watch_from, SweepValues& values, const Executor& executor);

/// The largest change of B y in each interval and row, from one set of multipliers to another: at
/// the stages, and where the polynomials through them end; nx x intervals.
MatX changes_in_intervals(const Discretization& discretization, const VecX& before,
                          const VecX& after, const Executor& executor);

/// Of the constraints at the nodes.
double largest_drift(const Discretization& discretization, const VecX& u, const Executor& executor);

/// What a solution is evaluated from, of the last sweep.
LinearData collect(std::shared_ptr<const LinearDae> problem, const Discretization& discretization,
                   const VecX& u, SweepValues found, SolutionSizes sizes);

}  // namespace daewave::bvp
