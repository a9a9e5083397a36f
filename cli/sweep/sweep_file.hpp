#pragma once
// The file of a sweep, as it is read: a line for what is swept, one for its table, then one for
// each member that has ended, in the order in which they did.

#include <istream>
#include <map>
#include <string>

#include "cli/sweep/sweep_record.hpp"
#include "cli/sweep/swept_table.hpp"

namespace daewave::cli {

struct SweepFile {
  std::string what;  ///< Words that are the same for the same rows alone.
  SweptTable table;
  std::map<int, SweepRecord> records;  ///< By member; of one that was run again, the last.
  long whole = 0;                      ///< Bytes; what is behind them a kill may have left.
};

/// The lines before the members.
std::string head_of(const std::string& what, const SweptTable& table);

/// @param path  for messages. @return whole = 0 for an empty file, and for one whose head was cut.
/// @throws InvalidOption where it is of no sweep, or of another version of such files.
SweepFile read_sweep(std::istream& in, const std::string& path);

}  // namespace daewave::cli
