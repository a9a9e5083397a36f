// Boundary value problems.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bvp/nonlinear/solve.hpp"
#include "bvp/statement/remembered_conditions.hpp"
#include "python/module/bindings.hpp"
#include "python/module/boundary_members.hpp"
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

VecX times_of(const Array& times) { return Eigen::Map<const VecX>(times.data(), times.size()); }

/// Rows as rows of NumPy.
py::array_t<double> rows_of(const MatX& values) {
  py::array_t<double> array({static_cast<long>(values.rows()), static_cast<long>(values.cols())});
  double* to = array.mutable_data();
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    for (Eigen::Index p = 0; p < values.cols(); ++p) *to++ = values(i, p);
  }
  return array;
}

/// What is carried at each of some times.
py::array_t<double> multipliers_at(const bvp::Solution& solution, const Array& times) {
  MatX values(solution.multiplier(solution.mesh().begin()).size(), times.size());
  for (long p = 0; p < times.size(); ++p) values.col(p) = solution.multiplier(times.data()[p]);
  return rows_of(values);
}

/// Points inside each interval at which a residual is looked at, and weights of its mean: of the
/// formula of Lobatto with five points, at whose ends a residual vanishes, or S is singular.
constexpr int points_inside = 3;
const double place_inside[points_inside] = {0, -std::sqrt(3.0 / 7), std::sqrt(3.0 / 7)};
constexpr double weight_inside[points_inside] = {16.0 / 45, 49.0 / 180, 49.0 / 180};

/// Times of these points, the middles of all intervals first; states and slopes there.
py::tuple inside(const bvp::Solution& solution) {
  const std::vector<double>& nodes = solution.mesh().nodes();
  const int intervals = solution.mesh().intervals();
  VecX times(points_inside * intervals);
  for (int j = 0; j < points_inside; ++j) {
    for (int i = 0; i < intervals; ++i) {
      const double middle = (nodes[i] + nodes[i + 1]) / 2, half = (nodes[i + 1] - nodes[i]) / 2;
      times[j * intervals + i] = middle + place_inside[j] * half;
    }
  }
  return py::make_tuple(array_of(times), rows_of(solution.x(times)),
                        rows_of(solution.slope(times)));
}

/// Of each interval, of slopes at its points less what they are to be, relative to 1 + that.
py::array_t<double> rms_residuals(const Array& slopes, const Array& wanted) {
  if (slopes.ndim() != 2 || wanted.ndim() != 2 || slopes.shape(0) != wanted.shape(0) ||
      slopes.shape(1) != wanted.shape(1)) {
    throw py::value_error(fmt::format("fun returned shape {}; its shape is to be {}",
                                      std::string(py::str(wanted.attr("shape"))),
                                      std::string(py::str(slopes.attr("shape")))));
  }
  const auto rows = slopes.shape(0), intervals = slopes.shape(1) / points_inside;
  VecX squares = VecX::Zero(intervals);
  const double *slope = slopes.data(), *is_to_be = wanted.data();
  for (long row = 0; row < rows; ++row) {
    for (int j = 0; j < points_inside; ++j) {
      for (long i = 0; i < intervals; ++i, ++slope, ++is_to_be) {
        const double off = (*slope - *is_to_be) / (1 + std::abs(*is_to_be));
        squares[i] += weight_inside[j] * off * off;
      }
    }
  }
  return array_of(squares.cwiseSqrt());
}

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

/// Everything is brought into shape by daewave/boundary_functions.py.
/// @param functions_of  of p: functions by their names, as for problem_functions_of().
/// @param conditions    of (left, right), and of p where they take parameters.
/// @param slopes        of the same: derivatives by left, and beside these by right; or None.
/// @param on_each_mesh  called with each solution on the way; or None.
/// @param from          a solution to start from, with its mesh; null: the guess, at its nodes.
/// @return              the solution, and at how many points f was evaluated.
std::pair<bvp::Solution, long> solve_boundary(
    const std::string& kind_name, int nq, int ny, const py::function& functions_of,
    const py::function& conditions, const std::optional<py::function>& slopes, bool take_parameters,
    const Array& nodes, const Array& guess, const Array& parameters,
    const std::optional<Array>& singular_term, double tolerance, double residual_tolerance,
    int max_nodes, const std::optional<std::string>& variant, const std::optional<double>& epsilon,
    std::optional<int> stages, const std::optional<py::function>& on_each_mesh,
    const bvp::Solution* from) {
  const auto raised = std::make_shared<Raised>();
  const Callback bind(functions_of, raised);
  ConditionCalls of_ends{Callback(conditions, raised), std::nullopt, take_parameters};
  if (slopes) of_ends.slopes.emplace(*slopes, raised);
  const Kind kind = kind_named(kind_name);
  const Guess first{{nodes.data(), nodes.data() + nodes.size()}, matrix_of(guess)};
  const MatX S = singular_term ? matrix_of(*singular_term) : MatX();
  const auto evaluated = std::make_shared<long>(0);

  bvp::ProblemFamily family;
  family.p = Eigen::Map<const VecX>(parameters.data(), parameters.size());
  for (int i = 0; i < family.p.size(); ++i) family.unknown.push_back(i);
  family.member = [=](const VecX& p) {
    ProblemFunctions functions;
    bind.with_lock([&](const py::function& function) {
      functions =
          problem_functions_of(kind, {.nq = nq, .ny = ny}, function(array_of(p)), true, raised);
    });
    functions.f = [f = std::move(functions.f), evaluated](const Points& at, double* out) {
      *evaluated += at.count;
      f(at, out);
    };
    bvp::BoundaryProblem problem;
    problem.equations = problem_from_functions(std::move(functions));
    problem.interval = {first.t.front(), first.t.back()};
    problem.conditions = of_ends.at(p);
    problem.singular_term = S;
    problem.guess = first;
    return problem;
  };

  bvp::Options options;
  options.tolerance = tolerance;
  options.residual_tolerance = residual_tolerance;
  options.stages = stages;
  if (from == nullptr) options.mesh = Mesh(first.t);
  if (variant) options.variant = variant_named(*variant);
  options.epsilon = epsilon;
  if (from != nullptr) options.from = *from;
  options.max_intervals = max_nodes - 1;
  if (on_each_mesh) {
    options.on_each_mesh = [tell = Callback(*on_each_mesh, raised)](const bvp::Solution& found) {
      tell.with_lock([&](const py::function& function) { function(found); });
    };
  }
  auto solution = without_lock(*raised, [&] {
    return family.p.size() == 0 ? bvp::solve(family.member(family.p), options)
                                : bvp::solve(family, options);
  });
  return {std::move(solution), *evaluated};
}

}  // namespace

void bind_boundary(py::module_& module) {
  using bvp::Solution;
  py::class_<Solution>(module, "BoundarySolution")
      .def_readonly("report", &Solution::report)
      .def_property_readonly("has_values", &Solution::has_values)
      .def_property_readonly("parameters",
                             [](const Solution& solution) { return array_of(solution.parameters); })
      .def_property_readonly("nodes",
                             [](const Solution& solution) {
                               const auto& nodes = solution.mesh().nodes();
                               return py::array_t<double>(nodes.size(), nodes.data());
                             })
      .def_property_readonly("carries_By", &Solution::carries_By)
      .def("x", [](const Solution& solution,
                   const Array& times) { return rows_of(solution.x(times_of(times))); })
      .def("slope", [](const Solution& solution,
                       const Array& times) { return rows_of(solution.slope(times_of(times))); })
      .def("at_nodes",
           [](const Solution& solution) {
             const auto& nodes = solution.mesh().nodes();
             const VecX times = Eigen::Map<const VecX>(nodes.data(), nodes.size());
             return py::make_tuple(array_of(times), rows_of(solution.x_at_nodes()),
                                   rows_of(solution.slope(times)));
           })
      .def("inside", &inside)
      .def(pickling<Solution>())
      .def("multiplier", &multipliers_at);
  module.def("rms_residuals", &rms_residuals, py::arg("slopes"), py::arg("wanted"));
  module.def("solve_boundary", &solve_boundary, py::arg("kind"), py::arg("nq"), py::arg("ny"),
             py::arg("functions_of"), py::arg("conditions"), py::arg("slopes"),
             py::arg("take_parameters"), py::arg("nodes"), py::arg("guess"), py::arg("parameters"),
             py::arg("singular_term"), py::arg("tolerance"), py::arg("residual_tolerance"),
             py::arg("max_nodes"), py::arg("variant"), py::arg("epsilon"), py::arg("stages"),
             py::arg("on_each_mesh"), py::arg("from_"));
}

}  // namespace daewave::python
