// Model files.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bvp/continuation/follow.hpp"
#include "bvp/nonlinear/solve.hpp"
#include "models/boundary_as.hpp"
#include "python/module/bindings.hpp"
#include "python/module/boundary_statement.hpp"
#include "python/module/branch.hpp"
#include "python/module/drawings.hpp"
#include "python/module/initial.hpp"

namespace daewave::python {

namespace {

using Changes = std::vector<std::pair<std::string, double>>;

Changes changes_of(const py::dict& parameters) {
  Changes changes;
  for (const auto& [name, value] : parameters) {
    changes.emplace_back(name.cast<std::string>(), value.cast<double>());
  }
  return changes;
}

/// Nothing of Python is called while a model is solved but this, which sees a key that was pressed.
std::function<bool(const bvp::Progress&)> stopping_at_key(const std::shared_ptr<Raised>& raised) {
  return [call = Callback(py::cpp_function([] {}), raised)](const bvp::Progress&) {
    try {
      call.with_lock([](const py::function&) {});
    } catch (const Interrupted&) {
      return false;
    }
    return true;
  };
}

/// @param how  see continuation_of().
bvp::Branch follow_model(const std::string& text, const std::string& name,
                         const py::dict& parameters, const py::dict& asked, const py::dict& how) {
  const auto raised = std::make_shared<Raised>();
  const Changes fixed = changes_of(parameters);
  const bvp::Continuation continuation = continuation_of(how, raised);
  bvp::ProblemFamily family;
  family.names = {continuation.parameter};
  family.p = VecX::Constant(1, how["begin"].cast<double>());
  family.member = [=](const VecX& p) {
    Changes changed = fixed;
    changed.emplace_back(continuation.parameter, p[0]);
    return models::boundary_as<bvp::BoundaryProblem>(models::model_of(text, name, changed));
  };
  bvp::Options options = boundary_options(asked);
  options.progress = stopping_at_key(raised);
  auto branch = without_lock(*raised, [&] { return bvp::follow(family, continuation, options); });
  raised->rethrow();  // A key: no error is known of what there is.
  return branch;
}

bvp::Solution solve_boundary_model(const models::Model& model, const py::dict& asked) {
  const auto raised = std::make_shared<Raised>();
  bvp::Options options = boundary_options(asked);
  options.progress = stopping_at_key(raised);
  auto solution = without_lock(*raised, [&] {
    return bvp::solve(models::boundary_as<bvp::BoundaryProblem>(model), options);
  });
  raised->rethrow();
  return solution;
}

}  // namespace

void bind_model(py::module_& module) {
  using models::Model;
  py::class_<Model>(module, "ModelFile")
      .def_readonly("name", &Model::name)
      .def_readonly("title", &Model::title)
      .def_readonly("start_moved", &Model::start_moved)
      .def_property_readonly("has_boundary",
                             [](const Model& model) { return model.boundary.has_value(); })
      .def_readonly("state_names", &Model::state_names)
      .def_readonly("state_units", &Model::state_units)
      .def_property_readonly("drawing", [](const Model& model) { return dict_of(model.drawing); })
      .def_readonly("parameters", &Model::parameters)
      .def_property_readonly("start", [](const Model& model) { return array_of(model.start); })
      .def_property_readonly("interval",
                             [](const Model& model) {
                               return std::pair{model.interval.begin, model.interval.end};
                             })
      .def_property_readonly("events",
                             [](const Model& model) {
                               py::list all;
                               for (const models::StateEvent& event : model.events) {
                                 py::dict one;
                                 one["name"] = event.name;
                                 one["terminal"] = event.terminal && !event.of_equations;
                                 all.append(one);
                               }
                               return all;
                             })
      .def("energy",
           [](const Model& model, const VecX& state) -> py::object {
             if (state.size() != model.problem->state_size()) {
               throw py::value_error("y is to have a row for each state");
             }
             if (!model.problem->structure().has_energy) return py::none();
             const long nq = model.problem->sizes().nq;
             return py::float_(model.problem->energy(state.data(), state.data() + nq));
           })
      .def("solve",
           [](const Model& model, const VecX& start, double begin, double end,
              const py::dict& asked) {
             const bool has_unknowns = model.problem->kind() == Kind::invariants;
             const VecX w =
                 has_unknowns ? model.problem->start_algebraic().value_or(VecX()) : VecX();
             InitialRun run = solve_initial(*model.problem, start, w, {begin, end}, asked,
                                            std::make_shared<Raised>(),
                                            models::events_as<ivp::Event>(model.events));
             if (start == model.start) {
               std::vector<std::string>& warnings = run.report.warnings;
               const std::vector<std::string> more = models::start_warnings(model);
               warnings.insert(warnings.begin(), more.begin(), more.end());
             }
             return run;
           })
      .def("solve_boundary", &solve_boundary_model);
  module.def("follow_model", &follow_model, py::arg("text"), py::arg("name"), py::arg("parameters"),
             py::arg("asked"), py::arg("how"));
  module.def("model_text", &models::read_model_text, py::arg("path"));
  module.def("model_of",
             [](const std::string& text, const std::string& name, const py::dict& parameters) {
               return models::model_of(text, name, changes_of(parameters));
             });
}

}  // namespace daewave::python
