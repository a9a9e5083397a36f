#pragma once
// What was asked, what was used, how it went: the second half of every result.

#include <string>
#include <vector>

namespace daewave {

/// Why a solve ended.
enum class Termination {
  not_run,              ///< Nothing has been computed.
  converged,            ///< All that was asked holds.
  tolerance_not_met,    ///< A solution was found, its error estimate exceeds the tolerance.
  iterates_exhausted,   ///< The last iterate still changed by more than was allowed.
  refused,              ///< What is known beforehand, or at an end, says that more would be wrong.
  singular_matrix,      ///< No linear solver reached an acceptable residual.
  singular_constraint,  ///< The constraint cannot be regularized at the given time.
  diverged,             ///< A number that is not finite appeared.
  step_too_small,       ///< The step control went below what rounding allows.
  too_many_steps,       ///< The number of steps allowed was used up.
  not_converged,        ///< Newton's method found no solution of the discrete equations.
  stopped               ///< The caller asked to stop.
};

/// The name used in reports and JSON, such as "tolerance_not_met".
const char* name_of(Termination termination);

/// One setting of a solve: its value, who chose it, and why.
struct Choice {
  std::string name;      ///< As in the options, such as "epsilon".
  std::string value;     ///< As text.
  bool by_user = false;  ///< False: chosen by the solver.
  std::string reason;    ///< Why the solver chose it; empty when the user did.
};

/// One sweep of the iteration s = 1, 2, ...
struct IterateReport {
  int iterate = 0;
  double change = 0;     ///< max |By_s - By_{s-1}| over all stages.
  double change_at = 0;  ///< t of the stage where the change is largest.
  double drift = 0;      ///< max |C x_s + r| over all nodes.
  double residual = 0;   ///< Largest backward error of a block row of the linear system.
  int refinements = 0;   ///< Steps of iterative refinement spent.
};

/// How the linear systems were solved.
struct LinearSolveReport {
  std::string asked;               ///< Name given in the options.
  std::string used;                ///< Name of the solver that produced the answer.
  std::vector<std::string> tried;  ///< In order, each with the reason it was left.
  int analyses = 0;                ///< Of structures: one serves all matrices that share it.
  int factorizations = 0;
  int solves = 0;
  int refinements = 0;
  double worst_residual = 0;      ///< Largest backward error accepted.
  double bytes_per_interval = 0;  ///< Matrix, factors and stage maps together.
};

/// Wall-clock seconds.
struct Seconds {
  double condense = 0;  ///< Evaluating coefficients or equations, and eliminating stages.
  double factorize = 0;
  double solve = 0;  ///< All sweeps.
  double total = 0;  ///< With what is none of these: choosing, looking at residuals, estimates.

  /// All but the total, of which each part is in that of the whole.
  void add_phases(const Seconds& of) {
    condense += of.condense;
    factorize += of.factorize;
    solve += of.solve;
  }
};

/// What the solver believes its error to be, in max norm relative to 1 + max |component|.
struct ErrorEstimate {
  bool available = false;
  double x = 0;
  double By = 0;
  double tolerance = 0;  ///< 0: none was asked.
  /// What further iterates may still change of x; 0 where there are none, or their number was
  /// given.
  double iterates = 0;
  std::string how;  ///< How the estimate was obtained.
};

/// Conditioning and dichotomy, estimated with the factored matrix.
struct ConditioningReport {
  bool available = false;
  /// kappa_1: max |x| over unit perturbations of the boundary conditions; of nonlinear problems
  /// both in units of the largest values of the components.
  double boundary = 0;
  /// The same, of linear problems too, in units of the largest values.
  double influence = 0;
  double forcing = 0;   ///< kappa_2: max |x| over probing perturbations of the equations.
  double rounding = 0;  ///< What rounding of the equations may make of x, relative to 1 + max |x|.
  int growing = 0;      ///< Modes of the discrete problem that grow from left to right.
  int decaying = 0;     ///< Modes that decay.
  int neutral = 0;      ///< Modes that do neither.
  double fastest_growth = 0;  ///< Largest growth exponent, per unit of time.
  int modes() const { return growing + decaying + neutral; }  ///< Counted; 0: they were not.
};

/// A stage or node at which the constraint matrix CB has no full rank.
struct SingularPoint {
  double t = 0;
  double pivot = 0;       ///< Smallest pivot of CB relative to the largest of the interval.
  std::string kind;       ///< "vanishing row", "dependent rows", "rank-deficient B", ...
  std::string passed_by;  ///< "symmetric limit", "moved node", "node is no stage", ...
};

/// How an initial value solve went along.
struct IntegrationReport {
  bool available = false;
  double begin = 0;
  double reached = 0;  ///< t up to which the result is valid.
  double end = 0;      ///< t that was asked for.
  long steps = 0;      ///< Accepted.
  long rejected = 0;
  long evaluations = 0;  ///< Of the right-hand side, over all iterates.
  double smallest_step = 0;
  double largest_step = 0;
  double drift_position = 0;  ///< max |g| over all steps.
  double drift_velocity = 0;  ///< max |G v + g_t| over all steps; 0 for index 2.
  int index = 0;              ///< Of the DAE: 2 or 3.
  int constraints = 0;        ///< Rows of G.
  int rank = 0;               ///< Of G at the start.
  long guarded = 0;           ///< Evaluations in which the rank guard dropped a row of G.
  double pivot_ratio = 1;     ///< Smallest pivot of G over that at the start; index reduction only.
  double pivot_ratio_at = 0;  ///< t of it.
  long parameter_choices = 0;  ///< Of local state-space form, the first included; 0 otherwise.
  bool has_energy = false;
  double energy_start = 0;
  double energy_change = 0;  ///< max |energy - energy_start| over all steps.
  long events = 0;
  long restarts = 0;  ///< At events that changed the state, and at restart_times.
};

/// One parameter of a problem that is one of a family.
struct ParameterReport {
  std::string name;
  double value = 0;
  bool found = false;  ///< It was unknown, and solved for.
};

/// Everything about a solve except its numbers.
struct Report {
  Termination termination = Termination::not_run;
  std::string message = "solve() was not called";
  std::string advice;   ///< One line: what to try next; may be empty.
  std::string problem;  ///< Name of the problem where it has one.
  int nx = 0;
  int ny = 0;
  int intervals = 0;  ///< Of the last mesh.
  double smallest_step = 0;
  double largest_step = 0;
  std::vector<Choice> choices;
  std::vector<ParameterReport> parameters;
  std::vector<IterateReport> history;
  std::vector<SingularPoint> singular_points;
  std::vector<std::string> warnings;
  IntegrationReport integration;
  LinearSolveReport linear_solve;
  ConditioningReport conditioning;
  ErrorEstimate error;
  double parasitic_growth = 1;  ///< Largest amplification of the undamped constraint mode.
  Seconds seconds;

  /// True when the numbers beside this report may be used as what was asked for.
  bool usable() const { return termination == Termination::converged; }

  /// One line.
  std::string brief() const;

  /// Everything, as text for people.
  std::string full() const;

  /// Where the constraint is singular and how that was passed, one line per point, the first eight.
  std::string singular_points_text() const;

  /// Parameters that were solved for, one line; empty where there are none.
  std::string parameters_text() const;

  /// The choices with their reasons, one per line.
  std::string explain() const;
};

}  // namespace daewave
