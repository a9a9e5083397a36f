// The page of a result.

#include "page/page.hpp"

#include <pybind11/stl.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "io/report_json.hpp"
#include "python/module/bindings.hpp"
#include "python/module/callback.hpp"
#include "python/module/drawings.hpp"
#include "python/module/words.hpp"

namespace daewave::python {

namespace {

using Curves = std::vector<std::pair<std::string, std::vector<double>>>;
using Plots = std::vector<std::tuple<std::string, std::string, std::vector<double>, Curves, bool>>;
using Marks = std::vector<std::pair<double, std::string>>;
using Motion = std::pair<std::vector<std::string>, std::vector<std::vector<double>>>;

void write_page(const std::string& path, const std::string& title, const std::string& subtitle,
                const Report& report, bool usable, const Plots& plots, const Marks& marks,
                const Motion& motion, const py::dict& drawing) {
  page::Run run;
  run.label = title;
  run.usable = usable;
  run.brief = in_python(report).brief();
  run.report = io::report_json(in_python(report));
  for (const auto& [name, unit, t, curves, points] : plots) {
    page::Plot plot;
    plot.title = name;
    plot.unit = unit;
    plot.points = plot.logarithmic = points;
    plot.t = t;
    for (const auto& [curve, values] : curves) plot.curves.push_back({curve, values, {}});
    run.plots.push_back(std::move(plot));
  }
  for (const auto& [t, label] : marks) run.marks.push_back({t, label});
  run.motion.names = motion.first;
  run.motion.columns = motion.second;
  run.drawing = drawing_of(drawing);
  page::Page page;
  page.title = title;
  page.subtitle = subtitle;
  page.made_by = "daewave " DAEWAVE_VERSION ", Python";
  page.runs.push_back(std::move(run));
  page::write(path, page);
}

}  // namespace

void bind_page(py::module_& module) {
  module.def("write_page", &write_page, py::arg("path"), py::arg("title"), py::arg("subtitle"),
             py::arg("report"), py::arg("usable"), py::arg("plots"), py::arg("marks"),
             py::arg("motion"), py::arg("drawing"));
}

}  // namespace daewave::python
