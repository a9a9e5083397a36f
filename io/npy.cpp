#include "io/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/check_table.hpp"
#include "io/utf8.hpp"

namespace daewave::io {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kAlignment = 64;  // of the first number in the file

void append_little_endian(std::string& bytes, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<char>(value >> (8 * i) & 0xFFu));
}

// A Python literal in ASCII, which is what version 1.0 can hold.
std::string python_literal(const std::string& text) {
  std::string literal = "'";
  for (const char32_t c : decode_utf8(text)) {
    if (c == '\'' || c == '\\') {
      literal += '\\';
      literal += static_cast<char>(c);
    } else if (c >= 0x20 && c < 0x7F) {
      literal += static_cast<char>(c);
    } else {
      literal += fmt::format("\\U{:08x}", static_cast<std::uint32_t>(c));
    }
  }
  return literal + "'";
}

std::string header(const Table& table) {
  std::string text = "{'descr': [";
  for (const std::string& name : table.names) {
    fmt::format_to(std::back_inserter(text), "({}, '<f8'), ", python_literal(name));
  }
  fmt::format_to(std::back_inserter(text), "], 'fortran_order': False, 'shape': ({},), }}",
                 table.rows());

  // Version 1.0 counts the header in 2 bytes; some thousand columns need the 4 of version 2.0.
  const auto padded = [&](std::size_t prefix) {
    const std::size_t length = prefix + text.size() + 1;
    return (length + kAlignment - 1) / kAlignment * kAlignment - prefix;
  };
  const bool small = padded(10) <= 0xFFFF;
  const std::size_t length = padded(small ? 10 : 12);
  std::string bytes = "\x93NUMPY";
  bytes.push_back(small ? 1 : 2);
  bytes.push_back(0);
  append_little_endian(bytes, length, small ? 2 : 4);
  text.resize(length - 1, ' ');
  return bytes + text + '\n';
}

}  // namespace

void write_npy(const std::string& path, const Table& table) {
  check_table(table);
  AtomicFile file(path);
  file.write(header(table));
  std::string chunk;
  for (std::size_t i = 0; i < table.columns.front().size(); ++i) {
    for (const std::vector<double>& column : table.columns) {
      append_little_endian(chunk, std::bit_cast<std::uint64_t>(column[i]), 8);
    }
    if (chunk.size() >= kChunk) {
      file.write(chunk);
      chunk.clear();
    }
  }
  file.write(chunk);
  file.commit();
}

}  // namespace daewave::io
