#pragma once
// What a run with checkpoints has given out, kept beside them, so that a run that goes on gives all
// of it out.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/options/command_line.hpp"
#include "io/checkpoint_rows.hpp"
#include "ivp/options/options.hpp"

namespace daewave::cli {

class KeptRows {
 public:
  /// Has the checkpoints of `options` written, with the rows until then. Must live as long as they.
  /// @throws InvalidOption where rows before the one to go on from are gone.
  KeptRows(const SolveCommand& command, ivp::Options& options);
  KeptRows(const KeptRows&) = delete;
  KeptRows& operator=(const KeptRows&) = delete;

  /// Where there are checkpoints. @throws FileError
  void add(std::span<const double> row) {
    if (rows_) rows_->add(row);
  }
  /// Rows of the run before; false where there are no more. @throws FileError
  bool next_before(std::vector<double>& row) { return before_ && before_->next(row); }

  /// That the run before gave out at other times than this one does; empty: it did not.
  const std::string& mixed() const { return mixed_; }

 private:
  std::unique_ptr<io::CheckpointRows> rows_;
  std::unique_ptr<io::RowsOfCheckpoint> before_;
  std::string mixed_;
};

}  // namespace daewave::cli
