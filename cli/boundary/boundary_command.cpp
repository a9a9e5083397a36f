#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bvp/solve.hpp"
#include "cli/boundary/boundary_output.hpp"
#include "cli/options/problem_named.hpp"
#include "cli/output/figures.hpp"
#include "cli/output/option_words.hpp"
#include "cli/output/report_file.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "io/report_json.hpp"
#include "models/model.hpp"

namespace daewave::cli {
namespace {

void refuse_others(const SolveCommand& command) {
  if (command.sensitivities) {
    throw InvalidOption(fmt::format(
        "--sensitivities: is for initial value solves, and {} is a boundary value problem; leave "
        "it "
        "out, and see by --continue, or by --set with other values, how its solution moves",
        command.problem));
  }
  if (!command.restart_times.empty()) {
    throw InvalidOption(fmt::format(
        "--restart-times: is for initial value solves, and {} is a boundary value problem; take "
        "--fixed-nodes",
        command.problem));
  }
  SolveCommand without = command;
  without.variant.reset();
  if (without.asks_for_initial_value()) {
    throw InvalidOption(fmt::format(
        "{}: is a boundary value problem: --method, --stepper, --h, --rtol and the other options "
        "of "
        "initial value solves have no place; take --tolerance, --scheme, --stages, --intervals",
        command.problem));
  }
  const auto refuse = [&](bool given, const char* option, const char* why) {
    if (given) throw InvalidOption(fmt::format("{}: {}; leave it out", option, why));
  };
  refuse(command.singular != "auto", "--singular", "is for linear problems");
  refuse(command.partitions.has_value() && command.ranks == nullptr, "--partitions",
         "is for linear problems, and for ranks");
}

}  // namespace

bvp::Options nonlinear_options(const SolveCommand& command, BoundaryRun& run) {
  refuse_others(command);
  bvp::Options options = run.options();
  if (command.variant) options.variant = variant_named(*command.variant);
  if (command.shooting_back) options.shooting_back = true;
  return options;
}

std::string error_line(const bvp::Solution& solution, const bvp::BoundaryProblem& problem) {
  constexpr int points = 1000;
  const MeshShare& share = solution.share();
  const Mesh& mesh = solution.mesh();
  // Of an infinite interval the part that was solved on.
  const Interval interval = share.ranks != nullptr ? Interval{share.begin, share.end}
                                                   : Interval{mesh.begin(), mesh.end()};
  const int nx = problem.equations->state_size();
  const auto time = [&](int i) {
    return std::min(interval.end, interval.begin + interval.length() * i / points);
  };
  VecX size = VecX::Ones(nx);
  for (int i = 0; i <= points; ++i) {
    size = size.cwiseMax(problem.exact(time(i)).cwiseAbs() + VecX::Ones(nx));
  }
  double most = 0, at = interval.begin;
  const auto add = [&](double error, double t) {
    if (error <= most || std::isnan(most)) return;
    most = error;
    at = t;
  };
  for (int i = 0; i <= points; ++i) {
    const double t = time(i);
    if (t < mesh.begin() || t > mesh.end()) continue;  // Of another rank.
    add(largest_size((solution.x(t) - problem.exact(t)).cwiseQuotient(size)), t);
  }
  const std::vector<double> all = share.joined(std::vector<double>{most, at});
  for (std::size_t rank = 0; rank < all.size(); rank += 2) add(all[rank], all[rank + 1]);
  return fmt::format(
      "error against the exact solution, relative to 1 + the largest value of each component: "
      "{:.2e} at most, at t = {:.4g}",
      most, at);
}

void tell(const BoundaryRun& run, const bvp::BoundaryProblem& problem,
          const bvp::Solution& solution) {
  run.tell(solution.report);
  if (run.talks() && solution.has_values() && problem.exact) {
    say("{}\n", error_line(solution, problem));
  }
}

std::string advice_to_continue(const SolveCommand& command, const catalogue::BoundaryEntry& entry,
                               const Report& report) {
  const bool by_newton = report.termination == Termination::not_converged ||
                         report.termination == Termination::singular_matrix ||
                         report.termination == Termination::diverged;
  if (!by_newton || entry.parameters.empty()) return {};
  const auto all = problems::with_changes(entry.name, entry.parameters, command.parameters);
  // One that was set, best; its default is known to be solved.
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].value != entry.parameters[i].value) chosen = i;
  }
  const double value = all[chosen].value, known = entry.parameters[chosen].value;
  const double easier = value != known ? known : value > 0 && value < 0.1 ? 0.1 : 2 * value;
  std::string others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == chosen || all[i].value == entry.parameters[i].value) continue;
    others += fmt::format(" --set {}={:g}", all[i].name, all[i].value);
  }
  return fmt::format(
      "{}the problem has a parameter: follow it from where it is easier, daewave solve {} "
      "--continue {}={:g}:{:g}{}",
      report.advice.empty() ? "" : "; ", command.problem, all[chosen].name, easier, value, others);
}

void tell_unknowns(const BoundaryRun& run, const std::string& problem,
                   const bvp::Solution& solution) {
  if (!run.talks() || !is_model_file(problem) || !solution.has_values()) return;
  const models::Model& model = model_file(problem);
  const VecX x = solution.x(solution.mesh().begin());
  for (const std::string& name : model.unknown) {
    const auto found = std::find(model.state_names.begin(), model.state_names.end(), name);
    say("{} = {:.10g}\n", name, x[static_cast<int>(found - model.state_names.begin())]);
  }
}

int solve_boundary(const SolveCommand& command, const catalogue::BoundaryEntry& entry) {
  const bvp::BoundaryProblem problem = catalogue::make(entry, command.parameters);
  check_rows(command, problem.equations->state_size());
  BoundaryRun run(command);
  bvp::Solution solution = in_options(bvp::solve(problem, nonlinear_options(command, run)));
  run.work_has_ended();
  solution.report.advice += advice_to_continue(command, entry, solution.report);
  tell(run, problem, solution);
  tell_unknowns(run, command.problem, solution);
  const ExitCode code = run.end(solution.report.usable(), solution.report.brief());
  OutputFiles files;
  write_results(
      command, solution, [&] { return boundary_figure(solution, problem); }, problem.exact,
      with_provenance(io::report_json(solution.report), command), files);
  files.end();
  return code;
}

int check_boundary(const bvp::BoundaryProblem& problem) {
  say("{}: {}, nx = {}, t in [{:g}, {:g}]\n", problem.name,
      bvp::index_of(problem.equations->kind()), problem.equations->state_size(),
      problem.interval.begin, problem.interval.end);
  const bvp::Solution solution = in_options(bvp::solve(problem, {.tolerance = 1e-4}));
  say("a solve to 1e-4: {}\n", solution.report.brief());
  for (const std::string& warning : solution.report.warnings) say("warning: {}\n", warning);
  return solution.report.usable() ? solved : not_solved;
}

}  // namespace daewave::cli
