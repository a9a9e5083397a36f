#pragma once
// Values of the library as objects of Python that pickle, and back with the same bits.

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace daewave::python {

namespace py = pybind11;

/// All members of an aggregate, by reference: Members<T>::of(value) is a std::tuple. It binds them
/// by name, so that a member that is forgotten does not compile.
template <class T>
struct Members;

template <class T>
concept HasMembers = requires(T& value) {
  Members<T>::of(value);
};

/// What crosses as something else: Crossing<T>::out(value) and Crossing<T>::in(that).
template <class T>
struct Crossing;

template <class T>
concept Crosses = requires(const T& value) {
  Crossing<T>::out(value);
};

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = HasMembers<T> || Crosses<T>;

template <class T>
py::object pickled(const T& value) {
  if constexpr (Crosses<T>) {
    return pickled(Crossing<T>::out(value));
  } else if constexpr (HasMembers<T>) {
    return std::apply([](const auto&... one) { return py::make_tuple(pickled(one)...); },
                      Members<T>::of(value));
  } else if constexpr (is_list<T>) {
    py::list all;
    for (const auto& one : value) all.append(pickled(one));
    return all;
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    return py::array_t<double>(static_cast<py::ssize_t>(value.size()), value.data());
  } else if constexpr (std::is_enum_v<T>) {
    return py::int_(static_cast<long>(value));
  } else {
    return py::cast(value);
  }
}

template <class T>
T unpickled(const py::handle& from) {
  if constexpr (Crosses<T>) {
    return Crossing<T>::in(
        unpickled<std::decay_t<decltype(Crossing<T>::out(std::declval<const T&>()))>>(from));
  } else if constexpr (HasMembers<T>) {
    const auto of = from.cast<py::tuple>();
    T value{};
    std::apply(
        [&of](auto&... one) {
          if (of.size() != sizeof...(one)) throw py::cast_error("another number of members");
          std::size_t i = 0;
          ((one = unpickled<std::decay_t<decltype(one)>>(of[i++])), ...);
        },
        Members<T>::of(value));
    return value;
  } else if constexpr (is_list<T>) {
    T value;
    for (const py::handle one : from.cast<py::list>()) {
      value.push_back(unpickled<typename T::value_type>(one));
    }
    return value;
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    const auto array = from.cast<py::array_t<double>>();
    return {array.data(), array.data() + array.size()};
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(from.cast<long>());
  } else {
    return from.cast<T>();
  }
}

/// Of a class: by which version it was written, and what it is made of.
/// @throws ValueError of Python where another version wrote it, or nobody did.
template <class T>
auto pickling() {
  return py::pickle([](const T& value) { return py::make_tuple(DAEWAVE_VERSION, pickled(value)); },
                    [](const py::tuple& state) {
                      if (state.size() != 2 || !py::isinstance<py::str>(state[0])) {
                        throw py::value_error("this is nothing that daewave has pickled");
                      }
                      const auto version = state[0].cast<std::string>();
                      if (version != DAEWAVE_VERSION) {
                        throw py::value_error("pickled by daewave " + version + ", and this is " +
                                              DAEWAVE_VERSION +
                                              ": both sides are to have the same version");
                      }
                      try {
                        return unpickled<T>(state[1]);
                      } catch (const py::cast_error& wrong) {
                        throw py::value_error(std::string("what daewave has pickled is damaged: ") +
                                              wrong.what());
                      }
                    });
}

}  // namespace daewave::python
