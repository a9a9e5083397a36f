#include <fmt/format.h>

#include "cli/initial_value/event_lines.hpp"
#include "cli/initial_value/given_out.hpp"
#include "cli/initial_value/kept_rows.hpp"
#include "cli/initial_value/motion_figure.hpp"
#include "cli/initial_value/motion_page.hpp"
#include "cli/initial_value/rank_run.hpp"
#include "cli/initial_value/rows_between.hpp"
#include "cli/initial_value/sensitivity_table.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/initial_value_options.hpp"
#include "cli/output/interrupt.hpp"
#include "cli/output/option_words.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/report_file.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/npy.hpp"
#include "io/report_json.hpp"
#include "io/svg_plot.hpp"

namespace daewave::cli {
namespace {

void refuse_lanes_of_others(const SolveCommand& command,
                            const catalogue::InitialValueProblem& problem) {
  if (command.loops != "lanes" || problem.has_lanes()) return;
  throw InvalidOption(fmt::format(
      "--loops lanes: {} is not compiled for lanes, slider-crank is; take --loops step-local or "
      "pipelined, or see ivp/solve_lanes.hpp",
      problem.name()));
}

void print_report(const SolveCommand& command, const Report& report) {
  if (command.verbose) {
    say("{}", report.full());
    return;
  }
  say("{}\n", report.brief());
  if (command.explain) say("{}", report.explain());
  const IntegrationReport& went = report.integration;
  if (went.index > 0 || went.drift_position > 0 || went.drift_velocity > 0) {
    say("drift: position {:.2e}, velocity {:.2e}{}\n", went.drift_position, went.drift_velocity,
        went.has_energy ? fmt::format("; energy changed by {:.2e}", went.energy_change) : "");
  }
  if (report.error.available) {
    say("error estimate: {:.2e}; {}\n", report.error.x, report.error.how);
  } else if (command.h && !report.error.how.empty()) {
    say("error not estimated: {}\n", report.error.how);
  }
  for (const std::string& warning : report.warnings) say("warning: {}\n", warning);
}

void write_files(const SolveCommand& command, const ivp::Solution& solution,
                 const catalogue::InitialValueProblem& problem, const std::string& json,
                 GivenOut& given_out) {
  OutputFiles files;
  files.commit([&] { given_out.commit(); });
  files.write(command.json, [&](const std::string& path) { io::write_file(path, json + "\n"); });
  if (solution.has_values()) {
    files.write(command.npy,
                [&](const std::string& path) { io::write_npy(path, solution.table()); });
    files.write(command.svg, [&](const std::string& path) {
      const ivp::Solution drawn = with_rows_between(solution, problem);
      io::Figure figure = motion_figure(solution, drawn, problem);
      if (problem.name() == "slider-crank") add_slider_crank_panels(figure, drawn);
      io::write_svg(path, figure);
    });
  }
  // Last, as it is made of the rest. Without values too, where it tells why there are none.
  files.write(command.report, [&](const std::string& path) {
    page::write(path, motion_page(command, solution, problem, json));
  });
  files.end();
}

}  // namespace

int solve_initial_value(const SolveCommand& command,
                        const catalogue::InitialValueProblem& problem) {
  refuse_boundary_options(command);
  refuse_lanes_of_others(command, problem);
  const Interval span = problem.interval();
  ivp::Options options = initial_value_options(command, span);
  const bool to_output = command.csv == "-" || command.npy == "-" || command.json == "-" ||
                         command.svg == "-" || command.report == "-";
  const bool talks = !command.quiet && !to_output;
  if (command.ranks != nullptr) share_iterates(command, options);
  if (!command.is_first_rank()) return take_part(command, problem, span, options);
  KeptRows kept(command, options);
  GivenOut given_out(problem, command.csv, talks, kept, span);
  options.sink = [&](const ivp::Output& output) { return given_out.take(output); };
  Interrupt interrupt(command.time_limit);
  ProgressLine line(!command.quiet);
  options.progress = [&](const ivp::RunProgress& progress) {
    line.show(progress);
    return !interrupt.requested();
  };
  interrupt.save_by([&] { return given_out.save(); });
  options.keep = !command.npy.empty();
  if (!command.svg.empty() || !command.report.empty()) keep_to_draw(command, options);
  check_kept(options, span, static_cast<int>(problem.start().size()));
  NamedSensitivities sensitivities;
  if (command.sensitivities) {
    sensitivities = solve_with_sensitivities(command, problem, options);
  } else {
    sensitivities.found.solution = problem.solve(span, options);
  }
  ivp::Solution& solution = sensitivities.found.solution;
  solution.report = in_options(std::move(solution.report));
  if (!kept.mixed().empty()) solution.report.warnings.push_back(kept.mixed());
  interrupt.work_has_ended();
  line.erase();
  std::vector<RankReport> ranks;
  if (command.ranks != nullptr) ranks = iterate_reports(*command.ranks, solution.report);
  if (options.keep) given_out.complete(solution);
  if (talks) {
    print_report(command, solution.report);
    say("{}", text_of(ranks, "iterates"));
    say("{}", event_lines(problem, solution));
    if (options.every > 1 && options.times.empty()) {
      say("given out: one step in {}\n", options.every);
    }
    if (const std::string error = given_out.error_line(); !error.empty()) {
      say("{}\n", error);
    }
    if (sensitivities.found.start.size() > 0) print(sensitivities);
  }
  const bool usable = solution.report.usable();
  if (!usable && !talks) complain("daewave: {}\n", solution.report.brief());
  if (interrupt.requested() && !usable) {
    complain("daewave: stopped by {}\n", interrupt.reason());
  }
  std::string json = with_sensitivities(
      with_events(with_errors(with_provenance(io::report_json(solution.report), command), solution),
                  problem, solution),
      sensitivities);
  if (!ranks.empty()) json = with_ranks(json, ranks, "iterates");
  write_files(command, solution, problem, json, given_out);
  return usable ? solved : not_solved;
}

}  // namespace daewave::cli
