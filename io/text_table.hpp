#pragma once
// Aligned columns of text for the terminal.

#include <string>
#include <vector>

namespace daewave::io {

/// Where the cells of a column line up.
enum class Align {
  left,
  right,
  slash  ///< At the first "/" of each cell, as in "6.6e-04 / 6.5e-04"; right where there is none.
};

struct TextColumn {
  std::string header;
  Align align = Align::right;
};

/// Cells are UTF-8 text of one line each.
struct TextTable {
  std::vector<TextColumn> columns;
  std::vector<std::vector<std::string>> rows;  ///< An empty row is drawn as a rule.

  /// Appends a row. @throws Error when it has another number of cells than there are columns.
  void add(std::vector<std::string> cells);

  /// Appends a horizontal rule.
  void add_rule() { rows.emplace_back(); }
};

/// Header, rule and rows, each line ended by a newline and without spaces before it.
///
/// @throws Error when a row has another number of cells than there are columns.
std::string render_text(const TextTable& table);

}  // namespace daewave::io
