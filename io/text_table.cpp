#include "io/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "io/utf8.hpp"

namespace daewave::io {

namespace {

void check_row(const TextTable& table, const std::vector<std::string>& cells) {
  if (cells.size() == table.columns.size()) return;
  throw Error(fmt::format("text table row has {} cells: the table has {} columns", cells.size(),
                          table.columns.size()));
}

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

// Pads the parts before and after the slash so that all slashes of column j stand in one line.
void line_up_slashes(std::vector<std::vector<std::string>>& rows, std::size_t j) {
  int before = 0;
  int after = 0;
  for (const auto& row : rows) {
    if (row.empty()) continue;
    const std::size_t slash = row[j].find('/');
    if (slash == std::string::npos) continue;
    before = std::max(before, display_width(row[j].substr(0, slash)));
    after = std::max(after, display_width(row[j].substr(slash)));
  }
  for (auto& row : rows) {
    if (row.empty()) continue;
    const std::size_t slash = row[j].find('/');
    if (slash == std::string::npos) continue;
    const std::string left = row[j].substr(0, slash);
    const std::string right = row[j].substr(slash);
    row[j] =
        spaces(before - display_width(left)) + left + right + spaces(after - display_width(right));
  }
}

void append_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + '\n';
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  check_row(*this, cells);
  rows.push_back(std::move(cells));
}

std::string render_text(const TextTable& table) {
  auto rows = table.rows;
  std::vector<std::string> header;
  for (const TextColumn& column : table.columns) header.push_back(column.header);
  for (const auto& row : rows) {
    if (!row.empty()) check_row(table, row);
  }

  std::vector<int> widths;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (table.columns[j].align == Align::slash) line_up_slashes(rows, j);
    int width = display_width(header[j]);
    for (const auto& row : rows) {
      if (!row.empty()) width = std::max(width, display_width(row[j]));
    }
    widths.push_back(width);
  }

  const auto line_of = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t j = 0; j < cells.size(); ++j) {
      if (j > 0) line += "  ";
      const std::string padding = spaces(widths[j] - display_width(cells[j]));
      line += table.columns[j].align == Align::left ? cells[j] + padding : padding + cells[j];
    }
    return line;
  };
  std::string rule;
  for (std::size_t j = 0; j < widths.size(); ++j) {
    if (j > 0) rule += "  ";
    rule += std::string(static_cast<std::size_t>(widths[j]), '-');
  }

  std::string text;
  append_line(text, line_of(header));
  append_line(text, rule);
  for (const auto& row : rows) append_line(text, row.empty() ? rule : line_of(row));
  return text;
}

}  // namespace daewave::io
