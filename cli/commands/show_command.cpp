#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "catalogue/descriptions.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/problem_named.hpp"
#include "cli/output/standard_output.hpp"
#include "large/flow/flow_catalogue.hpp"
#include "models/model.hpp"

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

/// Coordinates in lines of a few.
std::string coordinates_of(const models::Model& model) {
  std::string text;
  const std::size_t positions = model.state_names.size() / 2;
  for (std::size_t i = 0; i < positions; ++i) {
    if (i > 0) text += i % 6 == 0 ? ",\n" : ", ";
    text += model.state_names[i];
    if (i == 29 && positions > 36) return text + fmt::format(", ... ({} in all)", positions);
  }
  return text;
}

std::string joints_of(const models::Model& model) {
  std::string text;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (i == 30) return text + fmt::format("\n... ({} in all)", model.joints.size());
    const models::JointRows& joint = model.joints[i];
    text += fmt::format("{}{}: {} row{}", i > 0 ? "\n" : "", joint.name, joint.count,
                        joint.count == 1 ? "" : "s");
  }
  return text;
}

/// What a file of equations is.
void print_dae(const models::Model& model) {
  const Sizes& sizes = model.problem->sizes();
  const Kind kind = model.problem->kind();
  print_lines("kind", model.boundary ? "boundary value problem, equations of a file"
                                     : "initial value problem, equations of a file");
  print_lines("index", kind == Kind::ordinary     ? "0, no algebraic equation"
                       : kind == Kind::invariants ? "1, algebraic equations have unknowns in them"
                       : kind == Kind::index_2    ? "2, multipliers are in no algebraic equation"
                                                  : "3, constraints on positions");
  std::string names;
  for (const std::string& name : model.state_names) names += (names.empty() ? "" : ", ") + name;
  print_lines("state", names);
  print_lines(
      "sizes",
      fmt::format("{} entries of the state, {} algebraic equations, t in [{:g}, "
                  "{:g}]{}",
                  model.problem->state_size(), sizes.nl() + sizes.nw, model.interval.begin,
                  model.interval.end,
                  model.boundary ? fmt::format(", {} conditions", model.boundary->count) : ""));
}

void print_mechanism(const models::Model& model) {
  const Sizes& sizes = model.problem->sizes();
  const bool spatial = model.drawing.spatial;
  print_lines("kind", fmt::format("initial value problem, a mechanism in {}",
                                  spatial ? "space" : "the plane"));
  print_lines(
      "equations",
      fmt::format("M q'' = f(q, q', t) - G^T lambda,  0 = g(q, t) of the joints;  {}",
                  spatial ? "(x, y, z) is the\ncentre of mass of each body, e0 to e3 its Euler "
                            "parameters, a unit quaternion"
                          : "(x, y) is the centre\nof mass of each body, phi its angle"));
  print_lines("coordinates", coordinates_of(model));
  print_lines("units", "SI units: m, kg, s, rad");
  print_lines("joints", joints_of(model));
  std::string redundant;
  for (const std::string& one : models::left_out(model)) {
    redundant += (redundant.empty() ? "" : "\n") + one;
  }
  if (!redundant.empty()) {
    print_lines("left out", redundant + "\n(they follow from the other rows)");
  }
  print_lines("sizes", fmt::format("{} coordinates, {} constraints, t in [{:g}, {:g}]", sizes.nq,
                                   sizes.nl(), model.interval.begin, model.interval.end));
}

int show(const models::Model& model, const std::string& path) {
  say("{}: {}\n\n", model.name, model.title.empty() ? "a model file" : model.title);
  if (model.is_mechanism) {
    print_mechanism(model);
  } else {
    print_dae(model);
  }
  std::string start;
  if (model.start_moved > 1e-9) {
    start = fmt::format("assembled: moved by {:.2g} from what the file says", model.start_moved);
  }
  for (const std::string& warning : models::start_warnings(model)) {
    start += (start.empty() ? "" : "\n") + warning;
  }
  if (!start.empty()) print_lines("start", start);
  std::string events;
  for (const models::StateEvent& event : model.events) {
    if (event.of_equations) continue;
    events += fmt::format("{}{}: {}", events.empty() ? "" : "\n", event.name,
                          event.terminal ? "ends the run"
                          : event.change ? "changes the state"
                                         : "is told");
  }
  if (!events.empty()) print_lines("events", events);
  std::string parameters;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const auto& [name, value] = model.parameters[i];
    const std::string& unit = model.parameter_units[i];
    parameters += fmt::format("{}--set {}={:g}{}{}", parameters.empty() ? "" : "\n", name, value,
                              unit.empty() ? "" : "  ", unit);
  }
  print_lines("parameters", parameters.empty() ? "none" : parameters);
  say("\ndaewave check {0} looks at it, daewave solve {0} solves it.\n", path);
  return solved;
}

template <class Entry>
void print(const Entry& entry, const char* kind, const catalogue::Description& is,
           const std::string& sizes) {
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

template <class Entry>
void print(const Entry& entry, const char* kind, const std::string& sizes) {
  print(entry, kind, catalogue::description_of(entry.name), sizes);
}

std::string on(const Interval& interval) {
  return fmt::format("t in [{:g}, {:g}]", interval.begin, interval.end);
}

}  // namespace

int run(const ShowCommand& command) {
  if (is_model_file(command.problem)) return show(model_file(command.problem), command.problem);
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
  if (const flow::FlowEntry* entry = find_flow(command.problem)) {
    const flow::NamedFlow flow = flow::make(*entry, {});
    print(*entry, "flow, a large sparse problem",
          {entry->equations, entry->coordinates, entry->units},
          fmt::format("{} velocities, {} pressures, {}", flow.problem.nx(), flow.problem.ny(),
                      on(flow.interval)));
    return solved;
  }
  const problems::LinearEntry& entry = find_linear(command.problem);
  const LinearDae& dae = *problems::make(entry).dae;
  print(entry, "linear boundary value problem",
        fmt::format("nx = {}, ny = {}, index 2, {}", dae.nx(), dae.ny(), on(dae.interval())));
  return solved;
}

}  // namespace daewave::cli
