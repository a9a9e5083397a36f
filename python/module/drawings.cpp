#include "python/module/drawings.hpp"

#include <pybind11/stl.h>

#include <string>
#include <utility>

namespace daewave::python {

namespace py = pybind11;

namespace {

constexpr auto last_kind = DrawnPart::Kind::spring;

DrawnPart::Kind part_kind_named(const std::string& name) {
  for (int k = 0; k <= static_cast<int>(last_kind); ++k) {
    const auto kind = static_cast<DrawnPart::Kind>(k);
    if (name == name_of(kind)) return kind;
  }
  throw py::value_error("no part of a drawing is a " + name);
}

}  // namespace

py::dict dict_of(const Drawing& drawing) {
  py::list frames, parts;
  for (const DrawnFrame& frame : drawing.frames) {
    frames.append(py::make_tuple(frame.name, frame.first));
  }
  for (const DrawnPart& part : drawing.parts) {
    py::list points;
    for (const DrawnPoint& point : part.points) {
      points.append(py::make_tuple(point.frame, point.at));
    }
    py::dict one;
    one["kind"] = name_of(part.kind);
    one["name"] = part.name;
    one["points"] = points;
    one["axis"] = part.axis;
    one["radius"] = part.radius;
    parts.append(one);
  }
  py::dict all;
  all["spatial"] = drawing.spatial;
  all["frames"] = frames;
  all["parts"] = parts;
  return all;
}

Drawing drawing_of(const py::dict& said) {
  Drawing drawing;
  if (said.empty()) return drawing;
  drawing.spatial = said["spatial"].cast<bool>();
  for (const auto& [name, first] :
       said["frames"].cast<std::vector<std::pair<std::string, int>>>()) {
    drawing.frames.push_back({name, first});
  }
  for (const py::handle each : said["parts"]) {
    const auto one = py::reinterpret_borrow<py::dict>(each);
    DrawnPart part;
    part.kind = part_kind_named(one["kind"].cast<std::string>());
    part.name = one["name"].cast<std::string>();
    using Points = std::vector<std::pair<int, std::array<double, 3>>>;
    for (const auto& [frame, at] : one["points"].cast<Points>()) part.points.push_back({frame, at});
    part.axis = one["axis"].cast<std::array<double, 3>>();
    part.radius = one["radius"].cast<double>();
    drawing.parts.push_back(std::move(part));
  }
  return drawing;
}

}  // namespace daewave::python
