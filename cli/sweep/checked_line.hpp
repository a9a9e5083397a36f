#pragma once
// A line of text with a checksum behind it.

#include <optional>
#include <string>

namespace daewave::cli {

std::string with_checksum(const std::string& text);

/// What is before the checksum; nothing where that is of another text, or not there.
std::optional<std::string> without_checksum(const std::string& line);

}  // namespace daewave::cli
