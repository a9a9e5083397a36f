#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/standard_output.hpp"
#include "problems/linear_catalogue.hpp"
#include "reproduce/printed_table.hpp"

namespace daewave::cli {
namespace {

nlohmann::ordered_json as_json(const std::vector<problems::Parameter>& all) {
  nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
  for (const problems::Parameter& parameter : all) {
    parameters.push_back(
        {{"name", parameter.name}, {"default", parameter.value}, {"meaning", parameter.meaning}});
  }
  return parameters;
}

void print_json() {
  nlohmann::ordered_json list;
  list["problems"] = nlohmann::ordered_json::array();
  for (const problems::LinearEntry& entry : problems::linear_entries()) {
    const problems::LinearProblem problem = problems::make(entry);
    list["problems"].push_back({{"name", entry.name},
                                {"source", entry.source},
                                {"summary", entry.summary},
                                {"kind", "linear boundary value"},
                                {"nx", problem.dae->nx()},
                                {"ny", problem.dae->ny()},
                                {"exact_solution", static_cast<bool>(problem.x_exact)},
                                {"parameters", as_json(entry.parameters)}});
  }
  for (const catalogue::BoundaryEntry& entry : catalogue::boundary_entries()) {
    const auto problem = catalogue::make(entry);
    list["problems"].push_back({{"name", entry.name},
                                {"source", entry.source},
                                {"summary", entry.summary},
                                {"kind", fmt::format("nonlinear boundary value, {}",
                                                     bvp::index_of(problem.equations->kind()))},
                                {"nx", problem.equations->state_size()},
                                {"exact_solution", static_cast<bool>(problem.exact)},
                                {"parameters", as_json(entry.parameters)}});
  }
  for (const catalogue::Entry& entry : catalogue::entries()) {
    const auto problem = catalogue::make(entry);
    const Consistency start = problem->check();
    list["problems"].push_back({{"name", entry.name},
                                {"source", entry.source},
                                {"summary", entry.summary},
                                {"kind", "initial value"},
                                {"nx", problem->start().size()},
                                {"ny", start.constraints},
                                {"exact_solution", problem->reference(0).has_value()},
                                {"parameters", as_json(entry.parameters)}});
  }
  list["tables"] = nlohmann::ordered_json::array();
  for (const reproduce::TableEntry& table : reproduce::tables()) {
    list["tables"].push_back({{"id", table.id}, {"title", table.title}});
  }
  say("{}\n", list.dump(2));
}

/// Of the column of names: that of the longest one, and a gap.
template <class Entries>
std::size_t name_width(const Entries& entries) {
  std::size_t width = 16;
  for (const auto& entry : entries) width = std::max(width, entry.name.size() + 2);
  return width;
}

template <class Entries>
void print(const char* title, const Entries& entries) {
  say("{}\n", title);
  const std::size_t width = name_width(entries);
  for (const auto& entry : entries) {
    say("  {:<{}}{}  ({})\n", entry.name, width, entry.summary, entry.source);
    for (const problems::Parameter& parameter : entry.parameters) {
      say("  {:<{}}  --set {}={:g}  {}\n", "", width, parameter.name, parameter.value,
          parameter.meaning);
    }
  }
}

}  // namespace

int run(const ListCommand& command) {
  if (command.json) {
    print_json();
    return solved;
  }
  print("Linear boundary value problems, for daewave solve and daewave check:",
        problems::linear_entries());
  print("\nNonlinear boundary value problems, for daewave solve and daewave check:",
        catalogue::boundary_entries());
  print("\nInitial value problems, for daewave solve and daewave check:", catalogue::entries());
  say("\nTables, for daewave table:\n");
  for (const reproduce::TableEntry& table : reproduce::tables()) {
    say("  {:<16}{}\n", table.id, table.title);
  }
  return solved;
}

}  // namespace daewave::cli
