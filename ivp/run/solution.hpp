#pragma once
// The result of an initial value solve: what was given out, dense output where it was kept, events,
// and the report.

#include <memory>
#include <string>
#include <vector>

#include "core/report/motion.hpp"
#include "core/report/report.hpp"
#include "core/report/table.hpp"
#include "core/types.hpp"
#include "ivp/options/event.hpp"

namespace daewave::ivp {

/// Dense output of all steps; what it is made of is the stepper's own.
class DenseOutput {
 public:
  virtual ~DenseOutput() = default;
  /// The state at t in the interval covered.
  virtual VecX at(double t) const = 0;
};

/// Sizes are of run time: one type for all problems.
class Solution {
 public:
  int nz = 0;                       ///< Entries of the state: x, or (q, v).
  int ny = 0;                       ///< Entries of the multiplier given out, 0 for none.
  bool second_order = false;        ///< The state is (q, v).
  bool carries_By = false;          ///< The multiplier given out is B y.
  std::vector<std::string> state_names;  ///< Of the problem; empty where it has none of its own.
  std::vector<double> t;            ///< Times given out, from the start to where the run came to.
  std::vector<double> states;       ///< nz for each time.
  std::vector<double> multipliers;  ///< ny for each time; NaN where there is none.
  std::vector<Occurrence> occurrences;
  Motion motion;  ///< Of all steps, whatever is given out.
  /// With Options::estimate_error: times at which the second run was looked at, 200 and the end at
  /// most, and how far this one is from it, nz for each.
  std::vector<double> error_times, errors;
  Report report;

  int count() const { return static_cast<int>(t.size()); }
  bool has_values() const { return !t.empty(); }
  /// State number i, 0 <= i < count(). @throws InvalidOption outside.
  VecX state(int i) const;
  VecX multiplier(int i) const;
  VecX end() const { return state(count() - 1); }

  /// Largest entry of the estimate at error_times[i].
  double error(int i) const;

  /// The state anywhere in the interval integrated. @throws InvalidOption without Options::dense or
  /// outside of the interval.
  VecX at(double t) const;

  /// Columns t, then the problem's own names or x1.. or q1.., v1.., then y1.., lambda1.. or By1...
  Table table() const;

  std::shared_ptr<const DenseOutput> dense;
};

}  // namespace daewave::ivp
