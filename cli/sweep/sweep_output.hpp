#pragma once
// What comes of the runs of a sweep, in the order of its grid: rows, complaints, a page.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command_line.hpp"
#include "cli/output/csv_rows.hpp"
#include "cli/output/interrupt.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/sweep/grid.hpp"
#include "cli/sweep/swept_table.hpp"
#include "core/report/table.hpp"
#include "page/page.hpp"

namespace daewave::cli {

/// What is kept of a run.
struct SweptRun {
  bool solved = false;
  std::string brief;           ///< How it went, where it is not solved.
  std::vector<double> values;  ///< In the order of the columns; those that are missing are NaN.
  std::optional<page::Run> page;
};

/// "a = 1, b = 2".
std::string text_of(const std::vector<problems::Parameter>& parameters);

class SweepOutput {
 public:
  /// @param columns  beside the parameters; "seconds" among them is filled here.
  /// @throws InvalidOption for a page of more runs than it can compare.
  SweepOutput(const SweepCommand& command, const Grid& grid,
              const std::vector<std::string>& columns);

  /// What is swept.
  const SweptTable& swept() const { return swept_; }
  /// How many runs are to come, where it is not the whole grid.
  void expect(int runs) { expected_ = runs; }

  bool requested_to_stop() const { return interrupt_.requested(); }
  const Interrupt& interrupt() const { return interrupt_; }
  /// @param run  null: it threw. @param error  what. @return false where it is to stop.
  bool take(int number, const SweptRun* run, const std::string& error, double seconds);
  /// Writes files, says how many runs were solved. @return the exit code.
  int end();

 private:
  void add_row(const std::vector<problems::Parameter>& varied, const SweptRun* run, double seconds);
  void add_page(const page::Run& run);

  const SweepCommand& command_;
  const Grid& grid_;
  SweptTable swept_;
  int expected_;
  ProgressLine line_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Table table_;
  std::size_t seconds_at_ = 0;
  CsvRows file_;
  std::vector<page::Run> pages_;
  std::vector<std::string> labels_;
  int failed_ = 0, done_ = 0;
  Interrupt interrupt_;  ///< Behind what it saves.
};

}  // namespace daewave::cli
