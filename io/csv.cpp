#include "io/csv.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/check_table.hpp"

namespace daewave::io {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;  // bytes gathered between two writes

void append_text(fmt::memory_buffer& buffer, const std::string& text) {
  // An empty name is quoted too: a header that is an empty line would be skipped by readers.
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string::npos) {
    buffer.append(text);
    return;
  }
  buffer.push_back('"');
  for (const char c : text) {
    if (c == '"') buffer.push_back('"');
    buffer.push_back(c);
  }
  buffer.push_back('"');
}

void append_number(fmt::memory_buffer& buffer, double value, int digits) {
  if (std::isnan(value)) return;
  if (digits == 17) {
    fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{}"), value);
  } else {
    fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{:.{}g}"), value, digits);
  }
}

void append_row(fmt::memory_buffer& buffer, const Table& table, std::size_t row, int digits) {
  const std::size_t start = buffer.size();
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (j > 0) buffer.push_back(',');
    append_number(buffer, table.columns[j][row], digits);
  }
  // A lone NaN would be an empty line, which readers skip: the row would be lost.
  if (buffer.size() == start) buffer.append(std::string_view("\"\""));
  buffer.push_back('\n');
}

void check(const CsvOptions& options) {
  if (options.digits < 1 || options.digits > 17) {
    throw InvalidOption(fmt::format("digits = {}: must be 1..17", options.digits));
  }
  if (options.every < 1) {
    throw InvalidOption(fmt::format("every = {}: must be at least 1", options.every));
  }
}

}  // namespace

void write_csv(const std::string& path, const Table& table, const CsvOptions& options) {
  check(options);
  check_table(table);
  AtomicFile file(path);
  fmt::memory_buffer buffer;
  for (std::size_t j = 0; j < table.names.size(); ++j) {
    if (j > 0) buffer.push_back(',');
    append_text(buffer, table.names[j]);
  }
  buffer.push_back('\n');

  const std::size_t rows = table.columns.front().size();
  for (std::size_t i = 0; i < rows; ++i) {
    if (i % options.every != 0 && i + 1 != rows) continue;
    append_row(buffer, table, i, options.digits);
    if (buffer.size() >= kChunk) {
      file.write({buffer.data(), buffer.size()});
      buffer.clear();
    }
  }
  file.write({buffer.data(), buffer.size()});
  file.commit();
}

}  // namespace daewave::io
