#include "python/module/method_asked_for.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "ivp/options/method_options.hpp"

namespace daewave::python {
namespace {

[[noreturn]] void refuse(const ivp::MethodOption& option, const py::handle& given,
                         const ivp::Method& method) {
  const std::vector<std::string> having = ivp::methods_with(option);
  const bool open = std::holds_alternative<ivp::Automatic>(method);
  throw InvalidOption(
      fmt::format("{} = {}: is of method = {}{}; leave it out, or {} {}", option.name,
                  std::string(py::repr(given)), fmt::join(having, ", "),
                  open ? "" : fmt::format(", not {}", name_of(method)), open ? "give" : "take",
                  having.size() == 1 ? "method = " + having.front() : "one of these"));
}

}  // namespace

ivp::Method method_asked_for(const py::dict& asked) {
  ivp::Method method;
  const auto name = asked["method"].cast<std::string>();
  if (name != "auto") method = ivp::method_named(name);
  for (const ivp::MethodOption& option : ivp::method_options()) {
    if (!asked.contains(option.name)) continue;
    const py::object given = asked[option.name.c_str()];
    if (!option.is_of(method)) refuse(option, given, method);
    option.give(given.cast<ivp::OptionValue>(), method);
  }
  return method;
}

}  // namespace daewave::python
