#include "python/module/callback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace daewave::python {

bool Raised::any() const {
  const std::lock_guard lock(mutex_);
  return what_ != nullptr;
}

bool Raised::by_key() const {
  const std::lock_guard lock(mutex_);
  return by_key_;
}

void Raised::keep(std::exception_ptr what) {
  const std::lock_guard lock(mutex_);
  if (what_) return;
  try {
    std::rethrow_exception(what);
  } catch (py::error_already_set& error) {
    by_key_ = error.matches(PyExc_KeyboardInterrupt);
  } catch (...) {
  }
  what_ = std::move(what);
}

void Raised::rethrow() const {
  if (any()) std::rethrow_exception(what_);
}

Callback::Callback(py::function function, std::shared_ptr<Raised> raised)
    : function_(new py::function(std::move(function)),
                [](py::function* last) {
                  const py::gil_scoped_acquire lock;
                  delete last;
                }),
      raised_(std::move(raised)) {}

void Callback::refuse_after_raised() const {
  if (raised_->any()) throw Interrupted();
}

void Callback::check_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

namespace {

/// An array that nothing is in yet: by NumPy's own call, where pybind11 makes vectors of shape and
/// strides first.
template <int dimensions>
py::array_t<double> new_array(const Py_intptr_t (&shape)[dimensions]) {
  const auto& numpy = py::detail::npy_api::get();
  PyObject* const type = numpy.PyArray_DescrFromType_(py::detail::npy_api::NPY_DOUBLE_);
  PyObject* const made = numpy.PyArray_NewFromDescr_(numpy.PyArray_Type_, type, dimensions, shape,
                                                     nullptr, nullptr, 0, nullptr);
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::array_t<double>>(made);
}

}  // namespace

py::array_t<double> array_of(const double* values, int size) {
  auto array = new_array({Py_intptr_t{size}});
  std::copy_n(values, size, array.mutable_data());
  return array;
}

py::array_t<double> array_of(const VecX& values) {
  return array_of(values.data(), static_cast<int>(values.size()));
}

py::array_t<double> columns_of(const std::vector<double>& values, int rows) {
  const long count = rows == 0 ? 0 : static_cast<long>(values.size()) / rows;
  py::array_t<double> out({static_cast<long>(rows), count});
  auto entry = out.mutable_unchecked<2>();
  for (long p = 0; p < count; ++p) {
    for (int i = 0; i < rows; ++i) entry(i, p) = values[p * rows + i];
  }
  return out;
}

py::array_t<double> array_of_points(const double* first, int rows, int points, int stride) {
  auto array = new_array({Py_intptr_t{rows}, Py_intptr_t{points}});
  double* const to = array.mutable_data();
  for (int i = 0; i < rows; ++i) {
    std::copy_n(first + static_cast<long>(i) * stride, points, to + static_cast<long>(i) * points);
  }
  return array;
}

Array numbers_of(const py::object& values, const std::string& name) {
  if (py::isinstance<Array>(values)) return py::reinterpret_borrow<Array>(values);
  if (values.is_none()) {
    throw py::value_error(fmt::format("{} returned None: it is to return numbers", name));
  }
  const auto any = py::array::ensure(values);
  // 'O' are numbers of Python that NumPy has no type for; the rest of its kinds are none.
  const bool real = any && std::string("biufO").find(any.dtype().kind()) != std::string::npos;
  const auto numbers = real ? Array::ensure(any) : Array();
  if (!real || !numbers) {
    PyErr_Clear();
    throw py::value_error(fmt::format("{}: what it returned is no array of real numbers", name));
  }
  return numbers;
}

VecX vector_of(const py::object& values, int size, const std::string& name) {
  const Array array = numbers_of(values, name);
  if (array.ndim() != 1 || (size >= 0 && array.shape(0) != size)) {
    throw py::value_error(fmt::format("{} returned shape {}; its shape is to be ({},)", name,
                                      std::string(py::str(array.attr("shape"))), size));
  }
  return Eigen::Map<const VecX>(array.data(), array.shape(0));
}

}  // namespace daewave::python
