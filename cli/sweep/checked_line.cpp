#include "cli/sweep/checked_line.hpp"

#include "io/checksum.hpp"

namespace daewave::cli {
namespace {

std::string checksum_of(const std::string& text) {
  io::Checksum sum;
  sum.add(text);
  return sum.text();
}

}  // namespace

std::string with_checksum(const std::string& text) { return text + " " + checksum_of(text); }

std::optional<std::string> without_checksum(const std::string& line) {
  const std::size_t space = line.rfind(' ');
  if (space == std::string::npos) return {};
  std::string text = line.substr(0, space);
  if (checksum_of(text) != line.substr(space + 1)) return {};
  return text;
}

}  // namespace daewave::cli
