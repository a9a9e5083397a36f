// The program's options. Everything that CLI11 is needed for is here: it takes long to compile.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>

#include "cli/command_line.hpp"
#include "cli/standard_output.hpp"
#include "core/error.hpp"

namespace {

/// What --order meant in former versions, for srm.
std::string no_loops(const std::string& order) {
  for (const char* loops : {"step-local", "sweeps", "pipelined", "lanes"}) {
    if (order == loops) return fmt::format("is a number, 1 to 6; of srm take --loops {}", loops);
  }
  return {};
}

using namespace daewave;

/// "name=value" of --set.
problems::Parameter parse_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (equals == 0 || value.empty() || *end != '\0') {
    throw InvalidOption(fmt::format("--set {}: must be NAME=NUMBER, such as lambda=50", text));
  }
  return {text.substr(0, equals), number, ""};
}

/// What --set and --t-end collect, until all of the command line is read.
struct ParameterTexts {
  std::vector<std::string> set;
  std::optional<double> t_end, links;

  void add_to(CLI::App* app) {
    app->add_option("--set", set, "Parameter of the problem, NAME=NUMBER; see list");
    app->add_option("--t-end", t_end, "End of the interval, where the problem lets it be chosen");
    app->add_option("--links", links, "Rods of chain, cells of scissors");
  }
  std::vector<problems::Parameter> parsed() const {
    std::vector<problems::Parameter> parameters;
    for (const std::string& text : set) parameters.push_back(parse_parameter(text));
    if (t_end) parameters.push_back({"t-end", *t_end, ""});
    if (links) parameters.push_back({"links", *links, ""});
    return parameters;
  }
};

void add_solve_options(CLI::App* app, cli::SolveCommand& solve) {
  app->add_option("problem", solve.problem, "Name from `daewave list`")->required();
  app->add_option("--tolerance", solve.tolerance,
                  "Error wanted in x and B y; refines the mesh until the estimate is below it");
  app->add_option("--relative", solve.relative,
                  "Boundary values: errors of x relative to the largest values of its components, "
                  "one number or one for each, 1e-6,1e-3; with --absolute");
  app->add_option("--absolute", solve.absolute,
                  "The same in units of x; inf for a component that does not matter");
  app->add_option("--scheme", solve.scheme, "gauss, radau, lobatto or midpoint");
  app->add_option("--stages", solve.stages, "Stages per interval");
  app->add_option("--intervals", solve.intervals, "Intervals of a uniform mesh");
  app->add_option("--fixed-nodes", solve.fixed_nodes,
                  "Times that are nodes of every mesh, such as 0.3,0.7: where a coefficient jumps")
      ->delimiter(',');
  app->add_option("--max-intervals", solve.max_intervals,
                  "Intervals at which refinement to a tolerance gives up");
  app->add_option(
      "--samples", solve.samples,
      "Points between stages at which a solution is looked at before it is accepted, at "
      "the least; a peak narrower than a fifth of their distance can be missed");
  app->add_option("--epsilon", solve.epsilon, "Regularization parameter");
  app->add_option("--alpha1", solve.alpha1, "Weight of the differentiated constraint");
  app->add_option("--alpha2", solve.alpha2, "Weight of the constraint");
  app->add_option("--weight", solve.weight, "E: inverse, transpose, identity or shifted");
  app->add_option("--iterates", solve.iterates, "Iterates of the regularization");
  app->add_option("--solver", solve.linear_solver,
                  "Linear solver: auto, block_lu, block_qr, parallel_block, umfpack or eigen");
  app->add_option("--partitions", solve.partitions,
                  "Of parallel_block: parts of the mesh that are eliminated at the same time");
  app->add_option("--singular", solve.singular,
                  "How stages at singular points are passed: auto, limits or move_node");
  app->add_flag("--shooting-back", solve.shooting_back,
                "Repair the initial layer from the far end, then solve again");
  app->add_option("--truncation", solve.truncation,
                  "Infinite intervals of nonlinear boundary value problems: the length at which "
                  "they are cut first");
  app->add_option("--continue", solve.continue_in,
                  "Nonlinear boundary value problems: follow the solution over a parameter, "
                  "NAME=FROM:TO");
  app->add_flag("--arclength", solve.arclength,
                "Of --continue: around folds too, until the parameter is at one of its ends");
  app->add_option("--branch", solve.branch,
                  "Of --continue: write the solutions on the way as CSV, a row for each");
  app->add_option("--time-limit", solve.time_limit, "Seconds after which the solve is stopped");
  app->add_option("--threads", solve.threads,
                  "Threads of a boundary value solve, or of --loops pipelined; 0: all cores");
  app->add_option("--csv", solve.csv, "Write the solution as CSV; - for standard output");
  app->add_option("--npy", solve.npy, "Write the solution as NPY with named fields");
  app->add_option("--json", solve.json, "Write the report as JSON; - for standard output");
  app->add_option("--svg", solve.svg, "Draw solution, B y, error and iterates");
  app->add_option("--points", solve.points,
                  "Equidistant points in CSV and NPY instead of the nodes");
  app->add_flag("--explain", solve.explain, "Print every setting with the reason for it");
  auto* quiet = app->add_flag("-q,--quiet", solve.quiet, "Print nothing but errors");
  app->add_flag("-v,--verbose", solve.verbose, "Print the whole report")->excludes(quiet);
}

void add_initial_value_options(CLI::App* app, cli::SolveCommand& solve) {
  const char* group = "Initial value problems";
  app->add_option("--method", solve.method,
                  "srm, underlying, baumgarte, s-full, s-both, s-both2, s-vel, s-pos, "
                  "stabilized-ode, projection, symmetric-projection, local-state-space, "
                  "projected-invariants, "
                  "bdf-projection, bdf-projected-invariants, dcbdf, dcbdf-bdf, adams-moulton or "
                  "bdf")
      ->group(group);
  app->add_option("--stepper", solve.stepper,
                  "forward-euler, heun, explicit-midpoint, ralston, rk4, dopri5, dop853, "
                  "backward-euler, gauss or radau")
      ->group(group);
  app->add_option("--h", solve.h, "Fixed step; without it the error is controlled")->group(group);
  app->add_option("--rtol", solve.rtol, "Relative local error, with --atol")->group(group);
  app->add_option("--atol", solve.atol, "Absolute local error")->group(group);
  app->add_option("--every", solve.every, "Give out each N-th step; 0: the end only")->group(group);
  app->add_option("--variant", solve.variant,
                  "Of srm: direct, singular, singular-linear, baumgarte-form, invariant-reduced or "
                  "invariant")
      ->group(group);
  app->add_option("--loops", solve.loops,
                  "Of srm, which is outside: step-local, sweeps, pipelined or lanes")
      ->group(group);
  app->add_option("--order", solve.order, "Of multistep formulas, 1 to 6; of bdf- the highest")
      ->check(no_loops)
      ->group(group);
  app->add_option("--simd", solve.simd, "Of --loops lanes: auto, sse2, avx2 or avx512")
      ->group(group);
  app->add_option("--onto", solve.onto,
                  "Of projections and projected invariants: both, position, velocity or nothing; "
                  "in-turn, of projections, for large systems: positions, then velocities")
      ->group(group);
  app->add_option("--stage-iteration", solve.stage_iteration,
                  "Of symmetric-projection: fixed-point, or newton for stiff problems")
      ->group(group);
  app->add_option("--local-parameters", solve.local_parameters,
                  "Of local-state-space: coordinates, or tangent to the manifold")
      ->group(group);
  app->add_flag("--keep-energy", solve.keep_energy, "Project onto the energy of the start too")
      ->group(group);
  app->add_flag("--projected-estimate", solve.projected_estimate,
                "Of bdf-projection: test errors along the constraints only")
      ->group(group);
  app->add_option("--form", solve.form,
                  "Of bdf-projection and bdf-projected-invariants: multipliers eliminated, or "
                  "index-1: solved with the step")
      ->group(group);
  app->add_option("--c", solve.c, "Of adams-moulton: of the difference that stabilizes multipliers")
      ->group(group);
  app->add_option("--blocking", solve.blocking,
                  "Of dcbdf and adams-moulton: stabilize the multiplier, or the term B lambda")
      ->group(group);
  app->add_flag("--control-multiplier", solve.control_multiplier,
                "Of dcbdf, dcbdf-bdf, adams-moulton and bdf: control the error of multipliers too")
      ->group(group);
  app->add_option("--window", solve.window, "Of --loops pipelined: steps of a window")
      ->group(group);
  app->add_option("--checkpoint", solve.checkpoint,
                  "Of srm with --h: write where the run stands to this file, again and again")
      ->group(group);
  app->add_option("--checkpoint-seconds", solve.checkpoint_seconds,
                  "Seconds between two checkpoints; 60 where it is left out")
      ->group(group);
  app->add_option("--resume", solve.resume, "Go on from a checkpoint instead of the start")
      ->group(group);
  app->add_option("--exact-start", solve.exact_start,
                  "Of srm: derivatives of y that the initial iterate has right, -1 to 2")
      ->group(group);
  app->add_option("--alpha0", solve.alpha0, "Of baumgarte, the factor of g; --alpha1 that of g'")
      ->group(group);
  app->add_option("--alpha3", solve.alpha3, "Of srm with baumgarte-form")->group(group);
  app->add_option("--gamma", solve.gamma, "Of stabilized-ode")->group(group);
  app->add_option("--factor", solve.factor, "Of the corrections after a step, in (0, 2)")
      ->group(group);
  app->add_option("--metric", solve.metric,
                  "Of the corrections: mass or orthogonal; of a projection also weighted")
      ->group(group);
  app->add_flag("--repair", solve.repair, "Project an inconsistent start")->group(group);
}

int run_program(int argc, char** argv) {
  CLI::App app{"Boundary value and long-horizon differential-algebraic equations."};
  app.set_version_flag("--version", std::string("daewave ") + DAEWAVE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 solved, 1 not solved (the valid part is written) or output lost, 2 bad "
      "input.\n"
      "Examples: daewave solve al1-example1 --tolerance 1e-8 --svg solution.svg\n"
      "          daewave solve swirling-flow --continue e=1:1e-4 --svg flow.svg\n"
      "          daewave solve slider-crank --method srm --h 1e-4 --svg motion.svg");

  cli::ListCommand list;
  CLI::App* list_app = app.add_subcommand("list", "Problems and tables");
  list_app->add_flag("--json", list.json, "As JSON");

  cli::SolveCommand solve;
  ParameterTexts solve_parameters;
  CLI::App* solve_app = app.add_subcommand("solve", "Solve a problem of the catalogue");
  add_solve_options(solve_app, solve);
  add_initial_value_options(solve_app, solve);
  solve_parameters.add_to(solve_app);

  cli::SweepCommand sweep;
  ParameterTexts sweep_parameters;
  CLI::App* sweep_app = app.add_subcommand(
      "sweep", "Solve an initial value problem for many parameters, on all cores");
  sweep_app->add_option("problem", sweep.solve.problem, "Name from `daewave list`")->required();
  sweep_app
      ->add_option("--vary", sweep.vary,
                   "NAME=FROM:TO:COUNT or NAME=VALUE,VALUE,...; several make a grid")
      ->required();
  sweep_app->add_option("--threads", sweep.solve.threads, "Runs at the same time; 0: all cores");
  sweep_app->add_option("--time-limit", sweep.solve.time_limit,
                        "Seconds after which the sweep is stopped");
  sweep_app->add_option("--csv", sweep.solve.csv, "One row per run; - for standard output");
  sweep_app->add_option("--npy", sweep.solve.npy, "The same as NPY with named fields");
  sweep_app->add_flag("-q,--quiet", sweep.solve.quiet, "Print nothing but errors");
  add_initial_value_options(sweep_app, sweep.solve);
  sweep_parameters.add_to(sweep_app);

  cli::TableCommand table;
  CLI::App* table_app =
      app.add_subcommand("table", "Compute a table printed in a paper beside the printed values");
  table_app->add_option("id", table.id, "Name from `daewave list`")->required();
  table_app->add_option("--json", table.json, "Write the entries as JSON; - for standard output");
  table_app->add_option("--svg", table.svg, "Draw what the paper draws; - for standard output");
  table_app->add_option("--solver", table.linear_solver, "Linear solver, as for solve");

  cli::CheckCommand check;
  ParameterTexts check_parameters;
  CLI::App* check_app = app.add_subcommand(
      "check",
      "Look at a problem: index, rank, singular points, conditioning, and a solve to 1e-3");
  check_app->add_option("problem", check.problem, "Name from `daewave list`")->required();
  check_parameters.add_to(check_app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_text = error.get_exit_code() == 0;
    std::ostringstream text, complaint;
    app.exit(error, text, complaint);
    cli::say("{}", text.str());
    cli::complain("{}", complaint.str());
    return asked_for_text ? cli::solved : cli::bad_input;
  }
  if (*list_app) return run(list);
  if (*table_app) return run(table);
  if (*check_app) {
    check.parameters = check_parameters.parsed();
    return run(check);
  }
  if (*sweep_app) {
    sweep.solve.parameters = sweep_parameters.parsed();
    return run(sweep);
  }
  solve.parameters = solve_parameters.parsed();
  return run(solve);
}

int run_and_complain(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const FileError& error) {
    cli::complain("daewave: {}\n", error.what());
    return cli::not_solved;
  } catch (const Error& error) {
    cli::complain("daewave: {}\n", error.what());
    return cli::bad_input;
  } catch (const std::bad_alloc&) {
    cli::complain(
        "daewave: out of memory; use fewer intervals or stages (the report tells the bytes "
        "per interval)\n");
    return cli::not_solved;
  } catch (const std::exception& error) {
    cli::complain("daewave: internal error: {}\n", error.what());
    return cli::not_solved;
  }
}

}  // namespace

int main(int argc, char** argv) {
  cli::fill_standard_streams();
  const int code = run_and_complain(argc, argv);
  const std::string lost = cli::end_standard_output();
  if (lost.empty()) return code;
  cli::complain(
      "daewave: standard output cannot be written: {}; what was printed is not complete: free some "
      "space, or send it elsewhere\n",
      lost);
  return code == cli::solved ? cli::not_solved : code;
}
