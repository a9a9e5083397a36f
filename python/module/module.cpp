// The compiled part of the package. Its functions take what the sources in python/daewave have
// brought into shape; users call those.

#include <pybind11/pybind11.h>

#include "core/error.hpp"
#include "core/report/report.hpp"
#include "io/report_json.hpp"
#include "python/module/bindings.hpp"
#include "python/module/report_members.hpp"
#include "python/module/words.hpp"

namespace py = pybind11;

PYBIND11_MODULE(_daewave, module) {
  using namespace daewave;
  using python::in_python;
  module.attr("__version__") = DAEWAVE_VERSION;
  static py::exception<Error> error(module, "Error", PyExc_ValueError);
  static py::exception<InvalidOption> option(module, "InvalidOption", error);
  static py::exception<InvalidProblem> problem(module, "InvalidProblem", error);
  static py::exception<FileError> file(module, "FileError", error);
  error.doc() =
      "What was given cannot be solved as it stands; the message tells the rule and the place.";
  option.doc() = "An option that is unknown, or out of its range, or does not fit the others.";
  problem.doc() = "Functions, sizes or a start that do not fit each other, or are not finite.";
  file.doc() = "A file that cannot be read or written.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InvalidOption& e) {
      option(in_python(e.what()).c_str());
    } catch (const InvalidProblem& e) {
      problem(in_python(e.what()).c_str());
    } catch (const FileError& e) {
      file(in_python(e.what()).c_str());
    } catch (const Error& e) {
      error(in_python(e.what()).c_str());
    }
  });

  py::class_<Report>(module, "Report", "What was asked, what was chosen and why, how it went.")
      .def_property_readonly(
          "termination", [](const Report& report) { return name_of(report.termination); },
          "Why the solve ended: 'converged', 'tolerance_not_met', ...")
      .def_property_readonly(
          "message", [](const Report& report) { return in_python(report.message); },
          "How it ended, in a line.")
      .def_property_readonly(
          "advice", [](const Report& report) { return in_python(report.advice); },
          "What to try next; may be empty.")
      .def_property_readonly(
          "warnings",
          [](const Report& report) {
            py::list all;
            for (const std::string& one : report.warnings) all.append(in_python(one));
            return all;
          },
          "What to know before the numbers are used, one text for each.")
      .def_property_readonly(
          "error_estimate",
          [](const Report& report) {
            return report.error.available ? py::object(py::float_(report.error.x))
                                          : py::object(py::none());
          },
          "Of x, relative to 1 + its largest component; None where there is none.")
      .def_property_readonly(
          "evaluations", [](const Report& report) { return report.integration.evaluations; },
          "Of right sides, by initial value solves.")
      .def_property_readonly(
          "factorizations", [](const Report& report) { return report.linear_solve.factorizations; },
          "Of matrices, by boundary value solves.")
      .def_property_readonly(
          "steps", [](const Report& report) { return report.integration.steps; },
          "Taken and kept, of initial values.")
      .def_property_readonly(
          "drift", [](const Report& report) { return report.integration.drift_position; },
          "Largest |g| over all steps.")
      .def("usable", &Report::usable, "Whether the numbers may be used as what was asked for.")
      .def(
          "json", [](const Report& report) { return io::report_json(in_python(report)); },
          "All of it, as JSON.")
      .def(
          "brief", [](const Report& report) { return in_python(report).brief(); }, "In one line.")
      .def(
          "full", [](const Report& report) { return in_python(report).full(); },
          "All of it, in words.")
      .def(
          "explain", [](const Report& report) { return in_python(report).explain(); },
          "The choices with their reasons.")
      .def(python::pickling<Report>())
      .def("__repr__", [](const Report& report) { return in_python(report).brief(); })
      .def("__str__", [](const Report& report) { return in_python(report).full(); });
  module.def("in_python", py::overload_cast<std::string>(&in_python));

  python::bind_boundary(module);
  python::bind_branch(module);
  python::bind_initial(module);
  python::bind_model(module);
  python::bind_page(module);
  python::bind_symbolic(module);
}
