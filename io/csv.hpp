#pragma once
// Comma-separated values, RFC 4180, with "\n" at the end of each line.

#include <string>

#include "core/table.hpp"

namespace daewave::io {

struct CsvOptions {
  int digits = 17;  ///< Significant digits, 1..17; 17: the shortest text that reads back the same.
  int every = 1;    ///< Writes rows 0, every, 2 every, ..., and the last one.
};

/// Writes a header and one line per row; NaN is an empty field, infinities are inf and -inf.
///
/// @throws InvalidOption; Error when the table has no columns or they differ in length; FileError,
/// and then `path` is as it was. Memory is constant: about 1 MB whatever the number of rows.
void write_csv(const std::string& path, const Table& table, const CsvOptions& options = {});

}  // namespace daewave::io
