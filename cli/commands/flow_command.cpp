#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "cli/commands/flow_picture.hpp"
#include "cli/options/command_line.hpp"
#include "cli/output/interrupt.hpp"
#include "cli/output/option_words.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/report_file.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "core/machine/memory.hpp"
#include "core/not_finite.hpp"
#include "io/atomic_file.hpp"
#include "io/csv.hpp"
#include "io/npy.hpp"
#include "io/report_json.hpp"
#include "io/svg_plot.hpp"
#include "large/flow/field.hpp"
#include "large/flow/pressure_correction.hpp"

namespace daewave::cli {
namespace {

enum class Method { srm, projection, chorin };

Method method_of(const SolveCommand& command) {
  if (!command.method || *command.method == "srm") return Method::srm;
  if (*command.method == "projection") return Method::projection;
  if (*command.method == "chorin") return Method::chorin;
  throw InvalidOption(fmt::format(
      "--method {}: of flows srm, projection (pressure correction, rotational) or chorin",
      *command.method));
}

flow::Convection convection_of(const SolveCommand& command) {
  if (!command.convection || *command.convection == "extrapolated") {
    return flow::Convection::extrapolated;
  }
  if (*command.convection == "implicit") return flow::Convection::implicit;
  throw InvalidOption(
      fmt::format("--convection {}: extrapolated or implicit", *command.convection));
}

bool is_given(bool flag) { return flag; }
template <class T>
bool is_given(const std::optional<T>& value) {
  return value.has_value();
}
/// Texts and lists.
template <class Several>
requires requires(const Several& several) { several.empty(); }
bool is_given(const Several& several) { return !several.empty(); }

/// What a flow has no use for.
void refuse_others(const SolveCommand& command, Method method) {
  const auto refuse = [](bool given, const char* option, const char* instead = "leave it out") {
    if (given) throw InvalidOption(fmt::format("{}: is not for flows; {}", option, instead));
  };
  refuse(is_given(command.scheme), "--scheme", "take --h");
  refuse(is_given(command.intervals), "--intervals", "take --h");
  refuse(is_given(command.stages), "--stages");
  refuse(is_given(command.tolerance), "--tolerance", "take --h, cells and --estimate-error");
  refuse(is_given(command.first_step), "--first-step", "take --h");
  refuse(is_given(command.largest_step), "--largest-step", "take --h");
  refuse(is_given(command.rtol), "--rtol", "take --h, and --estimate-error");
  refuse(is_given(command.atol), "--atol", "take --h, and --estimate-error");
  refuse(is_given(command.fixed_nodes), "--fixed-nodes");
  refuse(is_given(command.relative), "--relative");
  refuse(is_given(command.absolute), "--absolute");
  refuse(is_given(command.max_intervals), "--max-intervals");
  refuse(is_given(command.samples), "--samples");
  refuse(is_given(command.residual_tolerance), "--residual-tolerance");
  refuse(is_given(command.partitions), "--partitions");
  refuse(is_given(command.threads), "--threads");
  refuse(is_given(command.shooting_back), "--shooting-back");
  refuse(is_given(command.control_multiplier), "--control-multiplier");
  refuse(is_given(command.truncation), "--truncation");
  refuse(is_given(command.continue_in), "--continue");
  refuse(is_given(command.arclength), "--arclength");
  refuse(is_given(command.branch), "--branch");
  refuse(is_given(command.report), "--report", "take --svg");
  refuse(is_given(command.stepper), "--stepper");
  refuse(is_given(command.variant), "--variant");
  refuse(is_given(command.loops), "--loops");
  refuse(is_given(command.simd), "--simd");
  refuse(is_given(command.order), "--order");
  refuse(is_given(command.metric), "--metric");
  refuse(is_given(command.onto), "--onto");
  refuse(is_given(command.form), "--form");
  refuse(is_given(command.blocking), "--blocking");
  refuse(is_given(command.local_parameters), "--local-parameters");
  refuse(is_given(command.stage_iteration), "--stage-iteration");
  refuse(is_given(command.alpha0), "--alpha0");
  refuse(is_given(command.alpha3), "--alpha3");
  refuse(is_given(command.gamma), "--gamma");
  refuse(is_given(command.factor), "--factor");
  refuse(is_given(command.c), "--c");
  refuse(is_given(command.exact_start), "--exact-start");
  refuse(is_given(command.window), "--window");
  refuse(is_given(command.every), "--every");
  refuse(is_given(command.repair), "--repair");
  refuse(is_given(command.keep_energy), "--keep-energy");
  refuse(is_given(command.projected_estimate), "--projected-estimate");
  refuse(is_given(command.sensitivities), "--sensitivities");
  refuse(is_given(command.restart_times), "--restart-times");
  refuse(is_given(command.accuracy), "--accuracy");
  refuse(is_given(command.checkpoint), "--checkpoint");
  refuse(is_given(command.resume), "--resume");
  refuse(is_given(command.checkpoint_seconds), "--checkpoint-seconds");
  refuse(is_given(command.checkpoint_steps), "--checkpoint-steps");
  refuse(command.weight && *command.weight != "identity", "--weight", "it is the identity");
  refuse(command.linear_solver != "auto", "--solver", "the matrices choose it");
  refuse(command.singular != "auto", "--singular");
  refuse(command.points != 0, "--points", "the rows of a table are cells");
  if (method == Method::srm) return;
  const auto regularization = [](bool given, const char* option) {
    if (given) throw InvalidOption(fmt::format("{}: is of --method srm", option));
  };
  regularization(command.epsilon.has_value(), "--epsilon");
  regularization(command.iterates.has_value(), "--iterates");
  regularization(command.alpha1.has_value(), "--alpha1");
  regularization(command.alpha2.has_value(), "--alpha2");
  regularization(command.estimate_error, "--estimate-error");
}

sparse::Options options_of(const SolveCommand& command, const flow::FlowProblem& problem) {
  sparse::Options options;
  options.h = command.h.value_or(problem.default_h());
  if (command.epsilon) options.epsilon = *command.epsilon;
  if (command.iterates) options.iterates = *command.iterates;
  if (command.alpha1) options.alpha1 = *command.alpha1;
  if (command.alpha2) options.alpha2 = *command.alpha2;
  options.steady = command.steady.value_or(problem.flow().steady ? 1e-5 : 0);
  options.estimate_error = command.estimate_error;
  return options;
}

nlohmann::ordered_json pairs(const std::vector<double>& a, const std::vector<double>& b) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < a.size(); ++i) all.push_back({a[i], b[i]});
  return all;
}

/// What is known of the answer from elsewhere.
struct Compared {
  std::optional<double> u, p;            ///< Largest errors, where the flow is exact.
  std::optional<double> u_line, v_line;  ///< Against Ghia's tables.
  std::optional<flow::Extremes> here, spectral;
};

Compared compared(const flow::NamedFlow& flow, const sparse::Solution& solution) {
  Compared with;
  const flow::FlowProblem& problem = flow.problem;
  if (problem.flow().exact) {
    const VecX y = solution.y.array() - solution.y.mean();
    with.u = largest_size(solution.x - problem.exact_x(solution.t));
    with.p = largest_size(y - problem.exact_y(solution.t));
  } else if (const auto literature = flow::ghia_profiles(flow.re)) {
    with.u_line = flow::deviation(flow::u_profile(problem, solution.x, solution.t), literature->u);
    with.v_line = flow::deviation(flow::v_profile(problem, solution.x, solution.t), literature->v);
    with.here = flow::extremes(flow::u_profile(problem, solution.x, solution.t),
                               flow::v_profile(problem, solution.x, solution.t));
    with.spectral = flow::spectral_extremes(flow.re);
  }
  return with;
}

void print_profile(const char* title, const flow::Profile& profile,
                   const std::vector<flow::GhiaPoint>& literature) {
  say("{}\n", title);
  for (const flow::GhiaPoint& point : literature) {
    say("  {:.4f}  {:9.5f}  {:9.5f}{}\n", point.at, profile(point.at), point.value,
        point.misprint ? "  (a misprint, see docs/errata.md)" : "");
  }
}

void tell(const SolveCommand& command, const flow::NamedFlow& flow,
          const sparse::Solution& solution) {
  const Report& report = solution.report;
  if (command.verbose) {
    say("{}", report.full());
  } else {
    say("{}\n", report.brief());
    if (command.explain) say("{}", report.explain());
    for (const std::string& warning : report.warnings) say("warning: {}\n", warning);
  }
  if (solution.drifts.empty()) return;
  std::vector<double> drifts;
  for (const IterateReport& one : report.history) drifts.push_back(one.drift);
  if (drifts.empty()) drifts.push_back(report.integration.drift_position);
  say("divergence by iterate: at most {:.1e}, at the end {:.1e}\n", fmt::join(drifts, " "),
      fmt::join(solution.drifts.back(), " "));
  say("matrices: {:.0f} entries, factors {:.0f}, {:.1f} MB; factorized {} times in {:.2g} s\n",
      solution.matrix_entries, solution.factor_entries, solution.bytes / 1e6,
      report.linear_solve.factorizations, report.seconds.factorize);
  if (report.error.available) {
    say("error in time: velocities {:.1e}, pressure {:.1e}; {}\n", report.error.x, report.error.By,
        report.error.how);
  }
  const Compared with = compared(flow, solution);
  if (with.u)
    say("error against the exact solution: velocities {:.2e}, pressure {:.2e}\n", *with.u, *with.p);
  if (!with.u_line) return;
  say("against Ghia, Ghia and Shin 1982: u off by {:.2f} %, v by {:.2f} % of the wall's velocity\n",
      100 * *with.u_line, 100 * *with.v_line);
  if (with.spectral) {
    const flow::Extremes &a = *with.here, &b = *with.spectral;
    say("against Botella and Peyret 1998: least u {:.5f} ({:.5f}), largest v {:.5f} ({:.5f}), "
        "least v "
        "{:.5f} ({:.5f})\n",
        a.u_min, b.u_min, a.v_max, b.v_max, a.v_min, b.v_min);
  }
  if (!command.verbose) return;
  const auto literature = *flow::ghia_profiles(flow.re);
  print_profile("u on x = 1/2: y, here, 1982",
                flow::u_profile(flow.problem, solution.x, solution.t), literature.u);
  print_profile("v on y = 1/2: x, here, 1982",
                flow::v_profile(flow.problem, solution.x, solution.t), literature.v);
}

std::string json_of(const SolveCommand& command, const flow::NamedFlow& flow,
                    const sparse::Solution& solution) {
  auto json =
      nlohmann::ordered_json::parse(with_provenance(io::report_json(solution.report), command));
  auto& of = json["flow"] = nlohmann::ordered_json::object();
  of["matrix_entries"] = solution.matrix_entries;
  of["factor_entries"] = solution.factor_entries;
  of["bytes"] = solution.bytes;
  if (solution.drifts.empty()) return json.dump(2);
  of["divergence"] = solution.drifts.back();
  const flow::Profile u = flow::u_profile(flow.problem, solution.x, solution.t);
  const flow::Profile v = flow::v_profile(flow.problem, solution.x, solution.t);
  of["u_on_vertical_line"] = pairs(u.at, u.value);
  of["v_on_horizontal_line"] = pairs(v.at, v.value);
  const Compared with = compared(flow, solution);
  if (with.u) of["error"] = {{"velocity", *with.u}, {"pressure", *with.p}};
  if (with.u_line) {
    of["ghia_1982"] = {{"u", *with.u_line}, {"v", *with.v_line}};
    of["extremes"] = {
        {"u_min", with.here->u_min}, {"v_max", with.here->v_max}, {"v_min", with.here->v_min}};
  }
  if (with.spectral) {
    of["botella_peyret_1998"] = {{"u_min", with.spectral->u_min},
                                 {"v_max", with.spectral->v_max},
                                 {"v_min", with.spectral->v_min}};
  }
  return json.dump(2);
}

void write_files(const SolveCommand& command, const flow::NamedFlow& flow,
                 const sparse::Solution& solution) {
  OutputFiles files;
  files.write(command.json, [&](const std::string& path) {
    io::write_file(path, json_of(command, flow, solution) + "\n");
  });
  if (!solution.drifts.empty()) {
    const Table table = flow::field_table(flow.problem, solution.x, solution.y, solution.t);
    files.write(command.csv, [&](const std::string& path) { io::write_csv(path, table); });
    files.write(command.npy, [&](const std::string& path) { io::write_npy(path, table); });
    files.write(command.svg, [&](const std::string& path) {
      io::write_svg(path, flow_picture(flow, solution));
    });
  }
  files.end();
}

sparse::Solution solved_by(Method method, const SolveCommand& command, const flow::NamedFlow& flow,
                           const sparse::Options& options) {
  const VecX start = flow.problem.start();
  sparse::Solution solution =
      method == Method::srm
          ? sparse::solve(flow.problem, start, flow.interval, options)
          : flow::solve_by_projection(
                flow.problem, start, flow.interval, options,
                method == Method::chorin ? flow::Projection::chorin : flow::Projection::rotational);
  if (command.h) return solution;
  for (Choice& choice : solution.report.choices) {
    if (choice.name != "h" || !choice.by_user) continue;
    choice.by_user = false;
    choice.reason = "half of a cell at the speed of the flow";
  }
  return solution;
}

/// Some 40 entries of the factors for each cell, doubled where the grid is.
void refuse_too_large(const flow::FlowProblem& problem) {
  const double n = problem.nx();
  refuse_beyond_memory(8 * n * (200 + 30 * std::log2(n)),
                       fmt::format("{} velocities", problem.nx()), "take fewer cells");
}

}  // namespace

int solve_flow(const SolveCommand& command, const flow::FlowEntry& entry) {
  const Method method = method_of(command);
  refuse_others(command, method);
  const flow::Convection convection = convection_of(command);
  if (method != Method::srm && convection == flow::Convection::implicit) {
    throw InvalidOption("--convection implicit: is of --method srm");
  }
  const flow::NamedFlow flow = flow::make(entry, command.parameters, convection);
  refuse_too_large(flow.problem);
  sparse::Options options = options_of(command, flow.problem);
  sparse::check(options, flow.interval);
  Interrupt interrupt(command.time_limit);
  ProgressLine line(!command.quiet);
  options.progress = [&](const sparse::StepInfo& progress) {
    line.show(progress);
    return !interrupt.requested();
  };
  const sparse::Solution solution = in_options(solved_by(method, command, flow, options));
  interrupt.work_has_ended();
  line.erase();
  bool talks = !command.quiet;
  for (const std::string* path : {&command.csv, &command.npy, &command.json, &command.svg}) {
    talks = talks && *path != "-";
  }
  if (talks) tell(command, flow, solution);
  const bool usable = solution.report.usable();
  if (!usable && !talks) complain("daewave: {}\n", solution.report.brief());
  if (interrupt.requested() && !usable) complain("daewave: stopped by {}\n", interrupt.reason());
  write_files(command, flow, solution);
  return usable ? solved : not_solved;
}

int check_flow(const CheckCommand& command, const flow::FlowEntry& entry) {
  const flow::NamedFlow flow = flow::make(entry, command.parameters);
  const flow::FlowProblem& problem = flow.problem;
  refuse_too_large(problem);
  say("{}: {} velocities, {} pressures, t in [{:g}, {:g}]\n", entry.name, problem.nx(),
      problem.ny(), flow.interval.begin, flow.interval.end);
  say("index 2; the divergence has rank {} of {}: a constant of the pressure is open, its gradient "
      "is not\n",
      problem.ny() - 1, problem.ny());
  sparse::Options options;
  options.h = problem.default_h();
  const sparse::Solution solution =
      in_options(sparse::solve(problem, problem.start(), {0, 10 * options.h}, options));
  say("matrices: {:.0f} entries, factors {:.0f}, {:.1f} MB\n", solution.matrix_entries,
      solution.factor_entries, solution.bytes / 1e6);
  say("ten steps of {:g}: {}; divergence {:.1e}\n", options.h, solution.report.brief(),
      solution.report.integration.drift_position);
  return solution.report.usable() ? solved : not_solved;
}

}  // namespace daewave::cli
