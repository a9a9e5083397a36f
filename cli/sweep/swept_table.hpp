#pragma once
// What the table of a sweep is made of, beside its rows.

#include <optional>
#include <string>
#include <vector>

namespace daewave::cli {

struct SweptTable {
  std::string problem;               ///< As it was given.
  std::vector<std::string> vary;     ///< As --vary has them.
  std::vector<std::string> columns;  ///< Beside the parameters that vary.

  bool operator==(const SweptTable&) const = default;
};

/// A line, with a checksum.
std::string text_of(const SweptTable& table);

/// Nothing where the text is none, or only a part of one.
std::optional<SweptTable> table_from(const std::string& text);

}  // namespace daewave::cli
