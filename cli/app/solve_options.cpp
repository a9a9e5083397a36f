// Options of daewave solve and daewave sweep.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/app/app.hpp"

namespace daewave::cli {
namespace {

/// What --order meant in former versions, for srm.
std::string no_loops(const std::string& order) {
  for (const char* loops : {"step-local", "sweeps", "pipelined", "lanes"}) {
    if (order == loops) return fmt::format("is a number, 1 to 6; of srm take --loops {}", loops);
  }
  return {};
}

}  // namespace

CLI::Option* add_control_multiplier(CLI::App* app, SolveCommand& solve, const char* what) {
  const std::function<void(std::int64_t)> set = [&solve](std::int64_t count) {
    solve.control_multiplier = count > 0;
  };
  return app->add_flag_function("--control-multiplier,!--no-control-multiplier", set, what);
}

void add_problem_options(CLI::App* app, SolveCommand& solve) {
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
  app->add_option("--residual-tolerance", solve.residual_tolerance,
                  "Nonlinear boundary values: of what a solution is off x' = f between its stages "
                  "too, relative "
                  "to 1 + |f|, as other codes measure it");
  app->add_option("--epsilon", solve.epsilon, "Regularization parameter");
  app->add_option("--alpha1", solve.alpha1, "Weight of the differentiated constraint");
  app->add_option("--alpha2", solve.alpha2, "Weight of the constraint");
  app->add_option("--weight", solve.weight, "E: inverse, transpose, identity or shifted");
  app->add_option("--iterates", solve.iterates, "Iterates of the regularization");
}

void add_solve_options(CLI::App* app, SolveCommand& solve) {
  app->add_option("problem", solve.problem, "Name from `daewave list`, or a model file (.toml)")
      ->required();
  add_problem_options(app, solve);
  app->add_option("--solver", solve.linear_solver,
                  "Linear solver: auto, block_lu, block_qr, parallel_block, umfpack or eigen");
  app->add_option("--partitions", solve.partitions,
                  "Of parallel_block: parts of the mesh that are eliminated at the same time");
  app->add_option("--singular", solve.singular,
                  "How stages at singular points are passed: auto, limits or move_node");
  app->add_flag("--shooting-back", solve.shooting_back,
                "Repair the initial layer from the far end, then solve again");
  add_control_multiplier(
      app, solve,
      "The tolerance is that of multipliers, y or B y, too: of nonlinear boundary value problems, "
      "where it is so unless --no-control-multiplier is given, which takes fewer intervals; and of "
      "dcbdf, dcbdf-bdf, adams-moulton and bdf");
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
  app->add_option(
      "--convection", solve.convection,
      "Flows: extrapolated, with one matrix for all steps, or implicit, for long steps");
  app->add_option("--steady", solve.steady,
                  "Flows: end where no velocity changes by more than this in a unit of time; 0: at "
                  "the end of the interval");
  app->add_option("--time-limit", solve.time_limit, "Seconds after which the solve is stopped");
  app->add_option("--threads", solve.threads,
                  "Threads of a boundary value solve, or of --loops pipelined; 0: all cores");
  app->add_option("--csv", solve.csv, "Write the solution as CSV; - for standard output");
  app->add_option("--npy", solve.npy, "Write the solution as NPY with named fields");
  app->add_option("--json", solve.json, "Write the report as JSON; - for standard output");
  app->add_option("--svg", solve.svg, "Draw solution, B y, error and iterates");
  app->add_option("--report", solve.report,
                  "Write a page for a browser: plots, the mechanism moving, settings; FILE.html");
  app->add_option("--points", solve.points,
                  "Equidistant points in CSV and NPY instead of the nodes");
  app->add_flag("--explain", solve.explain, "Print every setting with the reason for it");
  auto* quiet = app->add_flag("-q,--quiet", solve.quiet, "Print nothing but errors");
  app->add_flag("-v,--verbose", solve.verbose, "Print the whole report")->excludes(quiet);
}

void add_initial_value_options(CLI::App* app, SolveCommand& solve) {
  const char* group = "Initial value problems";
  app->add_option("--method", solve.method,
                  "srm, underlying, baumgarte, s-full, s-both, s-both2, s-vel, s-pos, "
                  "stabilized-ode, projection, symmetric-projection, local-state-space, "
                  "gauss-windows, projected-invariants, "
                  "bdf-projection, bdf-projected-invariants, dcbdf, dcbdf-bdf, adams-moulton or "
                  "bdf; of flows srm, projection or chorin")
      ->group(group);
  app->add_option("--stepper", solve.stepper,
                  "forward-euler, heun, explicit-midpoint, ralston, rk4, dopri5, dop853, "
                  "backward-euler, gauss or radau")
      ->group(group);
  app->add_option("--h", solve.h, "Fixed step; without it the error is controlled")->group(group);
  app->add_option("--first-step", solve.first_step,
                  "Where steps are controlled, the one to begin with")
      ->group(group);
  app->add_option(
         "--largest-step", solve.largest_step,
         "Where steps are controlled, none is longer: what is shorter may pass unseen between")
      ->group(group);
  app->add_option("--rtol", solve.rtol, "Relative local error, with --atol")->group(group);
  app->add_option("--atol", solve.atol, "Absolute local error")->group(group);
  app->add_flag(
         "--estimate-error", solve.estimate_error,
         "Estimate the error of the whole run, by a second one by another method to a smaller "
         "tolerance")
      ->group(group);
  app->add_option("--accuracy", solve.accuracy,
                  "Error of the whole run, relative to 1 + the largest component; more is not "
                  "usable. With --estimate-error")
      ->group(group);
  app->add_flag(
         "--sensitivities", solve.sensitivities,
         "Print how the end moves with the start and with the parameters of the problem, its "
         "derivatives by them")
      ->group(group);
  app->add_option("--every", solve.every, "Give out each N-th step; 0: the end only")->group(group);
  app->add_option("--restart-times", solve.restart_times,
                  "Times at which f jumps, or a drive turns, such as 0.5,1.25: a step ends at "
                  "each, and the formula "
                  "starts anew behind it; increasing, inside the interval")
      ->delimiter(',')
      ->group(group);
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
  app->add_option("--window", solve.window, "Of --loops pipelined: steps of a window")
      ->group(group);
  app->add_option(
         "--checkpoint", solve.checkpoint,
         "Write where the run stands to this file, again and again, for --resume; of sweeps: keep "
         "each member in it when it has ended, and go on from those that are there")
      ->group(group);
  app->add_option("--checkpoint-seconds", solve.checkpoint_seconds,
                  "Seconds between two checkpoints; 60 where it is left out")
      ->group(group);
  app->add_option("--checkpoint-steps", solve.checkpoint_steps,
                  "Of all methods but srm: steps after which the formula starts anew, where "
                  "checkpoints can be; 20000 where it is left out")
      ->group(group);
  app->add_option("--resume", solve.resume, "Go on from a checkpoint instead of the start")
      ->group(group);
  app->add_option(
         "--exact-start", solve.exact_start,
         "Of srm: derivatives of y that the initial iterate has right, -1 to 2; chosen where "
         "it is left out")
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

}  // namespace daewave::cli
