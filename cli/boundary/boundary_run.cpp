#include "cli/boundary/boundary_run.hpp"

#include <fmt/format.h>

#include "cli/boundary/boundary_page.hpp"
#include "cli/options/component_tolerances.hpp"
#include "cli/options/threads.hpp"
#include "cli/output/standard_output.hpp"
#include "core/machine/memory.hpp"
#include "core/regularize/weight.hpp"
#include "core/time/collocation_scheme.hpp"
#include "io/atomic_file.hpp"
#include "io/csv.hpp"
#include "io/npy.hpp"
#include "io/svg_plot.hpp"

namespace daewave::cli {

BoundaryRun::BoundaryRun(const SolveCommand& command)
    : command_(command),
      executor_(executor_of(command.threads.value_or(1))),
      interrupt_(command.time_limit),
      line_(!command.quiet) {}

bvp::Options BoundaryRun::options() {
  bvp::Options options;
  options.tolerance = command_.tolerance;
  options.tolerances = tolerances_of(command_);
  options.residual_tolerance = command_.residual_tolerance;
  options.truncation = command_.truncation;
  options.control_multiplier = command_.control_multiplier;
  if (command_.scheme) options.scheme = scheme_named(*command_.scheme);
  options.stages = command_.stages;
  options.intervals = command_.intervals;
  options.fixed_nodes = command_.fixed_nodes;
  options.max_intervals = command_.max_intervals;
  options.samples = command_.samples;
  if (command_.weight) options.weight = weight_named(*command_.weight);
  options.epsilon = command_.epsilon;
  options.alpha1 = command_.alpha1;
  options.alpha2 = command_.alpha2;
  options.iterates = command_.iterates;
  options.linear_solver = command_.linear_solver;
  if (command_.threads) options.executor = executor_.get();
  options.progress = [this](const bvp::Progress& progress) {
    line_.show(progress);
    return !interrupt_.requested();
  };
  return options;
}

bool BoundaryRun::talks() const {
  if (command_.quiet) return false;
  for (const std::string* path : {&command_.csv, &command_.npy, &command_.json, &command_.svg,
                                  &command_.report, &command_.branch}) {
    if (*path == "-") return false;
  }
  return true;
}

void BoundaryRun::tell(const Report& report) const {
  if (!talks()) return;
  if (command_.verbose) {
    say("{}", report.full());
    return;
  }
  say("{}\n", report.brief());
  say("{}", report.parameters_text());
  if (command_.explain) say("{}", report.explain());
  say("{}", report.singular_points_text());
  for (const std::string& warning : report.warnings) say("warning: {}\n", warning);
}

ExitCode BoundaryRun::end(bool usable, const std::string& why) const {
  if (usable) return solved;
  if (!talks()) complain("daewave: {}\n", why);
  if (interrupt_.requested()) complain("daewave: stopped by {}\n", interrupt_.reason());
  return not_solved;
}

void check_rows(const SolveCommand& command, int entries) {
  if (command.csv.empty() && command.npy.empty()) return;
  // Of each row t, x and as many numbers of what is carried, twice: as they are found, and in
  // columns.
  refuse_beyond_memory(16.0 * command.points * (1 + 2.0 * entries),
                       fmt::format("--points {}", command.points), "take fewer");
}

void write_results(const SolveCommand& command, const bvp::Solution& solution,
                   const std::function<io::Figure()>& figure,
                   const std::function<VecX(double t)>& exact, const std::string& json,
                   OutputFiles& files) {
  if (solution.has_values() && !(command.csv.empty() && command.npy.empty())) {
    const Table table = solution.table(command.points);
    files.write(command.csv, [&](const std::string& path) { io::write_csv(path, table); });
    files.write(command.npy, [&](const std::string& path) { io::write_npy(path, table); });
  }
  files.write(command.json, [&](const std::string& path) { io::write_file(path, json + "\n"); });
  if (solution.has_values()) {
    files.write(command.svg, [&](const std::string& path) { io::write_svg(path, figure()); });
  }
  // Last, as it is made of the rest. Without values too, where it tells why there are none.
  files.write(command.report, [&](const std::string& path) {
    page::write(path, boundary_page(command, solution, exact, json));
  });
}

}  // namespace daewave::cli
