#include "python/module/problem_functions.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace daewave::python {

namespace {

struct Shape {
  int rows = 0;
  int columns = 0;  ///< 0: of a vector.
};

/// Rows by points, or rows by columns by points, to the layout of a BatchFunction.
void copy_result(const py::object& result, const Shape& shape, int points, const std::string& name,
                 double* out) {
  const Array array = numbers_of(result, name);
  std::vector<py::ssize_t> wanted{shape.rows};
  if (shape.columns > 0) wanted.push_back(shape.columns);
  wanted.push_back(points);
  if (!std::equal(wanted.begin(), wanted.end(), array.shape(), array.shape() + array.ndim())) {
    throw py::value_error(fmt::format(
        "{} returned shape {}; for {} point{} its shape is to be ({}): functions are called with "
        "many points at once, one in each column",
        name, std::string(py::str(array.attr("shape"))), points, points == 1 ? "" : "s",
        fmt::join(wanted, ", ")));
  }
  const int columns = std::max(shape.columns, 1);
  const double* next = array.data();
  for (int i = 0; i < shape.rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      for (int p = 0; p < points; ++p) {
        out[static_cast<long>(i + j * shape.rows) * points + p] = *next++;
      }
    }
  }
}

}  // namespace

Kind kind_named(const std::string& name) {
  for (const Kind kind : {Kind::ordinary, Kind::index_2, Kind::second_order, Kind::multibody}) {
    if (name == name_of(kind)) return kind;
  }
  throw InvalidOption(fmt::format("kind: '{}' is none", name));
}

ProblemFunctions problem_functions_of(Kind kind, const Sizes& sizes, const py::dict& functions,
                                      const std::shared_ptr<Raised>& raised) {
  struct Member {
    const char* name;
    const char* of_users;  ///< What the front doors call it.
    BatchFunction ProblemFunctions::*function;
    Shape shape;
    bool of_velocities = true;
  };
  const int nq = sizes.nq, ny = sizes.ny;
  const std::array members{
      Member{"f", "fun", &ProblemFunctions::f, {nq, 0}},
      Member{"M", "mass", &ProblemFunctions::M, {nq, nq}, false},
      Member{"B", "B", &ProblemFunctions::B, {nq, ny}, false},
      Member{"g", "constraint", &ProblemFunctions::g, {ny, 0}, false},
      Member{"G", "constraint_jac", &ProblemFunctions::G, {ny, nq}, false},
      Member{"f_q", "fun_jac", &ProblemFunctions::f_q, {nq, nq}},
  };
  const bool has_velocity = kind == Kind::second_order || kind == Kind::multibody;
  ProblemFunctions problem{.kind = kind, .sizes = sizes, .differences = true};
  for (const Member& member : members) {
    if (!functions.contains(member.name) || functions[member.name].is_none()) continue;
    const bool with_v = has_velocity && member.of_velocities;
    problem.*member.function = [callback = Callback(functions[member.name], raised),
                                name = std::string(member.of_users), shape = member.shape,
                                rows = nq, with_v](const Points& at, double* out) {
      callback.with_lock([&](const py::function& function) {
        const auto t = py::array_t<double>(at.count, at.t);
        const auto q = array_of_points(at.q, rows, at.count, at.stride);
        const py::object result =
            with_v ? function(t, q, array_of_points(at.v, rows, at.count, at.stride))
                   : function(t, q);
        copy_result(result, shape, at.count, name, out);
      });
    };
  }
  return problem;
}

}  // namespace daewave::python
