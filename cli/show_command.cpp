#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "catalogue/descriptions.hpp"
#include "cli/command_line.hpp"
#include "cli/problem_named.hpp"
#include "cli/standard_output.hpp"

namespace daewave::cli {
namespace {

/// Lines of a text, one below the other.
void print_lines(const char* title, const std::string& text) {
  std::string lines = text;
  for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 15) {
    lines.insert(at + 1, 14, ' ');
  }
  say("{:<14}{}\n", title, lines);
}

template <class Entry>
void print(const Entry& entry, const char* kind, const std::string& sizes) {
  const catalogue::Description is = catalogue::description_of(entry.name);
  say("{}: {}\n\n", entry.name, entry.summary);
  print_lines("kind", kind);
  print_lines("equations", is.equations);
  print_lines("coordinates", is.coordinates);
  print_lines("units", is.units);
  print_lines("sizes", sizes);
  print_lines("source", fmt::format("{}\n(keys are those of docs/papers.md)", entry.source));
  std::string parameters;
  for (const problems::Parameter& one : entry.parameters) {
    parameters += fmt::format("{}--set {}={:g}  {}", parameters.empty() ? "" : "\n", one.name,
                              one.value, one.meaning);
  }
  print_lines("parameters", parameters.empty() ? "none" : parameters);
  say("\ndaewave check {0} looks at it, daewave solve {0} solves it.\n", entry.name);
}

std::string on(const Interval& interval) {
  return fmt::format("t in [{:g}, {:g}]", interval.begin, interval.end);
}

}  // namespace

int run(const ShowCommand& command) {
  if (const catalogue::Entry* entry = find_initial_value(command.problem)) {
    const auto problem = catalogue::make(*entry);
    print(*entry, "initial value problem",
          fmt::format("{} entries of the state, {} constraints, {}", problem->start().size(),
                      problem->check().constraints, on(problem->interval())));
    return solved;
  }
  if (const catalogue::BoundaryEntry* entry = find_boundary(command.problem)) {
    const bvp::BoundaryProblem problem = catalogue::make(*entry);
    print(*entry, "nonlinear boundary value problem",
          fmt::format("nx = {}, {}, {}", problem.equations->state_size(),
                      bvp::index_of(problem.equations->kind()), on(problem.interval)));
    return solved;
  }
  const problems::LinearEntry& entry =
      find_linear(command.problem);
  const LinearDae& dae = *problems::make(entry).dae;
  print(entry, "linear boundary value problem",
        fmt::format("nx = {}, ny = {}, index 2, {}", dae.nx(), dae.ny(), on(dae.interval())));
  return solved;
}

}  // namespace daewave::cli
