#include "python/module/branch.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "bvp/continuation/follow.hpp"
#include "python/module/bindings.hpp"
#include "python/module/boundary_statement.hpp"

namespace daewave::python {

namespace {

/// An array with one entry, or one column, for each solution on the way.
template <class Value>
py::array_t<Value> along(const bvp::Branch& branch, Value (*value)(const bvp::BranchStep&)) {
  py::array_t<Value> array(static_cast<long>(branch.steps.size()));
  std::transform(branch.steps.begin(), branch.steps.end(), array.mutable_data(), value);
  return array;
}

py::array_t<double> columns_along(const bvp::Branch& branch, VecX bvp::BranchStep::*column) {
  const long count = static_cast<long>(branch.steps.size());
  const long rows = count == 0 ? 0 : static_cast<long>((branch.steps.front().*column).size());
  py::array_t<double> array({rows, count});
  double* to = array.mutable_data();
  for (long row = 0; row < rows; ++row) {
    for (const bvp::BranchStep& step : branch.steps) *to++ = (step.*column)[row];
  }
  return array;
}

/// @return  the branch, and at how many points f was evaluated.
std::pair<bvp::Branch, long> follow_boundary(const py::dict& statement, const py::dict& asked,
                                             const py::dict& how) {
  const auto raised = std::make_shared<Raised>();
  const BoundaryStatement stated(statement, raised);
  bvp::Options options = boundary_options(asked);
  options.mesh = stated.first_mesh();
  const bvp::Continuation continuation = continuation_of(how, raised);
  auto branch =
      without_lock(*raised, [&] { return bvp::follow(stated.family(), continuation, options); });
  return {std::move(branch), stated.evaluated()};
}

}  // namespace

bvp::Continuation continuation_of(const py::dict& how, const std::shared_ptr<Raised>& raised) {
  bvp::Continuation continuation;
  continuation.parameter = how["parameter"].cast<std::string>();
  continuation.to = how["to"].cast<double>();
  continuation.arclength = how["arclength"].cast<bool>();
  continuation.geometric = how["geometric"].cast<std::optional<bool>>();
  continuation.first_step = how["first_step"].cast<std::optional<double>>();
  continuation.loosely = how["loosely"].cast<std::optional<double>>();
  continuation.most_steps = how["most_steps"].cast<int>();
  if (const auto observer = how["observer"].cast<std::optional<py::function>>()) {
    continuation.observer = [tell = Callback(*observer, raised)](const bvp::BranchPoint& point) {
      bool goes_on = true;
      tell.with_lock([&](const py::function& function) {
        const py::object answer =
            function(point.value, point.is_fold, bvp::Solution(point.solution));
        goes_on = !answer.is(py::bool_(false));
      });
      return goes_on;
    };
  }
  return continuation;
}

void bind_branch(py::module_& module) {
  using bvp::Branch;
  using bvp::BranchStep;
  py::class_<Branch>(module, "BoundaryBranch")
      .def_readonly("parameter", &Branch::parameter)
      .def_readonly("unknown_names", &Branch::unknown_names)
      .def_readonly("last", &Branch::last)
      .def_readonly("reached", &Branch::reached)
      .def_readonly("rejected", &Branch::rejected)
      .def_readonly("report", &Branch::report)
      .def_property_readonly("folds", [](const Branch& branch) { return py::cast(branch.folds()); })
      .def_property_readonly("values",
                             [](const Branch& branch) {
                               return along<double>(
                                   branch, [](const BranchStep& step) { return step.value; });
                             })
      .def_property_readonly("is_fold",
                             [](const Branch& branch) {
                               return along<bool>(
                                   branch, [](const BranchStep& step) { return step.is_fold; });
                             })
      .def_property_readonly("intervals",
                             [](const Branch& branch) {
                               return along<int>(
                                   branch, [](const BranchStep& step) { return step.intervals; });
                             })
      .def_property_readonly(
          "largest",
          [](const Branch& branch) { return columns_along(branch, &BranchStep::largest); })
      .def_property_readonly("unknowns", [](const Branch& branch) {
        return columns_along(branch, &BranchStep::unknowns);
      });
  module.def("follow_boundary", &follow_boundary, py::arg("statement"), py::arg("asked"),
             py::arg("how"));
}

}  // namespace daewave::python
