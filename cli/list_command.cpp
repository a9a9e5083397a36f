#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "problems/catalogue.hpp"
#include "reproduce/printed_table.hpp"

namespace daewave::cli {
namespace {

void print_json() {
  nlohmann::ordered_json list;
  list["problems"] = nlohmann::ordered_json::array();
  for (const problems::Entry& entry : problems::catalogue()) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
    for (const problems::Parameter& parameter : entry.parameters) {
      parameters.push_back(
          {{"name", parameter.name}, {"default", parameter.value}, {"meaning", parameter.meaning}});
    }
    const problems::LinearProblem problem = problems::make(entry);
    list["problems"].push_back({{"name", entry.name},
                                {"source", entry.source},
                                {"summary", entry.summary},
                                {"nx", problem.dae->nx()},
                                {"ny", problem.dae->ny()},
                                {"exact_solution", static_cast<bool>(problem.x_exact)},
                                {"parameters", parameters}});
  }
  list["tables"] = nlohmann::ordered_json::array();
  for (const reproduce::TableEntry& table : reproduce::tables()) {
    list["tables"].push_back({{"id", table.id}, {"title", table.title}});
  }
  fmt::print("{}\n", list.dump(2));
}

}  // namespace

int run(const ListCommand& command) {
  if (command.json) {
    print_json();
    return solved;
  }
  fmt::print("Problems, for daewave solve and daewave check:\n");
  for (const problems::Entry& entry : problems::catalogue()) {
    fmt::print("  {:<14}{}  ({})\n", entry.name, entry.summary, entry.source);
    for (const problems::Parameter& parameter : entry.parameters) {
      fmt::print("  {:<14}  --set {}={:g}  {}\n", "", parameter.name, parameter.value,
                 parameter.meaning);
    }
  }
  fmt::print("\nTables, for daewave table:\n");
  for (const reproduce::TableEntry& table : reproduce::tables()) {
    fmt::print("  {:<14}{}\n", table.id, table.title);
  }
  return solved;
}

}  // namespace daewave::cli
