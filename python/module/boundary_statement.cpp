#include "python/module/boundary_statement.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "bvp/statement/remembered_conditions.hpp"
#include "python/module/differentiated.hpp"
#include "python/module/problem_functions.hpp"

namespace daewave::python {

namespace {

MatX matrix_of(const Array& array) {
  if (array.ndim() != 2) throw py::value_error("an array of two dimensions is needed");
  using Rows = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const Rows>(array.data(), array.shape(0), array.shape(1));
}

/// Columns at the nodes of a first mesh, and the lines between them.
struct Guess {
  std::vector<double> t;
  MatX values;

  VecX operator()(double at) const {
    const long i = std::upper_bound(t.begin() + 1, t.end() - 1, at) - t.begin();
    const double part = (at - t[i - 1]) / (t[i] - t[i - 1]);
    return (1 - part) * values.col(i - 1) + part * values.col(i);
  }
};

/// What users' functions are called with beside states.
struct ConditionCalls {
  Callback conditions;
  std::optional<Callback> slopes;
  bool take_parameters = false;  ///< As the last argument.

  template <class Value>
  auto call(const Callback& callback, const VecX& left, const VecX& right, const VecX& p,
            const Value& value) const {
    decltype(value(py::object())) result;
    callback.with_lock([&](const py::function& function) {
      const auto at_left = array_of(left), at_right = array_of(right);
      result = value(take_parameters ? call_with(function, at_left, at_right, array_of(p))
                                     : call_with(function, at_left, at_right));
    });
    return result;
  }

  /// Of the problem with parameters p.
  bvp::Conditions at(const VecX& p) const {
    const auto of_ends = [*this, p](const VecX& left, const VecX& right) {
      return call(conditions, left, right, p,
                  [](const py::object& values) { return vector_of(values, -1, "bc"); });
    };
    if (!slopes) return bvp::remembered(of_ends);
    const auto all =
        std::make_shared<Differentiated>(of_ends, [*this, p](const VecX& left, const VecX& right) {
          return call(*slopes, left, right, p, [](const py::object& values) {
            return matrix_of(numbers_of(values, "bc_jac"));
          });
        });
    return [all](const VecX& left, const VecX& right) { return (*all)(left, right); };
  }
};

template <class Value>
Value of(const py::dict& from, const char* name) {
  try {
    return from[name].cast<Value>();
  } catch (const py::cast_error&) {
    throw py::type_error(
        fmt::format("{} = {}: of the wrong type", name, std::string(py::repr(from[name]))));
  }
}

}  // namespace

BoundaryStatement::BoundaryStatement(const py::dict& statement,
                                     const std::shared_ptr<Raised>& raised) {
  const Callback bind(of<py::function>(statement, "functions_of"), raised);
  ConditionCalls of_ends{Callback(of<py::function>(statement, "conditions"), raised), std::nullopt,
                         of<bool>(statement, "take_parameters")};
  if (const auto slopes = of<std::optional<py::function>>(statement, "slopes")) {
    of_ends.slopes.emplace(*slopes, raised);
  }
  const Kind kind = kind_named(of<std::string>(statement, "kind"));
  const Sizes sizes{.nq = of<int>(statement, "nq"), .ny = of<int>(statement, "ny")};
  const auto nodes = of<Array>(statement, "nodes");
  nodes_.assign(nodes.data(), nodes.data() + nodes.size());
  const Guess first{nodes_, matrix_of(of<Array>(statement, "guess"))};
  const auto singular_term = of<std::optional<Array>>(statement, "singular_term");
  const MatX S = singular_term ? matrix_of(*singular_term) : MatX();

  const auto parameters = of<Array>(statement, "parameters");
  family_.p = Eigen::Map<const VecX>(parameters.data(), parameters.size());
  family_.names = of<std::vector<std::string>>(statement, "names");
  family_.unknown = of<std::vector<int>>(statement, "unknown");
  family_.member = [=, evaluated = evaluated_](const VecX& p) {
    ProblemFunctions functions;
    bind.with_lock([&](const py::function& function) {
      functions = problem_functions_of(kind, sizes, function(array_of(p)), true, raised);
    });
    functions.f = [f = std::move(functions.f), evaluated](const Points& at, double* out) {
      *evaluated += at.count;
      f(at, out);
    };
    functions.interval = Interval{first.t.front(), first.t.back()};
    bvp::BoundaryProblem problem;
    problem.equations = problem_from_functions(std::move(functions));
    problem.interval = {first.t.front(), first.t.back()};
    problem.conditions = of_ends.at(p);
    problem.singular_term = S;
    problem.guess = first;
    return problem;
  };
}

bvp::Options boundary_options(const py::dict& asked) {
  bvp::Options options;
  options.tolerance = of<double>(asked, "tolerance");
  options.max_intervals = of<int>(asked, "max_nodes") - 1;
  if (const auto variant = of<std::optional<std::string>>(asked, "variant")) {
    options.variant = variant_named(*variant);
  }
  options.epsilon = of<std::optional<double>>(asked, "epsilon");
  options.stages = of<std::optional<int>>(asked, "stages");
  options.iterates = of<std::optional<int>>(asked, "iterates");
  options.alpha1 = of<std::optional<double>>(asked, "alpha1");
  options.alpha2 = of<std::optional<double>>(asked, "alpha2");
  if (const auto scheme = of<std::optional<std::string>>(asked, "scheme")) {
    options.scheme = scheme_named(*scheme);
  }
  return options;
}

}  // namespace daewave::python
