#include "cli/output/report_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/options/problem_named.hpp"
#include "large/flow/flow_catalogue.hpp"

namespace daewave::cli {
namespace {

std::vector<problems::Parameter> known_parameters(const std::string& problem) {
  if (const catalogue::Entry* entry = find_initial_value(problem)) return entry->parameters;
  if (const auto* entry = find_boundary(problem)) return entry->parameters;
  if (const flow::FlowEntry* entry = find_flow(problem)) return entry->parameters;
  return find_linear(problem).parameters;
}

}  // namespace

std::string with_provenance(const std::string& json, const SolveCommand& command) {
  auto report = nlohmann::ordered_json::parse(json);
  report["version"] = DAEWAVE_VERSION;
  report["problem_parameters"] = nlohmann::ordered_json::object();
  for (const problems::Parameter& parameter : problems::with_changes(
           command.problem, known_parameters(command.problem), command.parameters)) {
    report["problem_parameters"][parameter.name] = parameter.value;
  }
  return report.dump(2);
}

std::string with_errors(const std::string& json, const ivp::Solution& solution) {
  if (solution.error_times.empty()) return json;
  auto report = nlohmann::ordered_json::parse(json);
  auto& over_t = report["error_over_t"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < solution.error_times.size(); ++i) {
    over_t.push_back({solution.error_times[i], solution.error(static_cast<int>(i))});
  }
  return report.dump(2);
}

}  // namespace daewave::cli
