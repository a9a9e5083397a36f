#pragma once
// What the user asked for, as parsed: one struct per subcommand.

#include <optional>
#include <string>
#include <vector>

#include "catalogue/boundary_catalogue.hpp"
#include "catalogue/initial_value_catalogue.hpp"
#include "core/ranks/communicator.hpp"
#include "problems/linear_catalogue.hpp"

namespace daewave::flow {
struct FlowEntry;
}

namespace daewave::cli {

/// Exit codes of the program.
enum ExitCode { solved = 0, not_solved = 1, bad_input = 2 };

struct ListCommand {
  std::string filter;  ///< Empty: all.
  bool json = false;
};

/// All that is known of a problem.
struct ShowCommand {
  std::string problem;
};

/// A model file to begin with.
struct NewCommand {
  std::string name;  ///< Of a template; empty: says which there are.
};

/// A model file in another language.
struct ConvertCommand {
  std::string problem;
  std::vector<problems::Parameter> parameters;
  std::string to = "cpp";
  std::string output;  ///< Path; empty: standard output.
};

struct SolveCommand {
  std::string problem;
  std::vector<problems::Parameter> parameters;

  std::optional<std::string> scheme, weight;
  std::optional<int> stages, intervals, iterates;
  std::vector<double> fixed_nodes;
  std::optional<double> epsilon, alpha1, alpha2, tolerance, residual_tolerance, time_limit;
  std::string linear_solver = "auto";
  std::optional<int> partitions, samples, max_intervals;
  std::string singular = "auto";
  std::string relative, absolute;  ///< Tolerances of components of x; empty: open.
  bool shooting_back = false;

  std::optional<int> threads;           ///< 0: all cores; without it one.
  const Communicator* ranks = nullptr;  ///< That run the same command; null: none.
  bool is_first_rank() const { return ranks == nullptr || ranks->rank() == 0; }

  /// Paths; empty: not written, "-": standard output.
  std::string csv, npy, json, svg, report;
  int points = 0;  ///< Rows of CSV and NPY; 0: the nodes.
  bool explain = false, quiet = false, verbose = false;

  // Of nonlinear boundary value problems; the first of multistep formulas too.
  std::optional<bool> control_multiplier;
  std::optional<double> truncation;
  std::string continue_in;  ///< "NAME=FROM:TO"; empty: one solve.
  bool arclength = false;
  std::string branch;  ///< Path.

  // Of flows.
  std::optional<std::string> convection;
  std::optional<double> steady;

  // Of initial value solves.
  std::optional<std::string> method, stepper, variant, loops, simd, metric, onto, form, blocking,
      local_parameters, stage_iteration;
  std::optional<double> h, first_step, largest_step, rtol, atol, alpha0, alpha3, gamma, factor, c;
  std::optional<int> order, exact_start, window;
  std::optional<long> every;
  std::vector<double> restart_times;
  std::optional<double> accuracy;
  bool estimate_error = false, sensitivities = false;
  bool repair = false, keep_energy = false, projected_estimate = false;
  std::string checkpoint, resume;  ///< Paths; empty: none.
  std::optional<double> checkpoint_seconds;
  std::optional<long> checkpoint_steps;

  /// One of the options that only an initial value solve has was given.
  bool asks_for_initial_value() const {
    return method || stepper || variant || loops || order || simd || metric || onto || form ||
           blocking || local_parameters || stage_iteration || c || keep_energy ||
           projected_estimate || h || first_step || largest_step || rtol || atol || accuracy ||
           estimate_error || sensitivities || alpha0 || alpha3 || gamma || factor || exact_start ||
           window || every || repair || !restart_times.empty() || !checkpoint.empty() ||
           !resume.empty() || checkpoint_seconds || checkpoint_steps;
  }
};

/// One solve for each combination of values.
struct SweepCommand {
  SolveCommand solve;
  std::vector<std::string> vary;  ///< "name=from:to:count" or "name=value,value,...".
  std::string shard;              ///< "K/N", a part of the members; empty: all.
  std::string kept;               ///< Path of the file of members that have ended; empty: none.
  bool must_be_kept = false;      ///< It is that of a sweep that goes on.
  std::string what;               ///< Words of the command that its rows depend on.
};

/// The table of a sweep, of files that parts of it have kept.
struct MergeCommand {
  std::vector<std::string> files;
  /// Paths; empty: not written, "-": standard output.
  std::string csv, npy;
  std::string kept;  ///< Path of a file of all members, for sweep --resume; empty: none.
  bool quiet = false;
};

struct TableCommand {
  std::string id;
  std::string json, svg;
  std::string linear_solver = "auto";
};

struct CheckCommand {
  std::string problem;
  std::vector<problems::Parameter> parameters;
};

/// A boundary value problem whose mesh ranks share.
int solve_over_ranks(const SolveCommand& command);

/// A problem of the catalogue of initial value problems, or a linear one with all conditions at the
/// begin.
int solve_initial_value(const SolveCommand& command, const catalogue::InitialValueProblem& problem);
int check_initial_value(const catalogue::InitialValueProblem& problem);

/// A flow, a large sparse problem.
int solve_flow(const SolveCommand& command, const flow::FlowEntry& entry);
int check_flow(const CheckCommand& command, const flow::FlowEntry& entry);

/// A nonlinear boundary value problem.
int solve_boundary(const SolveCommand& command, const catalogue::BoundaryEntry& entry);
/// The same over one of its parameters.
int continue_boundary(const SolveCommand& command, const catalogue::BoundaryEntry& entry);
int check_boundary(const bvp::BoundaryProblem& problem);

int run(const ListCommand& command);
int run(const ShowCommand& command);
int run(const NewCommand& command);
int run(const ConvertCommand& command);
int run(const SolveCommand& command);
int run(const SweepCommand& command);
int run(const MergeCommand& command);
int run(const TableCommand& command);
int run(const CheckCommand& command);

}  // namespace daewave::cli
