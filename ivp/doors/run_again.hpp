#pragma once
// Whoever makes a run a second time, from its start: whether that is possible, and what the caller
// sees of it.

#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// Changes of events may have set more than the state, which another run would find set.
bool may_run_again(const Options& options);

/// Options of two runs, of which the second goes on giving out where the first one has ended: times
/// that the caller's sink has seen are not given out again. Checkpoints are of the first.
class RowsOnce {
 public:
  explicit RowsOnce(const Options& options) : options_(options) {}
  RowsOnce(const RowsOnce&) = delete;
  RowsOnce& operator=(const RowsOnce&) = delete;

  /// These read this object.
  Options first();
  Options again();

 private:
  const Options& options_;
  bool any_ = false;
  double from_ = 0, last_ = 0;  ///< Of what the first run has given out.
};

}  // namespace daewave::ivp
