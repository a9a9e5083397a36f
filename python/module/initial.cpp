// Initial value problems.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ivp/options/method_options.hpp"
#include "ivp/solve.hpp"
#include "python/module/bindings.hpp"
#include "python/module/initial.hpp"
#include "python/module/initial_members.hpp"
#include "python/module/method_asked_for.hpp"
#include "python/module/problem_functions.hpp"

namespace daewave::python {

namespace {

ivp::Event event_of(const py::dict& asked, const std::shared_ptr<Raised>& raised) {
  ivp::Event event;
  event.name = asked["name"].cast<std::string>();
  event.function = [call = Callback(asked["function"], raised)](double t, const VecX& state) {
    double value = 0;
    call.with_lock([&](const py::function& function) {
      const Array result = numbers_of(function(t, array_of(state)), "an event");
      if (result.size() != 1) {
        throw py::value_error(
            fmt::format("an event returned {} numbers: it is to return one", result.size()));
      }
      value = result.data()[0];
    });
    return value;
  };
  const int direction = asked["direction"].cast<int>();
  using Direction = ivp::Event::Direction;
  event.direction = direction > 0   ? Direction::rising
                    : direction < 0 ? Direction::falling
                                    : Direction::any;
  if (asked["terminal"].cast<bool>()) event.then = ivp::Event::Then::stop;
  if (!asked["reset"].is_none()) {
    event.change = [call = Callback(asked["reset"], raised)](double t, const VecX& state) {
      VecX after;
      call.with_lock([&](const py::function& function) {
        after = vector_of(function(t, array_of(state)), static_cast<int>(state.size()), "reset");
      });
      return after;
    };
  }
  return event;
}

ivp::Options options_of(const py::dict& asked, const std::shared_ptr<Raised>& raised) {
  ivp::Options options;
  const auto take = [&](const char* name, auto& into) {
    if (!asked.contains(name)) return;
    try {
      into = asked[name].cast<std::remove_reference_t<decltype(into)>>();
    } catch (const py::cast_error&) {
      throw py::type_error(
          fmt::format("{} = {}: of the wrong type", name, std::string(py::repr(asked[name]))));
    }
  };
  options.method = method_asked_for(asked);
  take("rtol", options.rtol);
  take("atol", options.atol);
  take("atol_each", options.atol_each);
  take("h", options.h);
  take("first_step", options.first_step);
  take("max_step", options.largest_step);
  take("most_steps", options.most_steps);
  take("times", options.times);
  take("dense", options.dense);
  take("estimate_error", options.estimate_error);
  take("accuracy", options.accuracy);
  take("repair_start", options.repair_start);
  take("restart_times", options.restart_times);
  if (asked.contains("events")) {
    for (const py::handle one : asked["events"]) {
      options.events.push_back(event_of(py::reinterpret_borrow<py::dict>(one), raised));
    }
  }
  options.progress = [call = Callback(py::cpp_function([] {}), raised)](const ivp::RunProgress&) {
    try {
      call.with_lock([](const py::function&) {});
    } catch (const Interrupted&) {
      return false;
    }
    return true;
  };
  return options;
}

}  // namespace

InitialRun solve_initial(const DaeProblem& problem, const VecX& start, const VecX& w,
                         const Interval& span, const py::dict& asked,
                         const std::shared_ptr<Raised>& raised,
                         const std::vector<ivp::Event>& more) {
  ivp::Options options = options_of(asked, raised);
  options.events.insert(options.events.end(), more.begin(), more.end());
  ivp::Solution solution = without_lock(*raised, [&] {
    return w.size() > 0 ? ivp::solve(problem, start, w, span, options)
                        : ivp::solve(problem, start, span, options);
  });
  return {std::move(solution), raised->by_key(), -1};
}

void bind_initial(py::module_& module) {
  using Solution = InitialRun;
  py::class_<Solution>(module, "InitialSolution")
      .def_readonly("interrupted", &Solution::interrupted)
      .def_readonly("evaluated", &Solution::evaluated)
      .def_property_readonly("report", [](const Solution& solution) { return solution.report; })
      .def_property_readonly("t",
                             [](const Solution& solution) {
                               return py::array_t<double>(solution.t.size(), solution.t.data());
                             })
      .def_property_readonly(
          "states",
          [](const Solution& solution) { return columns_of(solution.states, solution.nz); })
      .def_property_readonly(
          "multipliers",
          [](const Solution& solution) { return columns_of(solution.multipliers, solution.ny); })
      .def_property_readonly("carries_By",
                             [](const Solution& solution) { return solution.carries_By; })
      .def_property_readonly("occurrences",
                             [](const Solution& solution) {
                               py::list all;
                               for (const auto& one : solution.occurrences) {
                                 all.append(py::make_tuple(one.event, one.t, array_of(one.state)));
                               }
                               return all;
                             })
      .def(pickling<Solution>())
      .def("at", [](const Solution& solution, const Array& times) {
        std::vector<double> values;
        for (long i = 0; i < times.size(); ++i) {
          const VecX state = solution.at(times.data()[i]);
          values.insert(values.end(), state.begin(), state.end());
        }
        return columns_of(values, solution.nz);
      });
  module.def(
      "solve_initial",
      [](const std::string& kind, const py::dict& sizes, const py::dict& functions,
         const VecX& start, const VecX& w, double begin, double end, bool vectorized,
         const py::dict& asked) {
        const auto raised = std::make_shared<Raised>();
        const auto size = [&sizes](const char* name) {
          return sizes.contains(name) ? sizes[name].cast<int>() : 0;
        };
        const Sizes n{.nq = size("nq"), .ny = size("ny"), .nw = size("nw"), .nh = size("nh")};
        const auto evaluated = std::make_shared<std::atomic<long>>(0);
        const DaeProblemPtr problem = problem_from_functions(
            problem_functions_of(kind_named(kind), n, functions, vectorized, raised, evaluated));
        InitialRun run = solve_initial(*problem, start, w, {begin, end}, asked, raised);
        run.evaluated = *evaluated;
        return run;
      },
      py::arg("kind"), py::arg("sizes"), py::arg("functions"), py::arg("start"), py::arg("w"),
      py::arg("begin"), py::arg("end"), py::arg("vectorized"), py::arg("asked"));
  module.def("method_option_names", [] {
    std::vector<std::string> names;
    for (const ivp::MethodOption& option : ivp::method_options()) names.push_back(option.name);
    return names;
  });
  module.def(
      "method_names",
      [] {
        std::vector<std::string> names{"auto"};
        for (const ivp::Method& method : ivp::all_methods()) names.push_back(ivp::name_of(method));
        return names;
      },
      "Names that `method` of solve_dae and of Model.solve may have, \"auto\" first.");
}

}  // namespace daewave::python
