#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "bvp/solve.hpp"
#include "cli/boundary/boundary_output.hpp"
#include "cli/output/figures.hpp"
#include "cli/output/option_words.hpp"
#include "cli/output/report_file.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "io/csv.hpp"
#include "io/report_json.hpp"

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
  if (way.from == way.to) {
    throw InvalidOption(
        fmt::format("--continue {}: begins where it ends; give two values of {}", text, way.name));
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

FollowedBranch follow_branch(const SolveCommand& command, const catalogue::BoundaryEntry& entry,
                             BoundaryRun& run) {
  const Way way = way_of(command.continue_in);
  const bvp::ProblemFamily family = family_of(command, entry, way);
  bvp::Options options = nonlinear_options(command, run);
  options.partitions = command.partitions;
  options.ranks = command.ranks;
  FollowedBranch followed;
  followed.branch = bvp::follow(
      family, {.parameter = way.name, .to = way.to, .arclength = command.arclength}, options);
  VecX p = family.p;
  p[bvp::parameter_named(family, way.name)] = followed.branch.reached;
  followed.problem = family.member(p);
  return followed;
}

int continue_boundary(const SolveCommand& command, const catalogue::BoundaryEntry& entry) {
  const Way way = way_of(command.continue_in);
  const bvp::ProblemFamily family = family_of(command, entry, way);
  check_rows(command, family.member(family.p).equations->state_size());
  BoundaryRun run(command);
  const FollowedBranch followed = follow_branch(command, entry, run);
  const bvp::Branch& branch = followed.branch;
  const bvp::BoundaryProblem& problem = followed.problem;
  run.work_has_ended();
  bvp::Solution last = branch.last;
  last.report = in_options(branch.report);
  if (run.talks()) print_branch(branch);
  tell(run, problem, last);
  const ExitCode code = run.end(last.report.usable(), last.report.brief());
  const auto figure = [&] {
    const bool tenfold = way.from * way.to > 0 && std::abs(std::log(way.to / way.from)) > 2.3;
    io::Figure drawn = boundary_figure(last, problem);
    drawn.panels.insert(drawn.panels.begin(), branch_panel(branch, tenfold && way.to > 0));
    return drawn;
  };
  OutputFiles files;
  files.write(command.branch,
              [&](const std::string& path) { io::write_csv(path, branch.table()); });
  write_results(command, last, figure, problem.exact,
                with_provenance(io::report_json(last.report), command), files);
  files.end();
  return code;
}

}  // namespace daewave::cli
