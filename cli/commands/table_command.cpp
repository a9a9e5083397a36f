#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/commands/effort_figure.hpp"
#include "cli/options/command_line.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/output_path.hpp"
#include "cli/output/standard_output.hpp"
#include "core/blocks/linear_solver.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/svg_plot.hpp"
#include "io/text_table.hpp"
#include "reproduce/printed_table.hpp"

namespace daewave::cli {
namespace {

nlohmann::ordered_json as_json(const reproduce::PrintedTable& table) {
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json json{
      {"version", DAEWAVE_VERSION}, {"id", table.id}, {"title", table.title}};
  json["entries"] = nlohmann::ordered_json::array();
  for (const reproduce::PrintedEntry& entry : table.entries) {
    json["entries"].push_back({{"row", entry.row},
                               {"column", entry.column},
                               {"computed", number(entry.computed)},
                               {"printed", number(entry.printed)},
                               {"ratio", number(entry.ratio())},
                               {"agrees", entry.agrees()},
                               {"misprint", entry.misprint},
                               {"chance", entry.chance}});
  }
  return json;
}

std::string two_digits(double value) {
  if (std::isinf(value)) return "blow-up";
  if (std::isnan(value)) return "-";
  return value == 0 ? "0" : fmt::format("{:.1e}", value);
}

/// One line per row of the paper: ours / printed, with * where the printed value is wrong.
std::string as_text(const reproduce::PrintedTable& table) {
  io::TextTable text;
  text.columns.push_back({"", io::Align::left});
  for (const reproduce::PrintedEntry& entry : table.entries) {
    if (entry.row != table.entries.front().row) break;
    text.columns.push_back({entry.column, io::Align::slash});
  }
  std::vector<std::string> cells;
  std::string group;
  for (const reproduce::PrintedEntry& entry : table.entries) {
    if (cells.empty()) {
      const std::string this_group = entry.row.substr(0, entry.row.rfind(' '));
      if (!group.empty() && this_group != group) text.add_rule();
      group = this_group;
      cells.push_back(entry.row);
    }
    cells.push_back(fmt::format("{}/{}{}", two_digits(entry.computed), two_digits(entry.printed),
                                entry.misprint ? "*"
                                : entry.chance ? "~"
                                               : " "));
    if (cells.size() == text.columns.size()) {
      text.add(std::move(cells));
      cells.clear();
    }
  }
  return io::render_text(text);
}

/// "6 %", or "allowed" where that is not the same for all entries.
std::string margin_of(const reproduce::PrintedTable& table) {
  const bool same = std::all_of(
      table.entries.begin(), table.entries.end(), [](const reproduce::PrintedEntry& entry) {
        return !entry.roundoff && !entry.bound && !entry.chance && entry.factor == 0 &&
               entry.margin == reproduce::printed_margin;
      });
  return same ? fmt::format("{:.0f} %", 100 * reproduce::printed_margin) : "allowed";
}

}  // namespace

int run(const TableCommand& command) {
  const reproduce::TableEntry& entry = reproduce::table_named(command.id);
  check_linear_solver_name(command.linear_solver);
  check_output_paths({{"--json", command.json}, {"--svg", command.svg}});
  if (!command.svg.empty() && !entry.panels) {
    throw InvalidOption(fmt::format("--svg: {} has no picture; leave it out", command.id));
  }
  const reproduce::PrintedTable table = entry.compute(command.linear_solver);
  const int outside = table.outside();
  if (command.json != "-" && command.svg != "-") {
    say("{}\n\n{}\n", table.title, as_text(table));
    const auto misprints =
        std::count_if(table.entries.begin(), table.entries.end(),
                      [](const reproduce::PrintedEntry& e) { return e.misprint; });
    say("computed/printed; {} entries, {} differ by more than {}, {} marked * are "
        "misprints (docs/errata.md)\n",
        table.entries.size(), outside, margin_of(table), misprints);
    if (std::any_of(table.entries.begin(), table.entries.end(),
                    [](const reproduce::PrintedEntry& e) { return std::isnan(e.printed); })) {
      say("-: not printed, shown only\n");
    }
    if (std::any_of(table.entries.begin(), table.entries.end(),
                    [](const reproduce::PrintedEntry& e) { return e.chance; })) {
      say("~: by chance, no run repeats them; not compared\n");
    }
  }
  OutputFiles files;
  files.write(command.json, [&](const std::string& path) {
    io::write_file(path, as_json(table).dump(2) + "\n");
  });
  files.write(command.svg, [&](const std::string& path) {
    io::write_svg(path, effort_figure(entry.title, entry.panels()));
  });
  files.end();
  return outside == 0 ? solved : not_solved;
}

}  // namespace daewave::cli
