#include "cli/initial_value/sensitivity_table.hpp"
#include "cli/options/problem_named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/output/standard_output.hpp"
#include "ivp/run/state_names.hpp"

namespace daewave::cli {
namespace {

struct Column {
  std::string by;  ///< "q1(0)", or the name of a parameter.
  VecX values;
};

std::vector<std::string> rows_of(const ivp::Solution& solution) {
  return ivp::names_of(solution.state_names, solution.nz, solution.second_order);
}

std::vector<Column> columns_of(const NamedSensitivities& all) {
  std::vector<Column> columns;
  const std::vector<std::string> rows = rows_of(all.found.solution);
  for (int j = 0; j < all.found.start.cols(); ++j) {
    columns.push_back({rows[static_cast<std::size_t>(j)] + "(0)", all.found.start.col(j)});
  }
  for (int j = 0; j < all.found.parameters.cols(); ++j) {
    columns.push_back({all.parameters[static_cast<std::size_t>(j)], all.found.parameters.col(j)});
  }
  return columns;
}

}  // namespace

NamedSensitivities solve_with_sensitivities(const SolveCommand& command,
                                            const catalogue::InitialValueProblem& problem,
                                            ivp::Options options) {
  NamedSensitivities all;
  options.events.insert(options.events.begin(), problem.events().begin(), problem.events().end());
  const catalogue::Entry* const entry = find_initial_value(command.problem);
  if (entry != nullptr) all.parameters = catalogue::smooth_parameters(*entry);
  if (all.parameters.empty()) {
    all.found = ivp::sensitivities(problem.problem(), problem.start(), problem.interval(), options);
  } else {
    const auto values = problems::with_changes(entry->name, entry->parameters, command.parameters);
    VecX at(static_cast<Eigen::Index>(all.parameters.size()));
    for (Eigen::Index i = 0; i < at.size(); ++i) {
      at[i] = std::find_if(values.begin(), values.end(), [&](const problems::Parameter& one) {
                return one.name == all.parameters[static_cast<std::size_t>(i)];
              })->value;
    }
    all.found = ivp::sensitivities(catalogue::family_of(*entry, command.parameters, all.parameters),
                                   at, problem.interval(), options);
  }
  problem.name_report(all.found.solution.report);
  return all;
}

void print(const NamedSensitivities& all) {
  constexpr std::size_t side_by_side = 8;
  const ivp::Solution& solution = all.found.solution;
  const std::vector<std::string> rows = rows_of(solution);
  const std::vector<Column> columns = columns_of(all);
  say("sensitivities of the end, t = {:g}, error {:.1e}:\n", solution.t.back(), all.found.error);
  for (std::size_t from = 0; from < columns.size(); from += side_by_side) {
    const std::size_t to = std::min(columns.size(), from + side_by_side);
    std::string line = "  by    ";
    for (std::size_t j = from; j < to; ++j) line += fmt::format(" {:>12}", columns[j].by);
    say("{}\n", line);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      line = fmt::format("  {:<6}", rows[i]);
      for (std::size_t j = from; j < to; ++j) {
        line += fmt::format(" {:>12.5e}", columns[j].values[static_cast<Eigen::Index>(i)]);
      }
      say("{}\n", line);
    }
  }
  say("  {}\n", all.found.how);
}

std::string with_sensitivities(const std::string& json, const NamedSensitivities& all) {
  if (all.found.start.size() == 0) return json;
  auto report = nlohmann::ordered_json::parse(json);
  auto& out = report["sensitivities"];
  out["of"] = rows_of(all.found.solution);
  for (const Column& column : columns_of(all)) {
    out["by"][column.by] = std::vector<double>(column.values.begin(), column.values.end());
  }
  out["error"] = all.found.error;
  out["how"] = all.found.how;
  return report.dump(2);
}

}  // namespace daewave::cli
