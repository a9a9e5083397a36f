#pragma once
// Comma-separated values, RFC 4180, with "\n" at the end of each line.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/report/table.hpp"

namespace daewave::io {

struct CsvOptions {
  int digits = 17;  ///< Significant digits, 1..17; 17: the shortest text that reads back the same.
  int every = 1;    ///< Writes rows 0, every, 2 every, ..., and the last one.
};

/// A file of rows that come one by one, as in a run of any length: memory is constant, 64 kB.
class CsvStream {
 public:
  /// @throws FileError when the file could not be created; Error without names, or with one twice.
  CsvStream(const std::string& path, const std::vector<std::string>& names);
  ~CsvStream();

  /// One value per name; NaN is an empty field. @throws Error when there are more or fewer of
  /// them; FileError when the system refuses, and then `path` is as it was.
  void add(std::span<const double> row);

  /// Hands what was gathered on, for readers of a pipe. @throws FileError
  void flush();

  /// Makes what was added the file, which nothing but this does. @throws FileError
  void commit();

 private:
  class Rows;
  std::unique_ptr<Rows> rows_;
};

/// Writes a header and one line per row; NaN is an empty field, infinities are inf and -inf.
///
/// @throws InvalidOption; Error when the table has no columns or they differ in length; FileError,
/// and then `path` is as it was. Memory is constant: about 1 MB whatever the number of rows.
void write_csv(const std::string& path, const Table& table, const CsvOptions& options = {});

}  // namespace daewave::io
