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
  const auto array = Array::ensure(result);
  if (!array) {
    PyErr_Clear();
    throw py::value_error(fmt::format("{}: what it returned is no array of numbers", name));
  }
  std::vector<py::ssize_t> wanted{shape.rows};
  if (shape.columns > 0) wanted.push_back(shape.columns);
  wanted.push_back(points);
  if (!std::equal(wanted.begin(), wanted.end(), array.shape(), array.shape() + array.ndim())) {
    throw py::value_error(fmt::format(
        "{} returned shape {}; for {} point{} its shape is to be ({}): functions are called with "
        "many points at once, one in each column. vectorized=False takes functions of single "
        "points",
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
  for (const Kind kind : {Kind::ordinary, Kind::index_2, Kind::second_order, Kind::multibody,
                          Kind::invariants}) {
    if (name == name_of(kind)) return kind;
  }
  throw InvalidOption(fmt::format("kind: '{}' is none", name));
}

ProblemFunctions problem_functions_of(Kind kind, const Sizes& sizes, const py::dict& functions,
                                      const std::shared_ptr<Raised>& raised) {
  struct Member {
    const char* name;
    BatchFunction ProblemFunctions::*function;
    Shape shape;
    bool of_velocities = true;
  };
  const auto [nq, ny, nk, nw, nh] = sizes;
  const int nl = sizes.nl();
  const std::array members{
      Member{"f", &ProblemFunctions::f, {nq, 0}},
      Member{"M", &ProblemFunctions::M, {nq, nq}, false},
      Member{"B", &ProblemFunctions::B, {nq, ny}, false},
      Member{"g", &ProblemFunctions::g, {ny, 0}, false},
      Member{"G", &ProblemFunctions::G, {nl, nq}, false},
      Member{"g_t", &ProblemFunctions::g_t, {nl, 0}, false},
      Member{"curvature", &ProblemFunctions::curvature, {nl, 0}},
      Member{"r", &ProblemFunctions::r, {nw, 0}},
      Member{"h", &ProblemFunctions::h, {nh, 0}, false},
      Member{"r_w", &ProblemFunctions::r_w, {nw, nw}},
      Member{"H", &ProblemFunctions::H, {nh, nq}, false},
      Member{"f_q", &ProblemFunctions::f_q, {nq, nq}},
      Member{"f_v", &ProblemFunctions::f_v, {nq, nq}},
      Member{"f_w", &ProblemFunctions::f_w, {nq, nw}},
      Member{"r_q", &ProblemFunctions::r_q, {nw, nq}},
  };
  const bool has_velocity = kind == Kind::second_order || kind == Kind::multibody;
  ProblemFunctions problem{.kind = kind, .sizes = sizes, .differences = true};
  for (const Member& member : members) {
    if (!functions.contains(member.name) || functions[member.name].is_none()) continue;
    const int second = !member.of_velocities ? 0 : has_velocity ? nq : nw;
    const bool is_v = has_velocity;
    problem.*member.function = [callback = Callback(functions[member.name], raised),
                                name = std::string(member.name), shape = member.shape, rows = nq,
                                second, is_v](const Points& at, double* out) {
      callback.with_lock([&](const py::function& function) {
        const auto t = py::array_t<double>(at.count, at.t);
        const auto q = array_of_points(at.q, rows, at.count, at.stride);
        const py::object result =
            second == 0
                ? function(t, q)
                : function(t, q, array_of_points(is_v ? at.v : at.w, second, at.count, at.stride));
        copy_result(result, shape, at.count, name, out);
      });
    };
  }
  return problem;
}

}  // namespace daewave::python
