#pragma once
// A function of Python that a solver calls: the interpreter's lock is taken for the call alone, and
// what it raised is kept until the solver has come back.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace daewave::python {

namespace py = pybind11;

/// Numbers as C has them, whatever was given; of functions of users see numbers_of().
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// What the functions of one solve raised first. From then on none of them is called.
class Raised {
 public:
  bool any() const;
  /// A key was pressed: what there is by then may be given back.
  bool by_key() const;
  void keep(std::exception_ptr what);
  /// Throws it, where there is one.
  void rethrow() const;

 private:
  mutable std::mutex mutex_;
  std::exception_ptr what_;
  bool by_key_ = false;
};

/// Ends a solve some function of which has raised.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "a function of the problem has raised"; }
};

/// May be copied and destroyed without the lock.
class Callback {
 public:
  Callback(py::function function, std::shared_ptr<Raised> raised);

  /// Calls `use` with the function and with the lock. @throws Interrupted where anything was
  /// raised, now or before.
  template <class Use>
  void with_lock(const Use& use) const {
    refuse_after_raised();
    const py::gil_scoped_acquire lock;
    try {
      check_signals();
      use(*function_);
    } catch (...) {
      raised_->keep(std::current_exception());
      throw Interrupted();
    }
  }

 private:
  void refuse_after_raised() const;
  /// Of a solve that takes long, a key that was pressed.
  static void check_signals();

  std::shared_ptr<py::function> function_;
  std::shared_ptr<Raised> raised_;
};

/// What a function returns for these, without the tuple that a call otherwise makes.
template <class... Arguments>
py::object call_with(const py::function& function, const Arguments&... arguments) {
  PyObject* const given[] = {arguments.ptr()...};
  PyObject* const returned =
      PyObject_Vectorcall(function.ptr(), given, sizeof...(Arguments), nullptr);
  if (returned == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(returned);
}

/// A copy, which the function may keep.
py::array_t<double> array_of(const double* values, int size);
py::array_t<double> array_of(const VecX& values);
/// Rows by columns, of columns one after the other.
py::array_t<double> columns_of(const std::vector<double>& values, int rows);
/// Rows by points, of entries at first[i * stride + p].
py::array_t<double> array_of_points(const double* first, int rows, int points, int stride);
/// What a function has returned. @throws py::value_error for what are no real numbers.
Array numbers_of(const py::object& values, const std::string& name);
/// @throws py::value_error unless the result of `name` is one-dimensional of `size` entries (any
///         number for -1).
VecX vector_of(const py::object& values, int size, const std::string& name);

/// Calls a solver without the lock; then throws what functions have raised, but for a key that was
/// pressed, of which the solver gives back what it has.
template <class Solve>
auto without_lock(const Raised& raised, const Solve& solve) {
  const auto run = [&] {
    py::gil_scoped_release release;
    return solve();
  };
  try {
    auto result = run();
    if (!raised.by_key()) raised.rethrow();
    return result;
  } catch (...) {
    // What a solver made of the interruption tells less than what has raised.
    raised.rethrow();
    throw;
  }
}

}  // namespace daewave::python
