#include "cli/output/page_parts.hpp"

#include <algorithm>
#include <cmath>

#include "cli/options/problem_named.hpp"
#include "models/model.hpp"

namespace daewave::cli {

page::Run run_about(const Report& report, const std::string& label, const std::string& json) {
  page::Run run;
  run.label = label;
  run.usable = report.usable();
  run.brief = report.brief();
  run.report = json;
  for (const SingularPoint& point : report.singular_points) {
    if (run.marks.size() < most_marks) run.marks.push_back({point.t, point.kind});
  }
  return run;
}

page::Plot plot_of(const io::Panel& panel) {
  page::Plot plot;
  plot.title = panel.title;
  plot.unit = panel.y_label;
  plot.logarithmic = panel.log_y;
  for (const io::Series& series : panel.series) {
    if (plot.curves.empty()) {
      plot.t = series.x;
      plot.points = series.style == io::Style::points;
    }
    if (series.x != plot.t) continue;
    std::vector<double> values = series.y;
    if (plot.logarithmic) {
      std::replace_if(
          values.begin(), values.end(), [](double y) { return !(y > 0); }, NAN);
    }
    plot.curves.push_back({series.label.empty() ? panel.title : series.label, values, {}});
  }
  return plot;
}

std::string title_of_unit(const std::string& unit) {
  if (unit == "m") return "Positions";
  if (unit == "rad") return "Angles";
  if (unit == "m/s") return "Velocities";
  if (unit == "rad/s") return "Angular velocities";
  if (unit == "1") return "Orientations";
  return "State";
}

std::string made_by() { return "daewave " DAEWAVE_VERSION; }

std::string title_of(const std::string& problem) {
  if (!is_model_file(problem)) return problem;
  const std::string& title = model_file(problem).title;
  return title.empty() ? model_file(problem).name : title;
}

}  // namespace daewave::cli
