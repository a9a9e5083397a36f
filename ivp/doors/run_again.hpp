#pragma once
// Whoever makes a run a second time, from its start: whether that is possible, and what the caller
// sees of it.

#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// Changes of events may have set more than the state, which another run would find set.
bool may_run_again(const Options& options);

/// Options of two runs, of which the second goes on giving out where the first one has ended: times
/// that the caller's sink has seen are not given out again. Both go on from the checkpoint that was
/// asked for, if any.
class RowsOnce {
 public:
  explicit RowsOnce(const Options& options) : options_(options) {}
  RowsOnce(const RowsOnce&) = delete;
  RowsOnce& operator=(const RowsOnce&) = delete;

  // These read and write this object.

  Options first();
  /// After one that has failed; it saves no checkpoints, which are of the first.
  Options again();
  /// After one that was refused: all is asked for anew.
  Options anew();

  /// What was thrown last was thrown by a function of the caller's: no refusal.
  bool caller_threw() const { return caller_threw_; }

 private:
  void watch(Options& options);
  void watch(Checkpoints& checkpoints);
  /// Of again() and anew().
  void pass_over_rows(Options& options);

  const Options& options_;
  bool caller_threw_ = false;
  bool any_ = false;
  double from_ = 0, last_ = 0;  ///< Of what the first run has given out.
};

}  // namespace daewave::ivp
