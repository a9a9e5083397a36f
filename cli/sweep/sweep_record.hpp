#pragma once
// What came of a member of a sweep, as a line of text that crosses to other ranks and to files.

#include <optional>
#include <string>

#include "cli/sweep/sweep_output.hpp"

namespace daewave::cli {

struct SweepRecord {
  int number = 0;
  std::optional<SweptRun> run{};  ///< None where it threw.
  std::string error{};            ///< What.
  double seconds = 0;
};

/// Without a line feed; numbers with all their bits, a page left out.
std::string text_of(const SweepRecord& record);

/// Nothing where the text is no record, or only a part of one.
std::optional<SweepRecord> record_from(const std::string& text);

}  // namespace daewave::cli
