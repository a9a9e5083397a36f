#pragma once
// A file of the members of a sweep that have ended, each written when it has: a sweep that was cut,
// however, goes on from there and ends with the same table.
//
// The file is only appended to; what a kill left of a last line is cut off.

#include <mutex>
#include <string>

#include "cli/sweep/sweep_file.hpp"

namespace daewave::cli {

class SweepJournal {
 public:
  /// @param path  empty: nothing is kept. @param must_exist  for a sweep that goes on.
  /// @param what  is swept, see SweepFile.
  /// @throws InvalidOption where the file is of another sweep, is none, or is not there and has to;
  ///         FileError where it cannot be written, or another sweep writes it.
  SweepJournal(std::string path, bool must_exist, const std::string& what, const SweptTable& table);
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;
  ~SweepJournal();

  /// That of an earlier run, or of this one; null where there is none. One that threw, for lack of
  /// memory perhaps, does not count: it is run again.
  const SweepRecord* find(int number) const;

  /// Keeps it, in the file when this returns. Threads may call it at the same time.
  /// @throws FileError
  void add(const SweepRecord& record);

 private:
  void read(const std::string& what, const SweptTable& table);
  void write(const std::string& line);
  [[noreturn]] void fail(const char* doing) const;

  std::string path_;
  int file_ = -1;
  mutable std::mutex mutex_;
  std::map<int, SweepRecord> records_;
};

}  // namespace daewave::cli
