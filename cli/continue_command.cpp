#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cli/boundary_output.hpp"
#include "cli/figures.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress_line.hpp"
#include "cli/standard_output.hpp"
#include "cli/threads.hpp"
#include "core/error.hpp"
#include "io/csv.hpp"

namespace daewave::cli {
namespace {

struct Way {
  std::string name;
  double from = 0, to = 0;
};

/// "NAME=FROM:TO".
Way way_of(const std::string& text) {
  const auto refuse = [&]() -> Way {
    throw InvalidOption(
        fmt::format("--continue {}: must be NAME=FROM:TO, such as e=1e-1:1e-4", text));
  };
  const std::size_t equals = text.find('='), colon = text.find(':');
  if (equals == std::string::npos || colon == std::string::npos || equals == 0 || colon < equals) {
    return refuse();
  }
  Way way{text.substr(0, equals)};
  const auto number = [&](const std::string& part, double& value) {
    char* end = nullptr;
    value = std::strtod(part.c_str(), &end);
    return !part.empty() && *end == '\0' && std::isfinite(value);
  };
  if (!number(text.substr(equals + 1, colon - equals - 1), way.from) ||
      !number(text.substr(colon + 1), way.to)) {
    return refuse();
  }
  return way;
}

bvp::ProblemFamily family_of(const SolveCommand& command, const catalogue::BoundaryEntry& entry,
                             const Way& way) {
  if (entry.parameters.empty()) {
    throw InvalidOption(
        fmt::format("--continue {}: {} has no parameters", command.continue_in, entry.name));
  }
  std::vector<problems::Parameter> changed = command.parameters;
  const bool is_set = std::any_of(changed.begin(), changed.end(),
                                  [&](const auto& one) { return one.name == way.name; });
  if (is_set) {
    throw InvalidOption(
        fmt::format("--set {0} and --continue {0} are both given: leave out the "
                    "first, --continue says where it begins",
                    way.name));
  }
  changed.push_back({way.name, way.from, ""});
  return catalogue::family_of(entry, changed);
}

/// Some of the rows, the first, the last and folds among them.
void print_branch(const bvp::Branch& branch) {
  constexpr int most_rows = 40;
  const Table table = branch.table();
  for (const std::string& name : table.names) say("{:>14}", name);
  say("\n");
  const int stride = std::max(1, (table.rows() + most_rows - 1) / most_rows);
  for (int i = 0; i < table.rows(); ++i) {
    const bool is_fold = branch.steps[static_cast<std::size_t>(i)].is_fold;
    if (i % stride != 0 && i + 1 != table.rows() && !is_fold) continue;
    for (std::size_t j = 0; j + 1 < table.columns.size(); ++j) {
      say("{:>14.{}g}", table.columns[j][i], j == 0 ? 8 : 6);
    }
    say("{:>14}\n", is_fold ? "yes" : "");
  }
}

io::Panel branch_panel(const bvp::Branch& branch, bool log_x) {
  const Table table = branch.table();
  io::Panel panel;
  panel.title = "Branch: the largest values of its solutions";
  panel.x_label = branch.parameter;
  panel.log_x = log_x;
  const auto nx = branch.steps.empty() ? 0 : branch.steps.front().largest.size();
  for (int j = 0; j < std::min<Eigen::Index>(nx, most_components); ++j) {
    panel.series.push_back({.label = fmt::format("max|x_{{{}}}|", j + 1),
                            .x = table.columns[0],
                            .y = table.columns[static_cast<std::size_t>(j) + 1],
                            .style = io::Style::line_and_points});
  }
  for (const double fold : branch.folds()) {
    panel.markers.push_back({fold, fmt::format("fold, {:.8g}", fold)});
  }
  double least = INFINITY, most = 0;
  for (const io::Series& series : panel.series) {
    for (const double value : series.y) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  panel.log_y = least > 0 && most > 100 * least;
  return panel;
}

}  // namespace

int continue_boundary(const SolveCommand& command, const catalogue::BoundaryEntry& entry) {
  const Way way = way_of(command.continue_in);
  const bvp::ProblemFamily family = family_of(command, entry, way);
  bvp::Options options = boundary_options(command);
  const auto executor = executor_of(command.threads.value_or(1));
  if (command.threads) options.executor = executor.get();
  const Interrupt interrupt(command.time_limit);
  ProgressLine line(!command.quiet);
  options.progress = [&](const bvp::Progress& progress) {
    line.show(progress);
    return !interrupt.requested();
  };
  const bvp::Branch branch = bvp::follow(
      family, {.parameter = way.name, .to = way.to, .arclength = command.arclength}, options);
  const bool usable = branch.report.usable();
  if (!is_silent(command)) print_branch(branch);
  if (!command.branch.empty()) io::write_csv(command.branch, branch.table());
  bvp::Solution last = branch.last;
  last.report = branch.report;
  VecX p = family.p;
  p[bvp::parameter_named(family, way.name)] = branch.reached;
  const bool tenfold = way.from * way.to > 0 && std::abs(std::log(way.to / way.from)) > 2.3;
  give_out(command, family.member(p), last, {branch_panel(branch, tenfold && way.to > 0)});
  if (interrupt.requested() && !usable) {
    complain("daewave: stopped by {}\n", interrupt.reason());
  }
  return usable ? solved : not_solved;
}

}  // namespace daewave::cli
