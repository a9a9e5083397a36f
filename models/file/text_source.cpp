#include "models/file/text_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace daewave::models {
namespace {

/// Columns are of characters, bytes of UTF-8 beyond the first of each do not count.
bool begins_character(char c) { return (c & 0xc0) != 0x80; }

/// The line with a mark below a byte of it; of long lines what is near the mark.
std::string marked(const std::string& line, std::size_t byte) {
  constexpr std::size_t most = 90, before = 50;
  std::size_t begin = byte > most - 10 ? byte - before : 0;
  while (begin > 0 && !begins_character(line[begin])) --begin;
  std::string shown = line.substr(begin, most);
  std::string mark;
  for (std::size_t i = begin; i < std::min(byte, line.size()); ++i) {
    if (begins_character(line[i])) mark += line[i] == '\t' ? '\t' : ' ';
  }
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t') c = '?';
  }
  return fmt::format("\n  {}\n  {}^", shown, mark);
}

}  // namespace

std::string read_model_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(fmt::format("{}: cannot be read: is it there?", path));
  std::string text(largest_file + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw FileError(fmt::format("{}: cannot be read", path));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > largest_file) {
    throw ModelError(
        fmt::format("{}: larger than {} bytes; write equal parts with repeat", path, largest_file));
  }
  return text;
}

TextSource::TextSource(std::string name, const std::string& text) : name_(std::move(name)) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines_.push_back(std::move(line));
    begin = end + 1;
  }
}

const std::string& TextSource::line(int number) const {
  static const std::string none;
  const bool there = number >= 1 && number <= static_cast<int>(lines_.size());
  return there ? lines_[static_cast<std::size_t>(number) - 1] : none;
}

void TextSource::fail(const Place& at, const std::string& what) const {
  if (at.line == 0) throw ModelError(fmt::format("{}: {}", name_, what));
  const std::string& text = line(at.line);
  std::size_t byte = 0;
  for (int column = 1; byte < text.size(); ++byte) {
    if (begins_character(text[byte]) && column++ == at.column) break;
  }
  throw ModelError(
      fmt::format("{}:{}:{}: {}{}", name_, at.line, at.column, what, marked(text, byte)));
}

void TextSource::fail(const Place& at, const std::string& expression, std::size_t offset,
                      const std::string& what) const {
  const std::string& text = line(at.line);
  const std::size_t begin = static_cast<std::size_t>(std::max(0, at.column));
  const bool as_it_is = at.line > 0 && begin <= text.size() &&
                        text.compare(begin, expression.size(), expression) == 0;
  if (as_it_is) {
    const auto characters =
        std::count_if(expression.begin(), expression.begin() + static_cast<std::ptrdiff_t>(offset),
                      begins_character);
    fail({at.line, at.column + 1 + static_cast<int>(characters)}, what);
  }
  throw ModelError(
      fmt::format("{}:{}:{}: {}{}", name_, at.line, at.column, what, marked(expression, offset)));
}

}  // namespace daewave::models
