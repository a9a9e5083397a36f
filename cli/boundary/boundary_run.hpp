#pragma once
// What boundary value solves of the program have in common, linear, nonlinear and followed over a
// parameter: options, what a solve runs with, what is said of it, and its files.

#include <functional>
#include <memory>
#include <string>

#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"
#include "cli/options/command_line.hpp"
#include "cli/output/interrupt.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/progress_line.hpp"
#include "core/report/report.hpp"
#include "core/threads/executor.hpp"
#include "io/figure.hpp"

namespace daewave::cli {

/// Threads, a line that tells how far the solve is, and reasons to end early; what is said of it.
class BoundaryRun {
 public:
  /// @throws InvalidOption for threads that cannot be had, or no time at all.
  explicit BoundaryRun(const SolveCommand& command);
  BoundaryRun(const BoundaryRun&) = delete;
  BoundaryRun& operator=(const BoundaryRun&) = delete;

  /// Options that all boundary value problems have, with threads and progress: for solves while
  /// this lives.
  bvp::Options options();

  /// Whether standard output is for words, and they are wanted.
  bool talks() const;
  /// The solve has returned. Call before what was found is told and written.
  void work_has_ended() {
    interrupt_.work_has_ended();
    line_.erase();
  }
  /// Says the report, as much of it as was asked for, where it talks.
  void tell(const Report& report) const;
  /// Says what remains where the result is not usable. @param why  said where it does not talk.
  /// @return the exit code.
  ExitCode end(bool usable, const std::string& why) const;

 private:
  const SolveCommand& command_;
  std::shared_ptr<const Executor> executor_;
  Interrupt interrupt_;
  ProgressLine line_;
};

/// Of the rows that --points asks for. @param entries  of x. @throws InvalidOption where they would
/// not fit into memory.
void check_rows(const SolveCommand& command, int entries);

/// Writes the solution as CSV, NPY, picture and page, where it has values, and the report as JSON.
/// @param figure  made where a picture was asked for. @param exact  x at t; may be empty.
/// @param json  of the report.
void write_results(const SolveCommand& command, const bvp::Solution& solution,
                   const std::function<io::Figure()>& figure,
                   const std::function<VecX(double t)>& exact, const std::string& json,
                   OutputFiles& files);

}  // namespace daewave::cli
