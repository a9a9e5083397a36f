#pragma once
// What the caller's sink sees of a run in pieces: one run.

#include <optional>

#include "ivp/options/options.hpp"
#include "ivp/run/left_out_times.hpp"

namespace daewave::ivp {

class JoinedSink {
 public:
  /// @param options  with a sink or none, kept by reference. @param nz  entries of the state.
  /// @param sign  -1 where the run goes backward.
  JoinedSink(const Options& options, int nz, double sign)
      : options_(options), nz_(nz), left_out_(options.times, sign) {}

  /// Times up to t were given out by the run that this one goes on from.
  void resume(double t) { left_out_.skip(t); }

  bool has_stopped() const { return stopped_at_.has_value(); }
  double stopped_at() const { return *stopped_at_; }

  /// A row, with step and t of the whole run; before it the times that pieces have left out, with
  /// the nearest state that is given out. False stops the run.
  bool give(const Output& row);

 private:
  bool sink(const Output& row);
  bool give_left_out(double t, const Output& row);
  void remember(const Output& row);

  const Options& options_;
  int nz_;
  LeftOutTimes left_out_;
  std::optional<double> stopped_at_;
  bool has_last_ = false;
  Output last_{};
  VecX state_, multiplier_;  ///< Of the last one.
};

}  // namespace daewave::ivp
