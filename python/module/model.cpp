// Model files.

#include "models/model.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "python/module/bindings.hpp"
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
      .def_readonly("parameters", &Model::parameters)
      .def_property_readonly("start", [](const Model& model) { return array_of(model.start); })
      .def_property_readonly("interval",
                             [](const Model& model) {
                               return std::pair{model.interval.begin, model.interval.end};
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
      .def("solve", [](const Model& model, const VecX& start, double begin, double end,
                       const py::dict& asked) {
        return solve_initial(*model.problem, start, {begin, end}, asked,
                             std::make_shared<Raised>());
      });
  module.def("read_model", [](const std::string& path, const py::dict& parameters) {
    return models::read_model(path, changes_of(parameters));
  });
  module.def("model_of",
             [](const std::string& text, const std::string& name, const py::dict& parameters) {
               return models::model_of(text, name, changes_of(parameters));
             });
}

}  // namespace daewave::python
