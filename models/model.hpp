#pragma once
// A model file: a problem in text (docs/models.md).
//
//   const Model model = read_model("slider-crank.toml");
//   ivp::solve(*model.problem, model.start, model.interval,
//              {.events = models::events_as<ivp::Event>(model.events)});

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "core/report/drawing.hpp"
#include "models/dae/conditions.hpp"
#include "models/event/state_event.hpp"
#include "models/file/text_source.hpp"
#include "models/mechanism/mechanism_equations.hpp"

namespace daewave::models {

/// What a file asks of the command line: --name value, or the flag --name where there is no value.
struct Asked {
  std::string table;  ///< solve, output or report.
  std::string name;
  std::vector<std::string> values;
  Place place;
};

struct Model {
  std::shared_ptr<const TextSource> source;  ///< For messages.
  std::string name;                          ///< Of the file, without its folder.
  std::string title;                         ///< One line; empty where the file has none.
  std::string statement;  ///< What the file says of the problem; equal for equal ones.
  DaeProblemPtr problem;
  VecX start;                 ///< x, (q, v), or z; on the constraints.
  double start_moved = 0;     ///< How far the start of the file was from them, in its own units.
  double velocity_moved = 0;  ///< How far velocities that the file states; 0 for rounding.
  Interval interval{0, 10};
  std::vector<std::string> state_names;        ///< Of the entries of start.
  std::vector<std::string> state_units;        ///< Of the same; empty where the file does not say.
  Drawing drawing;                             ///< Of a mechanism.
  bool is_mechanism = true;                    ///< Otherwise a DAE as equations.
  std::optional<BoundaryConditions> boundary;  ///< Of a boundary value problem.
  std::function<VecX(double t)> exact;         ///< State at t; empty where it is not known.
  std::vector<StateEvent> events;              ///< Of the file, then where its equations end.
  std::vector<JointRows> joints;               ///< Rows of constraints by the joint.
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<std::pair<std::string, double>> set;  ///< Those that table solve of the file sets.
  std::vector<std::string> parameter_units;  ///< Of the same, as [units] says; empty: nothing.
  std::vector<std::string> discrete;         ///< Parameters that count something.
  std::vector<std::string> unknown;  ///< Of state_names those that are parameters to be found.
  std::vector<Asked> asked;          ///< Tables solve, output, report.
};

/// Of each joint with rows that follow from others, in words: "1 of 5 rows of revolute a-b".
std::vector<std::string> left_out(const Model& model);

/// What a run from the start is to be warned of: velocities that the file states and the joints do
/// not allow.
std::vector<std::string> start_warnings(const Model& model);

/// @param changed  parameters that are to be others, before what table solve of the file sets;
/// t-end
///                 is the end of the interval.
/// @throws FileError  the file cannot be read.
/// @throws ModelError  something in it is wrong; the message shows the place.
/// @throws InvalidOption  a parameter that it does not have.
Model read_model(const std::string& path,
                 const std::vector<std::pair<std::string, double>>& changed = {});

/// The same of a text. @param name  for messages.
Model model_of(const std::string& text, const std::string& name,
               const std::vector<std::pair<std::string, double>>& changed = {});

}  // namespace daewave::models
