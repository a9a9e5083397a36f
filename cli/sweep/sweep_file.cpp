#include "cli/sweep/sweep_file.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "core/error.hpp"

namespace daewave::cli {
namespace {

constexpr std::string_view any_version = "daewave sweep ", kind = "daewave sweep 3: ";

[[noreturn]] void refuse(const std::string& path, const std::string& line) {
  if (line.rfind(any_version, 0) == 0) {
    throw InvalidOption(fmt::format(
        "{}: is of another version of files of sweeps; remove it, or take another name", path));
  }
  throw InvalidOption(
      fmt::format("{}: is no file of a sweep, and is left as it is; take another name", path));
}

/// A line that has its end.
bool next(std::istream& in, std::string& line) { return std::getline(in, line) && !in.eof(); }

}  // namespace

std::string head_of(const std::string& what, const SweptTable& table) {
  return fmt::format("{}{}\n{}", kind, what, text_of(table));
}

SweepFile read_sweep(std::istream& in, const std::string& path) {
  SweepFile file;
  std::string line;
  if (!next(in, line)) {
    const std::size_t common = std::min(line.size(), kind.size());
    if (line.compare(0, common, kind, 0, common) != 0) refuse(path, line);
    return file;
  }
  if (line.rfind(kind, 0) != 0) refuse(path, line);
  long bytes = static_cast<long>(line.size()) + 1;
  std::string what = line.substr(kind.size());
  if (!next(in, line)) return file;
  std::optional<SweptTable> table = table_from(line);
  if (!table) refuse(path, "");
  bytes += static_cast<long>(line.size()) + 1;
  file.what = std::move(what);
  file.table = *std::move(table);
  while (next(in, line)) {
    std::optional<SweepRecord> record = record_from(line);
    if (!record) break;  // What is behind it may be of anything.
    const int number = record->number;
    file.records.insert_or_assign(number, *std::move(record));
    bytes += static_cast<long>(line.size()) + 1;
  }
  file.whole = bytes;
  return file;
}

}  // namespace daewave::cli
