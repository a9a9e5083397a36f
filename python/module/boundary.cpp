// Boundary value problems.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bvp/nonlinear/solve.hpp"
#include "python/module/bindings.hpp"
#include "python/module/boundary_members.hpp"
#include "python/module/boundary_statement.hpp"

namespace daewave::python {

namespace {

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

/// Times of these points, the middles of all intervals first, and further ones; states and slopes
/// there.
py::tuple inside(const bvp::Solution& solution, const Array& further) {
  const std::vector<double>& nodes = solution.mesh().nodes();
  const int intervals = solution.mesh().intervals();
  VecX times(points_inside * intervals + further.size());
  times.tail(further.size()) = times_of(further);
  for (int j = 0; j < points_inside; ++j) {
    for (int i = 0; i < intervals; ++i) {
      const double middle = (nodes[i] + nodes[i + 1]) / 2, half = (nodes[i + 1] - nodes[i]) / 2;
      times[j * intervals + i] = middle + place_inside[j] * half;
    }
  }
  return py::make_tuple(array_of(times), rows_of(solution.x(times)),
                        rows_of(solution.slope(times)));
}

/// Of slopes at such points less what they are to be, relative to 1 + that: the root of a mean
/// square in each interval, and the largest one at the further points.
py::tuple residuals(const Array& slopes, const Array& wanted, long further) {
  if (slopes.ndim() != 2 || wanted.ndim() != 2 || slopes.shape(0) != wanted.shape(0) ||
      slopes.shape(1) != wanted.shape(1)) {
    throw py::value_error(fmt::format("fun returned shape {}; its shape is to be {}",
                                      std::string(py::str(wanted.attr("shape"))),
                                      std::string(py::str(slopes.attr("shape")))));
  }
  const auto rows = slopes.shape(0), intervals = (slopes.shape(1) - further) / points_inside;
  VecX squares = VecX::Zero(intervals);
  const double *slope = slopes.data(), *is_to_be = wanted.data();
  double largest = 0;
  const auto next_difference = [&] {
    const double off = (*slope - *is_to_be) / (1 + std::abs(*is_to_be));
    ++slope;
    ++is_to_be;
    return off;
  };
  for (long row = 0; row < rows; ++row) {
    for (int j = 0; j < points_inside; ++j) {
      for (long i = 0; i < intervals; ++i) {
        const double off = next_difference();
        squares[i] += weight_inside[j] * off * off;
      }
    }
    for (long i = 0; i < further; ++i) largest = std::max(largest, std::abs(next_difference()));
  }
  return py::make_tuple(array_of(squares.cwiseSqrt()), largest);
}

/// @param statement           see BoundaryStatement.
/// @param residual_tolerance  of the residual, beside that of the error.
/// @param on_each_mesh        called with each solution on the way; or None.
/// @param from                a solution to begin with, on its mesh; null: the guess, at its nodes.
/// @return                    the solution, and at how many points f was evaluated.
std::pair<bvp::Solution, long> solve_boundary(const py::dict& statement, const py::dict& asked,
                                              double residual_tolerance,
                                              const std::optional<py::function>& on_each_mesh,
                                              const bvp::Solution* from) {
  const auto raised = std::make_shared<Raised>();
  const BoundaryStatement stated(statement, raised);
  bvp::Options options = boundary_options(asked);
  options.residual_tolerance = residual_tolerance;
  if (from != nullptr) {
    options.from = *from;
  } else {
    options.mesh = stated.first_mesh();
  }
  if (on_each_mesh) {
    options.on_each_mesh = [tell = Callback(*on_each_mesh, raised)](const bvp::Solution& found) {
      tell.with_lock([&](const py::function& function) { function(found); });
    };
  }
  const bvp::ProblemFamily& family = stated.family();
  auto solution = without_lock(*raised, [&] {
    return family.p.size() == 0 ? bvp::solve(family.member(family.p), options)
                                : bvp::solve(family, options);
  });
  return {std::move(solution), stated.evaluated()};
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
  module.def("residuals", &residuals, py::arg("slopes"), py::arg("wanted"), py::arg("further"));
  module.def("solve_boundary", &solve_boundary, py::arg("statement"), py::arg("asked"),
             py::arg("residual_tolerance"), py::arg("on_each_mesh"), py::arg("from_"));
}

}  // namespace daewave::python
