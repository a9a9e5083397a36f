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

void append_header(fmt::memory_buffer& buffer, const std::vector<std::string>& names) {
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (j > 0) buffer.push_back(',');
    append_text(buffer, names[j]);
  }
  buffer.push_back('\n');
}

/// value(j) is the entry of column j.
template <class Value>
void append_row(fmt::memory_buffer& buffer, std::size_t columns, const Value& value, int digits) {
  const std::size_t start = buffer.size();
  for (std::size_t j = 0; j < columns; ++j) {
    if (j > 0) buffer.push_back(',');
    append_number(buffer, value(j), digits);
  }
  // A lone NaN would be an empty line, which readers skip: the row would be lost.
  if (buffer.size() == start) buffer.append(std::string_view("\"\""));
  buffer.push_back('\n');
}

/// Bytes that are gathered before they go to the file.
class Gathered {
 public:
  Gathered(const std::string& path, std::size_t chunk) : file_(path), chunk_(chunk) {
    buffer_.reserve(chunk);
  }

  fmt::memory_buffer& buffer() { return buffer_; }
  void write_where_full() {
    if (buffer_.size() >= chunk_ - chunk_ / 8) write();
  }
  void write() {
    file_.write({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }
  void commit() {
    write();
    file_.commit();
  }

 private:
  AtomicFile file_;
  std::size_t chunk_;
  fmt::memory_buffer buffer_;
};

void check(const CsvOptions& options) {
  if (options.digits < 1 || options.digits > 17) {
    throw InvalidOption(fmt::format("digits = {}: must be 1..17", options.digits));
  }
  if (options.every < 1) {
    throw InvalidOption(fmt::format("every = {}: must be at least 1", options.every));
  }
}

}  // namespace

class CsvStream::Rows {
 public:
  Rows(const std::string& path, const std::vector<std::string>& names)
      : columns_(names.size()), out_(path, std::size_t{1} << 16) {
    append_header(out_.buffer(), names);
  }

  void add(std::span<const double> row) {
    if (row.size() != columns_) {
      throw Error(fmt::format("a row of {} values: the file has {} columns", row.size(), columns_));
    }
    append_row(
        out_.buffer(), columns_, [&](std::size_t j) { return row[j]; }, 17);
    out_.write_where_full();
  }

  void flush() { out_.write(); }
  void commit() { out_.commit(); }

 private:
  std::size_t columns_;
  Gathered out_;
};

CsvStream::CsvStream(const std::string& path, const std::vector<std::string>& names) {
  Table header;
  for (const std::string& name : names) header.add(name, {});
  check_table(header);
  rows_ = std::make_unique<Rows>(path, names);
}
CsvStream::~CsvStream() = default;
void CsvStream::add(std::span<const double> row) { rows_->add(row); }
void CsvStream::flush() { rows_->flush(); }
void CsvStream::commit() { rows_->commit(); }

void write_csv(const std::string& path, const Table& table, const CsvOptions& options) {
  check(options);
  check_table(table);
  Gathered out(path, std::size_t{1} << 20);
  append_header(out.buffer(), table.names);
  const std::size_t rows = table.columns.front().size();
  for (std::size_t i = 0; i < rows; ++i) {
    if (i % options.every != 0 && i + 1 != rows) continue;
    append_row(
        out.buffer(), table.columns.size(), [&](std::size_t j) { return table.columns[j][i]; },
        options.digits);
    out.write_where_full();
  }
  out.commit();
}

}  // namespace daewave::io
