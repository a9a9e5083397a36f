#include "models/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/nearest_names.hpp"
#include "core/start/problem_start.hpp"
#include "models/dae/dae_equations.hpp"
#include "models/dae/dae_names.hpp"
#include "models/event/state_events.hpp"
#include "models/file/problem_settings.hpp"
#include "models/file/table_reader.hpp"
#include "models/mechanism/assembly.hpp"
#include "models/planar/planar_drawing.hpp"
#include "models/planar/planar_equations.hpp"
#include "models/planar/planar_names.hpp"
#include "models/spatial/spatial_drawing.hpp"
#include "models/spatial/spatial_equations.hpp"
#include "models/spatial/spatial_events.hpp"
#include "models/spatial/spatial_names.hpp"

namespace daewave::models {
namespace {

using Changes = std::vector<std::pair<std::string, double>>;

/// Without what only the command line reads.
std::string statement_of(Value file) {
  std::erase_if(file.table, [](const auto& one) {
    return one.first == "title" || one.first == "solve" || one.first == "output" ||
           one.first == "report" || one.first == "units";
  });
  return canonical_text(file);
}

class ModelReading {
 public:
  ModelReading(const TextSource& source, const Value& file, const Changes& changed)
      : source_(source), file_(source, file, "model") {
    const ProblemSettings settings = problem_settings(file_);
    Changes of_parameters;
    for (const auto& [name, value] : changed) {
      if (name == "t-end") {
        t_end_ = value;
      } else {
        of_parameters.emplace_back(name, value);
      }
    }
    const auto is_changed = [&](const std::string& name) {
      return std::any_of(changed.begin(), changed.end(),
                         [&](const auto& one) { return one.first == name; });
    };
    for (const auto& one : settings.set) {
      if (!is_changed(one.first)) of_parameters.push_back(one);
    }
    parameters_ = Parameters(source, file_.value("parameters"), of_parameters);
    out_.set = settings.set;
    end_of_file_ = settings.t_end;
  }

  Model all() {
    const auto format = file_.expression("format");
    if (format && number(*format, "format") != 1) file_.fail("format", "must be 1");
    out_.title = file_.text("title").value_or("");
    out_.parameters = parameters_.values();
    read_parameter_units();
    read_asked("solve");
    read_asked("output");
    read_asked("report");
    set_end();
    if (file_.has("dae")) {
      read_dae();
    } else {
      read_mechanism();
    }
    for (const auto& [name, value] : out_.parameters) {
      if (parameters_.discrete().contains(name)) out_.discrete.push_back(name);
    }
    file_.finish();
    return std::move(out_);
  }

 private:
  double number(const Written& of, const std::string& what) {
    Graph graph;
    NumberNames names(graph, parameters_);
    return models::number(source_, of, graph, names, what);
  }

  void read_parameter_units() {
    out_.parameter_units.resize(out_.parameters.size());
    const Value* const value = file_.value("units");
    if (value == nullptr) return;
    if (value->kind != Value::Kind::table) file_.fail("units", "must be a table");
    std::vector<std::string> known{"t"};
    for (const auto& [name, number] : out_.parameters) known.push_back(name);
    for (const auto& [name, of] : value->table) {
      const auto found = std::find(known.begin(), known.end(), name);
      if (found == known.end()) {
        source_.fail(of.place,
                     fmt::format("units: '{}' is no parameter{}; those of unknowns are in "
                                 "[dae.units], bodies have SI units",
                                 name, did_you_mean(name, known)));
      }
      if (of.kind != Value::Kind::text) {
        source_.fail(of.place, fmt::format("unit of {}: must be a text", name));
      }
      if (found == known.begin()) continue;
      out_.parameter_units[static_cast<std::size_t>(found - known.begin()) - 1] = of.text;
    }
  }

  /// The end that is set goes before that of t.
  void set_end() {
    if (t_end_) {
      out_.interval.end = *t_end_;
    } else if (end_of_file_) {
      out_.interval.end = number(*end_of_file_, "t-end");
      if (out_.interval.begin == out_.interval.end) {
        source_.fail(end_of_file_->place,
                     fmt::format("t-end = {:g}: is the begin too: the interval has no length",
                                 out_.interval.end));
      }
    }
  }

  /// What the command line is to do; the interval and the parameters are the problem's.
  void read_asked(const std::string& table) {
    const Value* const value = file_.value(table);
    if (value == nullptr) return;
    TableReader reader(source_, *value, table);
    for (const auto& [key, of] : value->table) {
      if (table != "report" && is_of_problem(key)) continue;
      if (key == "t" && table == "solve") {
        const auto t = reader.expressions("t", 2);
        out_.interval = {number((*t)[0], "t"), number((*t)[1], "t")};
        if (out_.interval.begin == out_.interval.end) reader.fail("t", "has no length");
        continue;
      }
      if (table == "report" && key != "file") {
        reader.fail(key, "is not known; report has file, the page that is written");
      }
      Asked asked{table, table == "report" ? "report" : key, {}, of.place};
      add_values(of, asked);
      if (of.kind != Value::Kind::truth || of.truth) out_.asked.push_back(std::move(asked));
    }
  }

  void add_values(const Value& of, Asked& asked) {
    switch (of.kind) {
      case Value::Kind::truth:
        return;
      case Value::Kind::text:
        asked.values.push_back(of.text);
        return;
      case Value::Kind::number:
        asked.values.push_back(fmt::format("{}", of.number));
        return;
      case Value::Kind::array:
        for (const Value& one : of.array) add_values(one, asked);
        return;
      case Value::Kind::table:
        source_.fail(of.place, fmt::format("{}: is an option, which has no table", asked.name));
    }
  }

  /// What a mechanism makes of what was read: its equations, and events of the problem that those
  /// became.
  struct Makers {
    std::function<MechanismEquations()> equations;
    std::function<std::vector<StateEvent>(const std::vector<EventStatement>&)> events;
  };

  Makers read_planar_mechanism() {
    const PlanarMechanism mechanism = read_planar(file_, parameters_);
    out_.state_names = planar_state_names(mechanism);
    out_.state_units = planar_state_units(mechanism);
    out_.drawing = planar_drawing(mechanism);
    const auto equations = [this, mechanism] {
      return planar_equations(mechanism, source_, parameters_, out_.interval.begin);
    };
    const auto events = [this](const std::vector<EventStatement>& said) {
      Graph graph;
      const Variables variables = variables_of_mechanism();
      StateNames names(graph, parameters_, out_.state_names, variables);
      return events_of(said, source_, {graph, names, variables, out_.state_names}, out_.problem);
    };
    return {equations, events};
  }
  Makers read_spatial_mechanism() {
    const SpatialMechanism mechanism = read_spatial(file_, parameters_);
    out_.state_names = spatial_state_names(mechanism);
    out_.state_units = spatial_state_units(mechanism);
    out_.drawing = spatial_drawing(mechanism);
    const auto equations = [this, mechanism] {
      return spatial_equations(mechanism, source_, parameters_, out_.interval.begin);
    };
    const auto events = [this, mechanism](const std::vector<EventStatement>& said) {
      Graph graph;
      const Variables variables = variables_of_mechanism();
      const SpatialPoses poses(graph, variables, static_cast<int>(mechanism.bodies.size()));
      StateNames names = spatial_names(graph, parameters_, mechanism, variables, poses);
      const EventScope scope{graph, names, variables, out_.state_names,
                             [&](std::map<std::string, Ref>& set, std::vector<Ref>& after) {
                               set_angular_velocities(graph, mechanism, poses, set, after);
                             }};
      return events_of(said, source_, scope, out_.problem);
    };
    return {equations, events};
  }
  Variables variables_of_mechanism() const {
    const auto half = static_cast<int>(out_.state_names.size() / 2);
    return {half, half, 0};
  }

  void read_mechanism() {
    const std::string space = file_.text("space").value_or("planar");
    if (space != "planar" && space != "spatial") {
      file_.fail("space", fmt::format("= '{}': must be planar or spatial", space));
    }
    const Makers make = space == "spatial" ? read_spatial_mechanism() : read_planar_mechanism();
    const std::vector<EventStatement> events = read_events(file_, parameters_);
    out_.name = std::filesystem::path(source_.name()).filename().string();
    std::vector<EndOfEquations> ends;
    Assembly assembly = assemble(
        [&] {
          MechanismEquations built = make.equations();
          ends = built.ends;
          built.equations.name = out_.name;
          built.equations.interval = out_.interval;
          built.equations.state_names = out_.state_names;
          if (built.equations.g.empty() && built.equations.w.empty()) {
            source_.fail({},
                         "no joint: nothing constrains the bodies, and what moves freely is not "
                         "for the methods here; write [[joint]]");
          }
          return built;
        },
        source_);
    out_.problem = std::move(assembly.problem);
    out_.start = std::move(assembly.start);
    out_.start_moved = assembly.start_moved;
    out_.velocity_moved = assembly.velocity_moved;
    out_.joints = std::move(assembly.joints);
    out_.events = make.events(events);
    for (const EndOfEquations& end : ends) {
      out_.events.push_back({.name = end.name,
                             .function = end.left,
                             .direction = StateEvent::Direction::falling,
                             .terminal = true,
                             .of_equations = true,
                             .advice = end.advice});
    }
  }

  void read_dae() {
    const DaeStatement statement = read_dae_statement(file_, parameters_);
    Equations equations = dae_equations(statement, source_, parameters_);
    out_.is_mechanism = false;
    out_.name = equations.name = std::filesystem::path(source_.name()).filename().string();
    out_.state_names = equations.state_names;
    for (const Said& one : statement.unknown) out_.unknown.push_back(one.name);
    read_units(statement);
    equations.interval = out_.interval;
    const bool at_both_ends = !statement.boundary.empty();
    const std::vector<EventStatement> events = read_events(file_, parameters_);
    if (at_both_ends && !events.empty()) {
      source_.fail(events.front().place,
                   "event: is for initial values, and boundary says conditions at both ends");
    }
    const auto [start, algebraic] = dae_start(statement, source_, parameters_, !at_both_ends);
    equations.start = start;
    if (equations.kind == Kind::invariants) equations.start_algebraic = algebraic;
    const Variables variables = equations.variables();
    make_problem(std::move(equations));
    Graph graph;
    DaeNames names(graph, parameters_, statement, source_);
    out_.events =
        events_of(events, source_, {graph, names, variables, out_.state_names}, out_.problem);
    out_.exact = function_of(exact_solution(statement, source_, parameters_));
    if (!at_both_ends) return repair(start);
    out_.start = start;
    out_.boundary = boundary_conditions(statement, source_, parameters_, out_.interval);
    const Sizes& sizes = out_.problem->sizes();
    const int wanted =
        out_.problem->state_size() - sizes.nl() * (out_.problem->has_velocity() ? 2 : 1);
    if (out_.boundary->count == wanted) return;
    // Of order 2 an unknown parameter is an entry with a rate, of which the condition is added.
    const int unknown = static_cast<int>(statement.unknown.size());
    const int added = out_.boundary->count - static_cast<int>(statement.boundary.size());
    file_.fail("dae", fmt::format("boundary has {} condition(s), {} are wanted: one for each entry "
                                  "of the state ({}){}{}",
                                  statement.boundary.size(), wanted - added,
                                  out_.problem->state_size() - unknown - added,
                                  unknown == 0 ? "" : " and for each unknown parameter",
                                  sizes.nl() == 0 ? "" : ", less those that constraints give"));
  }

  void read_units(const DaeStatement& statement) {
    if (statement.units.empty()) return;
    for (const std::string& name : out_.state_names) {
      std::string unit;
      for (const auto& [of, text] : statement.units) {
        if (of == name) unit = text;
      }
      out_.state_units.push_back(unit);
    }
  }

  void make_problem(Equations equations) {
    try {
      out_.problem = problem_of(std::move(equations));
    } catch (const ModelError&) {
      throw;
    } catch (const InvalidProblem& error) {
      source_.fail({}, error.what());
    }
  }

  /// The start: what the file says, moved to the constraints.
  void repair(const VecX& guess) {
    out_.start = guess;
    if (out_.problem->sizes().nl() == 0) return;
    const StartRepair repaired = repair_start(*out_.problem, out_.start, out_.interval.begin,
                                              assembly_tolerance(*out_.problem, guess));
    out_.start_moved = (out_.start - guess).lpNorm<Eigen::Infinity>();
    if (repaired.ok) return;
    source_.fail({}, fmt::format("no start near the one that is stated satisfies the algebraic "
                                 "equations: {}; state one nearer to it in [dae.start]",
                                 repaired.failure));
  }

  const TextSource& source_;
  TableReader file_;
  Parameters parameters_;
  std::optional<double> t_end_;         ///< That is asked for.
  std::optional<Written> end_of_file_;  ///< That of its table solve.
  Model out_;
};

}  // namespace

std::vector<std::string> left_out(const Model& model) {
  std::vector<std::string> all;
  for (const JointRows& joint : model.joints) {
    if (joint.redundant == 0) continue;
    const int rows = joint.count + joint.redundant;
    all.push_back(fmt::format("{} of {} row{} of {}", joint.redundant, rows, rows == 1 ? "" : "s",
                              joint.name));
  }
  return all;
}

std::vector<std::string> start_warnings(const Model& model) {
  if (model.velocity_moved == 0) return {};
  return {
      fmt::format("velocities of the file are changed by {:.2g}: the joints do not allow all "
                  "that are stated",
                  model.velocity_moved)};
}

Model model_of(const std::string& text, const std::string& name,
               const std::vector<std::pair<std::string, double>>& changed) {
  const auto source = std::make_shared<const TextSource>(name, text);
  const Value file = read_toml(*source, text);
  Model model = ModelReading(*source, file, changed).all();
  model.source = source;
  model.statement = statement_of(file);
  return model;
}

Model read_model(const std::string& path,
                 const std::vector<std::pair<std::string, double>>& changed) {
  return model_of(read_model_text(path), path, changed);
}

}  // namespace daewave::models
