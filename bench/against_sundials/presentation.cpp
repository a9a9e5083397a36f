#include "bench/against_sundials/presentation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/svg_plot.hpp"
#include "io/text_table.hpp"

namespace daewave::bench {
namespace {

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.3e}", value) : "-";
}

std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.17g}", value) : "null";
}

std::string json_of(const std::vector<CaseResult>& results) {
  std::string text = fmt::format("{{\n  \"compared_error\": {:g},\n  \"cases\": [", compared_error);
  const char* between_cases = "";
  for (const CaseResult& result : results) {
    text += fmt::format("{}\n    {{\"name\": \"{}\", \"description\": \"{}\", \"solvers\": [",
                        between_cases, result.name, result.description);
    between_cases = ",";
    const char* between_curves = "";
    for (const Curve& curve : result.curves) {
      text += fmt::format(
          "{}\n      {{\"name\": \"{}\", \"seconds_at_compared_error\": {}, \"runs\": [",
          between_curves, curve.solver,
          json_number(seconds_at(curve, compared_error).value_or(NAN)));
      between_curves = ",";
      const char* between_runs = "";
      for (const Run& run : curve.runs) {
        text += fmt::format(
            "{}\n        {{\"tolerance\": {:g}, \"finished\": {}, \"error\": {}, "
            "\"cpu_seconds\": {}, \"steps\": {}, \"evaluations\": {}, \"jacobians\": {}}}",
            between_runs, run.tolerance, run.finished, json_number(run.error),
            json_number(run.seconds), run.steps, run.evaluations, run.jacobians);
        between_runs = ",";
      }
      text += "]}";
    }
    text += "]}";
  }
  return text + "]\n}\n";
}

/// Why there is no time at that error.
std::string no_time_at(double error, const Curve& curve) {
  const bool finer = std::all_of(curve.runs.begin(), curve.runs.end(), [error](const Run& run) {
    return run.finished && run.error < error;
  });
  return finer ? "all finer" : "not reached";
}

io::Figure figure_of(const std::vector<CaseResult>& results) {
  io::Figure figure{.title = "Work and precision",
                    .subtitle =
                        "CPU time against the error in q and v at the end, tolerances "
                        "10^{-3} to 10^{-12}",
                    .columns = 2,
                    .panels = {}};
  for (const CaseResult& result : results) {
    io::Panel panel;
    panel.title = result.description;
    panel.x_label = "error";
    panel.y_label = "CPU seconds";
    panel.log_x = panel.log_y = true;
    for (const Curve& curve : result.curves) {
      io::Series series{.label = curve.solver, .style = io::Style::line_and_points};
      for (const Run& run : curve.runs) {
        if (!run.finished) continue;
        series.x.push_back(run.error);
        series.y.push_back(run.seconds);
      }
      panel.series.push_back(std::move(series));
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace

std::string runs_text(const std::vector<CaseResult>& results) {
  io::TextTable table{{{"case", io::Align::left},
                       {"solver", io::Align::left},
                       {"tolerance"},
                       {"error"},
                       {"CPU s"},
                       {"steps"},
                       {"evaluations"},
                       {"Jacobians"}},
                      {}};
  for (const CaseResult& result : results) {
    for (const Curve& curve : result.curves) {
      for (const Run& run : curve.runs) {
        table.add({result.name, curve.solver, fmt::format("{:.1e}", run.tolerance),
                   run.finished ? number(run.error) : "failed", number(run.seconds),
                   fmt::format("{}", run.steps), fmt::format("{}", run.evaluations),
                   fmt::format("{}", run.jacobians)});
      }
      table.add_rule();
    }
  }
  return io::render_text(table);
}

std::string ratios_text(const std::vector<CaseResult>& results) {
  io::TextTable table{{{"case", io::Align::left},
                       {"solver", io::Align::left},
                       {fmt::format("CPU ms at error {:g}", compared_error)},
                       {"ratio to daewave"},
                       {fmt::format("at error {:g}", finer_error)},
                       {"ratio to daewave"}},
                      {}};
  for (const CaseResult& result : results) {
    const std::array errors{compared_error, finer_error};
    std::array ours{double(NAN), double(NAN)};
    for (const Curve& curve : result.curves) {
      std::vector<std::string> cells{result.description, curve.solver};
      for (std::size_t i = 0; i < errors.size(); ++i) {
        const double seconds = seconds_at(curve, errors[i]).value_or(NAN);
        if (curve.solver == ours_name) ours[i] = seconds;
        const double ratio = seconds / ours[i];
        cells.push_back(std::isfinite(seconds) ? fmt::format("{:.3f}", 1e3 * seconds)
                                               : no_time_at(errors[i], curve));
        cells.push_back(std::isfinite(ratio) ? fmt::format("{:.1f}", ratio) : "-");
      }
      table.add(std::move(cells));
    }
    table.add_rule();
  }
  return io::render_text(table);
}

void write_results(const std::string& folder, const std::vector<CaseResult>& results) {
  io::write_file(folder + "/work-precision.json", json_of(results));
  io::write_svg(folder + "/work-precision.svg", figure_of(results));
}

}  // namespace daewave::bench
