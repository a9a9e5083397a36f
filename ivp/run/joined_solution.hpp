#pragma once
// The solutions between restarts as one.

#include <vector>

#include "core/report/checkpoint.hpp"
#include "ivp/run/left_out_times.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

class JoinedSolution {
 public:
  /// @param keep   as Options::keep: else only the last state given out is stored.
  /// @param times  as Options::times, kept by reference.
  JoinedSolution(const Interval& span, bool keep, const std::vector<double>& times)
      : span_(span), keep_(keep), left_out_(times, span.end < span.begin ? -1 : 1) {}

  /// Goes on from where a run before was stopped, whose counts are in those of this one.
  void resume(const Checkpoint& from);

  /// @param begin  where the piece begins, and the time that is written for where it ends.
  void add(Solution piece, double begin, double end);
  /// One state more, after the last piece.
  void add_row(double t, const VecX& state, const VecX& multiplier);
  /// Counts a restart.
  void restarted() { ++restarts_; }

  long steps() const { return before_.steps + all_.report.integration.steps; }
  long attempts() const { return steps() + before_.rejected + all_.report.integration.rejected; }
  /// With that of the run before.
  IntegrationReport integration() const;
  double seconds() const { return all_.report.seconds.total; }
  Solution& so_far() { return all_; }
  /// Why the run ends where it is, before its end.
  void fails(Termination termination, std::string message, std::string advice);
  Solution end();

 private:
  Solution take_rows();
  void append_rows(const Solution& piece);
  void before_row(double at, const VecX& state, const VecX& multiplier);
  void append_row(double t, const VecX& state, const VecX& multiplier);
  void see(const Motion& motion);
  void join(const Report& piece);

  Interval span_;
  bool keep_;
  LeftOutTimes left_out_;
  IntegrationReport before_;  ///< Of the run that was stopped.
  Solution all_;
  bool first_ = true;
  long restarts_ = 0;
  std::vector<double> begins_;
  std::vector<std::shared_ptr<const DenseOutput>> dense_;
};

}  // namespace daewave::ivp
