#pragma once
// Rows that a run has given out, in a file beside its checkpoint: a run that goes on from there
// gives them out again, as if it had not been stopped.
//
// Rows are numbers of 8 bytes, little endian. The file is only appended to, and a checkpoint says
// how many rows of it belong to it: whenever the run is killed, both fit. A run begins a file of
// its own, so that the checkpoint before keeps what it needs until there is a new one.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/report/checkpoint.hpp"

namespace daewave::io {

class CheckpointRows {
 public:
  /// @param checkpoint  path of the checkpoint; the file is made with the first row.
  explicit CheckpointRows(std::string checkpoint);
  CheckpointRows(const CheckpointRows&) = delete;
  CheckpointRows& operator=(const CheckpointRows&) = delete;
  /// Removes the file where no checkpoint was told of it.
  ~CheckpointRows();

  /// @throws FileError when the system refuses; Error for a row of another length than the first.
  void add(std::span<const double> row);

  /// Sends to the disk what was added. @return what a checkpoint has to say of it.
  /// @throws FileError
  RowsBefore mark();

  /// A checkpoint with that mark has been written: removes the files of the ones before.
  void clear_others() noexcept;

 private:
  class File;

  std::string checkpoint_;
  std::unique_ptr<File> file_;
  bool marked_ = false;
};

/// Reads rows back, one after the other.
class RowsOfCheckpoint {
 public:
  /// @param checkpoint  path of it.
  /// @throws FileError where the file is gone, or rows of it were changed.
  RowsOfCheckpoint(const std::string& checkpoint, const RowsBefore& rows);
  ~RowsOfCheckpoint();

  /// False where there are no more. @throws FileError
  bool next(std::vector<double>& row);

 private:
  class File;

  std::unique_ptr<File> file_;
};

}  // namespace daewave::io
