#include "python/module/problem_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace daewave::python {

namespace {

struct Shape {
  int rows = 0;
  int columns = 0;  ///< 0: of a vector.
};

/// What a function of a user is called with beside t.
enum class Takes { q, q_and_v, z_and_w, z };

struct Member {
  const char* name;
  const char* of_users;  ///< What the front doors call it.
  BatchFunction ProblemFunctions::*function;
  Shape shape;
  Takes takes;
};

std::vector<Member> members_of(Kind kind, const Sizes& n) {
  using F = ProblemFunctions;
  if (kind == Kind::invariants) {
    return {{"f", "fun", &F::f, {n.nq, 0}, Takes::z_and_w},
            {"r", "algebraic", &F::r, {n.nw, 0}, Takes::z_and_w},
            {"h", "invariant", &F::h, {n.nh, 0}, Takes::z},
            {"r_w", "algebraic_jac", &F::r_w, {n.nw, n.nw}, Takes::z_and_w},
            {"H", "invariant_jac", &F::H, {n.nh, n.nq}, Takes::z}};
  }
  const bool has_velocity = kind == Kind::second_order || kind == Kind::multibody;
  const Takes of_f = has_velocity ? Takes::q_and_v : Takes::q;
  return {{"f", "fun", &F::f, {n.nq, 0}, of_f},
          {"M", "mass", &F::M, {n.nq, n.nq}, Takes::q},
          {"B", "B", &F::B, {n.nq, n.ny}, Takes::q},
          {"g", "constraint", &F::g, {n.ny, 0}, Takes::q},
          {"G", "constraint_jac", &F::G, {n.ny, n.nq}, Takes::q},
          {"f_q", "fun_jac", &F::f_q, {n.nq, n.nq}, of_f}};
}

/// Entries of a matrix by rows, to points of the layout of a BatchFunction.
void copy_constant(const double* from, const Shape& shape, int points, double* out) {
  for (int i = 0; i < shape.rows; ++i) {
    for (int j = 0; j < shape.columns; ++j) {
      std::fill_n(out + static_cast<long>(i + j * shape.rows) * points, points, *from++);
    }
  }
}

bool has_shape(const Array& array, std::initializer_list<py::ssize_t> wanted) {
  return array.ndim() == static_cast<py::ssize_t>(wanted.size()) &&
         std::equal(wanted.begin(), wanted.end(), array.shape());
}

/// Rows by points, or rows by columns by points, to the layout of a BatchFunction.
void copy_result(const py::object& result, const Shape& shape, int points, const std::string& name,
                 double* out) {
  const Array array = numbers_of(result, name);
  if (shape.columns > 0 && has_shape(array, {shape.rows, shape.columns})) {
    return copy_constant(array.data(), shape, points, out);
  }
  const bool fits = shape.columns > 0 ? has_shape(array, {shape.rows, shape.columns, points})
                                      : has_shape(array, {shape.rows, points});
  if (!fits) {
    throw py::value_error(fmt::format(
        "{} returned shape {}; for {} point{} its shape is to be ({}, {}{}): functions are called "
        "with many points at once, one in each column",
        name, std::string(py::str(array.attr("shape"))), points, points == 1 ? "" : "s", shape.rows,
        shape.columns > 0 ? fmt::format("{}, ", shape.columns) : "", points));
  }
  const int columns = std::max(shape.columns, 1);
  const double* next = array.data();
  for (int i = 0; i < shape.rows; ++i) {
    for (int j = 0; j < columns; ++j, next += points) {
      std::copy_n(next, points, out + static_cast<long>(i + j * shape.rows) * points);
    }
  }
}

BatchFunction called(const Member& member, const Sizes& n, const py::object& function,
                     const std::shared_ptr<Raised>& raised,
                     const std::shared_ptr<std::atomic<long>>& evaluated) {
  return [callback = Callback(py::reinterpret_borrow<py::function>(function), raised),
          name = std::string(member.of_users), shape = member.shape, takes = member.takes, n,
          evaluated](const Points& at, double* out) {
    callback.with_lock([&](const py::function& call) {
      if (evaluated) *evaluated += at.count;
      const auto t = array_of(at.t, at.count);
      const auto q = array_of_points(at.q, n.nq, at.count, at.stride);
      py::object result;
      if (takes == Takes::q_and_v) {
        result = call_with(call, t, q, array_of_points(at.v, n.nq, at.count, at.stride));
      } else if (takes == Takes::z_and_w) {
        result = call_with(call, t, q, array_of_points(at.w, n.nw, at.count, at.stride));
      } else {
        result = call_with(call, t, q);
      }
      copy_result(result, shape, at.count, name, out);
    });
  };
}

/// A matrix that is the same everywhere needs no call. A diagonal mass is divided by.
void set_constant(const Member& member, const py::object& given, ProblemFunctions& problem) {
  const Array array = numbers_of(given, member.of_users);
  const Shape shape = member.shape;
  if (shape.columns == 0 || !has_shape(array, {shape.rows, shape.columns})) {
    throw py::value_error(fmt::format("{} has shape {}; it is to have ({}, {})", member.of_users,
                                      std::string(py::str(array.attr("shape"))), shape.rows,
                                      std::max(shape.columns, 1)));
  }
  std::vector<double> entries(array.data(), array.data() + array.size());
  if (member.function == &ProblemFunctions::M) {
    problem.mass_constant = true;
    bool diagonal = true;
    for (int i = 0; i < shape.rows; ++i) {
      for (int j = 0; j < shape.columns; ++j) {
        diagonal = diagonal && (i == j || entries[i * shape.columns + j] == 0);
      }
    }
    if (diagonal) {
      problem.mass = Structure::Mass::diagonal;
      problem.M = [entries, rows = shape.rows](const Points& at, double* out) {
        for (int i = 0; i < rows; ++i) {
          std::fill_n(out + static_cast<long>(i) * at.count, at.count, entries[i * (rows + 1)]);
        }
      };
      return;
    }
  }
  problem.*member.function = [entries, shape](const Points& at, double* out) {
    copy_constant(entries.data(), shape, at.count, out);
  };
}

}  // namespace

Kind kind_named(const std::string& name) {
  for (const Kind kind :
       {Kind::ordinary, Kind::index_2, Kind::second_order, Kind::multibody, Kind::invariants}) {
    if (name == name_of(kind)) return kind;
  }
  throw InvalidOption(fmt::format("kind: '{}' is none", name));
}

ProblemFunctions problem_functions_of(Kind kind, const Sizes& sizes, const py::dict& functions,
                                      bool dear, const std::shared_ptr<Raised>& raised,
                                      const std::shared_ptr<std::atomic<long>>& evaluated) {
  ProblemFunctions problem{.kind = kind, .sizes = sizes, .differences = true, .dear_calls = dear};
  for (const Member& member : members_of(kind, sizes)) {
    if (!functions.contains(member.name)) continue;
    const py::object given = functions[member.name];
    if (given.is_none()) continue;
    if (PyCallable_Check(given.ptr()) != 0) {
      problem.*member.function =
          called(member, sizes, given, raised,
                 member.function == &ProblemFunctions::f ? evaluated : nullptr);
    } else {
      set_constant(member, given, problem);
    }
  }
  if (kind == Kind::invariants && sizes.nh == 0) {
    problem.h = problem.H = [](const Points&, double*) {};  // Of index 1 without invariants.
  }
  return problem;
}

}  // namespace daewave::python
