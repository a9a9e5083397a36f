#include "cli/initial_value/event_lines.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace daewave::cli {

std::string event_lines(const catalogue::InitialValueProblem& problem,
                        const ivp::Solution& solution) {
  constexpr std::size_t most_told = 6;
  std::string lines;
  for (std::size_t e = 0; e < problem.events().size(); ++e) {
    if (problem.events()[e].then == ivp::Event::Then::fail) continue;  // The report tells it.
    std::string times;
    std::size_t count = 0;
    for (const ivp::Occurrence& one : solution.occurrences) {
      if (static_cast<std::size_t>(one.event) != e) continue;
      if (++count > most_told) continue;
      times += fmt::format("{}{:.10g}", count == 1 ? "" : ", ", one.t);
    }
    if (count > most_told) times += fmt::format(", ... ({} times)", count);
    lines += count == 0 ? fmt::format("event {}: did not happen\n", problem.events()[e].name)
                        : fmt::format("event {}: t = {}\n", problem.events()[e].name, times);
  }
  return lines;
}

std::string with_events(const std::string& json, const catalogue::InitialValueProblem& problem,
                        const ivp::Solution& solution) {
  if (problem.events().empty()) return json;
  auto report = nlohmann::ordered_json::parse(json);
  auto& passed = report["events_passed"] = nlohmann::ordered_json::array();
  for (const ivp::Occurrence& one : solution.occurrences) {
    nlohmann::ordered_json event{
        {"name", problem.events()[static_cast<std::size_t>(one.event)].name},
        {"t", one.t},
        {"rising", one.rising}};
    if (one.after.size() > 0) {
      event["after"] = std::vector<double>(one.after.begin(), one.after.end());
    }
    passed.push_back(std::move(event));
  }
  return report.dump(2);
}

}  // namespace daewave::cli
