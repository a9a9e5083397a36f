// Boundary value problems.

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bvp/nonlinear/remembered_conditions.hpp"
#include "bvp/nonlinear/solve.hpp"
#include "python/module/bindings.hpp"
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

/// What value(t) is at each of some times, one in each column.
template <class Value>
py::array_t<double> at_times(const Array& times, int rows, const Value& value) {
  py::array_t<double> array({static_cast<long>(rows), static_cast<long>(times.size())});
  auto entry = array.mutable_unchecked<2>();
  for (long p = 0; p < times.size(); ++p) {
    const VecX column = value(times.data()[p]);
    for (int i = 0; i < rows; ++i) entry(i, p) = column[i];
  }
  return array;
}

/// Conditions whose derivatives are known. Newton's method takes differences of conditions
/// (bvp/nonlinear/forward_differences.hpp): one entry of a state moved by a part of it of the order
/// of 1e-8, and then further by factors of 1e4 where that is lost in rounding. Moved so from the
/// states of the last call, conditions are what the derivatives say.
class Differentiated {
 public:
  using Conditions = std::function<VecX(const VecX& left, const VecX& right)>;
  using Slopes = std::function<MatX(const VecX& left, const VecX& right)>;

  Differentiated(Conditions conditions, Slopes slopes)
      : conditions_(std::move(conditions)), slopes_(std::move(slopes)) {}

  VecX operator()(const VecX& left, const VecX& right) {
    VecX x(left.size() + right.size());
    x << left, right;
    if (is_difference(x)) {
      if (slope_.size() == 0) slope_ = slopes_(at_.head(left.size()), at_.tail(right.size()));
      return value_ + by_ * slope_.col(moved_);
    }
    value_ = conditions_(left, right);
    at_ = x;
    moved_ = -1;
    slope_.resize(0, 0);
    return value_;
  }

 private:
  bool is_difference(const VecX& x) {
    constexpr double little = 1e-6, least_further = 0.99e4, most_further = 1.01e4;
    if (x.size() != at_.size()) return false;
    int moved = -1;
    for (int i = 0; i < x.size(); ++i) {
      if (x[i] == at_[i]) continue;
      if (moved >= 0) return false;
      moved = i;
    }
    if (moved < 0) return false;
    const double by = x[moved] - at_[moved], further = moved == moved_ ? by / by_ : 0;
    const bool goes_on = further > least_further && further < most_further;
    if (!goes_on && !(std::abs(by) <= little * (1 + std::abs(at_[moved])))) return false;
    moved_ = moved;
    by_ = by;
    return true;
  }

  Conditions conditions_;
  Slopes slopes_;
  VecX at_, value_;
  MatX slope_;
  int moved_ = -1;  ///< The entry last moved, and by how much.
  double by_ = 0;
};

/// Everything is brought into shape by daewave/boundary.py.
/// @param functions_of  of p: functions by their names, as for problem_functions_of().
/// @param conditions    of (left, right, p).
/// @param slopes        of the same: derivatives by left, and beside these by right; or None.
/// @param from          a solution to start from, with its mesh; null: the guess, at its nodes.
bvp::Solution solve_boundary(const std::string& kind_name, int nq, int ny,
                             const py::function& functions_of, const py::function& conditions,
                             const std::optional<py::function>& slopes, const Array& nodes,
                             const Array& guess, const Array& parameters,
                             const std::optional<Array>& singular_term, double tolerance,
                             double residual_tolerance, int max_nodes,
                             const std::optional<std::string>& variant,
                             const std::optional<double>& epsilon, std::optional<int> stages,
                             const bvp::Solution* from) {
  const auto raised = std::make_shared<Raised>();
  const Callback bind(functions_of, raised);
  const Callback at_ends(conditions, raised);
  std::optional<Callback> slopes_at_ends;
  if (slopes) slopes_at_ends.emplace(*slopes, raised);
  const Kind kind = kind_named(kind_name);
  const Guess first{{nodes.data(), nodes.data() + nodes.size()}, matrix_of(guess)};
  const MatX S = singular_term ? matrix_of(*singular_term) : MatX();

  bvp::ProblemFamily family;
  family.p = Eigen::Map<const VecX>(parameters.data(), parameters.size());
  for (int i = 0; i < family.p.size(); ++i) family.unknown.push_back(i);
  family.member = [=](const VecX& p) {
    ProblemFunctions functions;
    bind.with_lock([&](const py::function& function) {
      functions =
          problem_functions_of(kind, {.nq = nq, .ny = ny}, function(array_of(p)), true, raised);
    });
    bvp::BoundaryProblem problem;
    problem.equations = problem_from_functions(std::move(functions));
    problem.interval = {first.t.front(), first.t.back()};
    const auto of_ends = [at_ends, p](const VecX& left, const VecX& right) {
      VecX values;
      at_ends.with_lock([&](const py::function& function) {
        values = vector_of(function(array_of(left), array_of(right), array_of(p)), -1, "bc");
      });
      return values;
    };
    if (slopes_at_ends) {
      const auto all = std::make_shared<Differentiated>(
          of_ends, [slopes_at_ends, p](const VecX& left, const VecX& right) {
            MatX values;
            slopes_at_ends->with_lock([&](const py::function& function) {
              values = matrix_of(
                  numbers_of(function(array_of(left), array_of(right), array_of(p)), "bc_jac"));
            });
            return values;
          });
      problem.conditions = [all](const VecX& left, const VecX& right) {
        return (*all)(left, right);
      };
    } else {
      problem.conditions = bvp::remembered(of_ends);
    }
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
  return without_lock(*raised, [&] {
    return family.p.size() == 0 ? bvp::solve(family.member(family.p), options)
                                : bvp::solve(family, options);
  });
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
      .def("x",
           [](const Solution& solution, const Array& times) {
             return at_times(times, solution.nx(), [&](double t) { return solution.x(t); });
           })
      .def("slope",
           [](const Solution& solution, const Array& times) {
             return at_times(times, solution.nx(), [&](double t) { return solution.slope(t); });
           })
      .def("multiplier", [](const Solution& solution, const Array& times) {
        const int rows = static_cast<int>(solution.multiplier(solution.mesh().begin()).size());
        return at_times(times, rows, [&](double t) { return solution.multiplier(t); });
      });
  module.def("solve_boundary", &solve_boundary, py::arg("kind"), py::arg("nq"), py::arg("ny"),
             py::arg("functions_of"), py::arg("conditions"), py::arg("slopes"), py::arg("nodes"),
             py::arg("guess"), py::arg("parameters"), py::arg("singular_term"),
             py::arg("tolerance"), py::arg("residual_tolerance"), py::arg("max_nodes"),
             py::arg("variant"), py::arg("epsilon"), py::arg("stages"), py::arg("from_"));
}

}  // namespace daewave::python
