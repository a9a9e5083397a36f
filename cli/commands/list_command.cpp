#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "cli/options/command_line.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "large/flow/flow_catalogue.hpp"
#include "problems/linear_catalogue.hpp"
#include "reproduce/printed_table.hpp"

namespace daewave::cli {
namespace {

bool has(const std::string& text, const std::string& part) {
  const auto found = std::search(
      text.begin(), text.end(), part.begin(), part.end(),
      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  return found != text.end();
}

/// Those that the filter leaves. @param kind  of all.
template <class Entries>
Entries left_of(const Entries& entries, const std::string& filter, const std::string& kind) {
  Entries left;
  for (const auto& entry : entries) {
    if (has(entry.name, filter) || has(entry.source, filter) || has(entry.summary, filter) ||
        has(kind, filter)) {
      left.push_back(entry);
    }
  }
  return left;
}

std::vector<reproduce::TableEntry> tables_left(const std::string& filter) {
  std::vector<reproduce::TableEntry> left;
  for (const reproduce::TableEntry& table : reproduce::tables()) {
    if (has(table.id, filter) || has(table.title, filter) || has("table", filter)) {
      left.push_back(table);
    }
  }
  return left;
}

struct Chosen {
  explicit Chosen(const std::string& filter)
      : linear(left_of(problems::linear_entries(), filter, "linear boundary value problem")),
        boundary(
            left_of(catalogue::boundary_entries(), filter, "nonlinear boundary value problem")),
        initial(left_of(catalogue::entries(), filter, "initial value problem")),
        flows(left_of(flow::flow_entries(), filter, "flow, large and sparse")),
        tables(tables_left(filter)) {}
  bool empty() const {
    return linear.empty() && boundary.empty() && initial.empty() && flows.empty() && tables.empty();
  }

  std::vector<problems::LinearEntry> linear;
  std::vector<catalogue::BoundaryEntry> boundary;
  std::vector<catalogue::Entry> initial;
  std::vector<flow::FlowEntry> flows;
  std::vector<reproduce::TableEntry> tables;
};

nlohmann::ordered_json as_json(const std::vector<problems::Parameter>& all) {
  nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
  for (const problems::Parameter& parameter : all) {
    parameters.push_back(
        {{"name", parameter.name}, {"default", parameter.value}, {"meaning", parameter.meaning}});
  }
  return parameters;
}

void print_json(const Chosen& chosen) {
  nlohmann::ordered_json list;
  list["version"] = DAEWAVE_VERSION;
  list["problems"] = nlohmann::ordered_json::array();
  for (const problems::LinearEntry& entry : chosen.linear) {
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
  for (const catalogue::BoundaryEntry& entry : chosen.boundary) {
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
  for (const catalogue::Entry& entry : chosen.initial) {
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
  for (const flow::FlowEntry& entry : chosen.flows) {
    const flow::NamedFlow flow = flow::make(entry, {});
    list["problems"].push_back({{"name", entry.name},
                                {"source", entry.source},
                                {"summary", entry.summary},
                                {"kind", "flow"},
                                {"nx", flow.problem.nx()},
                                {"ny", flow.problem.ny()},
                                {"exact_solution", flow.problem.flow().exact},
                                {"parameters", as_json(entry.parameters)}});
  }
  list["tables"] = nlohmann::ordered_json::array();
  for (const reproduce::TableEntry& table : chosen.tables) {
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
  if (entries.empty()) return;
  say("{}\n", title);
  const std::size_t width = name_width(entries);
  for (const auto& entry : entries) {
    say("  {:<{}}{}  ({})\n", entry.name, width, entry.summary, entry.source);
    for (const problems::Parameter& parameter : entry.parameters) {
      say("  {:<{}}  --set {}={:g}  {}\n", "", width, parameter.name, parameter.value,
          parameter.meaning);
    }
  }
  say("\n");
}

}  // namespace

int run(const ListCommand& command) {
  const Chosen chosen(command.filter);
  if (chosen.empty()) {
    throw InvalidOption(
        fmt::format("list {}: no problem and no table has this text in its name, kind, source or "
                    "summary; daewave list without it names all",
                    command.filter));
  }
  if (command.json) {
    print_json(chosen);
    return solved;
  }
  print("Linear boundary value problems, for daewave solve and daewave check:", chosen.linear);
  print("Nonlinear boundary value problems, for daewave solve and daewave check:", chosen.boundary);
  print("Initial value problems, for daewave solve and daewave check:", chosen.initial);
  print("Flows, large and sparse, for daewave solve and daewave check:", chosen.flows);
  if (!chosen.tables.empty()) say("Tables, for daewave table:\n");
  std::size_t width = 16;
  for (const reproduce::TableEntry& table : chosen.tables)
    width = std::max(width, table.id.size() + 2);
  for (const reproduce::TableEntry& table : chosen.tables) {
    say("  {:<{}}{}\n", table.id, width, table.title);
  }
  return solved;
}

}  // namespace daewave::cli
