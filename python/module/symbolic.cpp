// Expressions that Python builds node by node, and problems made of them.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/expression/meaning.hpp"
#include "models/expression/substitution.hpp"
#include "models/model.hpp"
#include "models/problem/equations.hpp"
#include "python/module/bindings.hpp"
#include "python/module/graph_members.hpp"

namespace daewave::python {

namespace {

using models::Graph;
using models::Operation;
using models::Ref;

/// A function of model files, or an operation that has a sign there.
Operation operation_named(const std::string& name) {
  if (const std::optional<Operation> function = models::function_named(name)) return *function;
  static const std::map<std::string, Operation> signs = {{"add", Operation::add},
                                                         {"subtract", Operation::subtract},
                                                         {"multiply", Operation::multiply},
                                                         {"divide", Operation::divide},
                                                         {"negate", Operation::negate},
                                                         {"minimum", Operation::minimum},
                                                         {"maximum", Operation::maximum},
                                                         {"less", Operation::less},
                                                         {"less_equal", Operation::less_equal},
                                                         {"select", Operation::select}};
  const auto found = signs.find(name);
  if (found == signs.end()) throw py::value_error("no operation " + name);
  return found->second;
}

/// Operands are of this graph, and as many as the operation has.
void check_operands(const Graph& graph, Operation operation, const std::array<Ref, 3>& of) {
  for (int k = 0; k < 3; ++k) {
    const Ref operand = of[static_cast<std::size_t>(k)];
    const bool wanted = k < models::operands_of(operation);
    if (wanted ? operand < 0 || operand >= graph.size() : operand != -1) {
      throw py::value_error("an operand is not of this graph");
    }
  }
}

/// Kinds of which SymPy derives equations.
Kind kind_named(const std::string& name) {
  if (name == "multibody") return Kind::multibody;
  if (name == "invariants") return Kind::invariants;
  throw py::value_error("no kind " + name);
}

/// @param numbers  of variables that are parameters.
models::Model model_of(const Graph& graph, const py::dict& said,
                       const std::vector<std::pair<int, double>>& numbers) {
  models::Equations e;
  e.kind = kind_named(said["kind"].cast<std::string>());
  e.graph = graph;
  e.nq = said["nq"].cast<int>();
  models::Substitution with_numbers(e.graph, [&](int variable) {
    for (const auto& [which, value] : numbers) {
      if (which == variable) return e.graph.number(value);
    }
    return Ref{-1};
  });
  const auto rows = [&](const char* name) {
    std::vector<Ref> out;
    for (const Ref one : said[name].cast<std::vector<Ref>>()) {
      if (one < 0 || one >= graph.size()) throw py::value_error("a row is not of this graph");
      out.push_back(with_numbers.in(one));
    }
    return out;
  };
  e.f = rows("f");
  e.M = rows("M");
  e.g = rows("g");
  e.w = rows("w");
  e.r = rows("r");
  e.h = rows("h");
  e.position_invariants = said["position_invariants"].cast<int>();
  e.positions = e.position_invariants > 0 ? said["positions"].cast<int>() : 0;
  models::Model model;
  model.name = e.name = said["name"].cast<std::string>();
  model.state_names = e.state_names = said["state_names"].cast<std::vector<std::string>>();
  model.start = said["start"].cast<VecX>();
  model.is_mechanism = false;
  e.start = model.start;
  if (e.kind == Kind::invariants) e.start_algebraic = VecX::Zero(static_cast<int>(e.r.size()));
  model.problem = models::problem_of(std::move(e));
  return model;
}

}  // namespace

void bind_symbolic(py::module_& module) {
  py::class_<Graph, std::shared_ptr<Graph>>(module, "Graph")
      .def(py::init<>())
      .def(pickling<Graph>())
      .def("number", &Graph::number)
      .def("variable",
           [](Graph& graph, int index) {
             if (index < 0) throw py::value_error("no such variable");
             return graph.variable(index);
           })
      .def("power",
           [](Graph& graph, Ref a, Ref b) {
             check_operands(graph, Operation::add, {a, b, -1});
             return graph.power(a, b);
           })
      .def(
          "make",
          [](Graph& graph, const std::string& name, Ref a, Ref b, Ref c) {
            const Operation operation = operation_named(name);
            check_operands(graph, operation, {a, b, c});
            return graph.make(operation, a, b, c);
          },
          py::arg("name"), py::arg("a"), py::arg("b") = -1, py::arg("c") = -1);
  module.def("model_of_graph", &model_of);
}

}  // namespace daewave::python
