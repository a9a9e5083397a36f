#pragma once
// What can be asked of a boundary value solve. Everything left open is chosen by the solver.
//
// Some options are of linear problems, some of nonlinear ones, and of those some are of problems
// with constraints: given to another problem they are refused by name, not ignored.

#include <functional>
#include <optional>
#include <string>

#include "bvp/options/progress.hpp"
#include "bvp/options/tolerances.hpp"
#include "bvp/result/solution.hpp"
#include "core/ranks/communicator.hpp"
#include "core/regularize/variant.hpp"
#include "core/regularize/weight.hpp"
#include "core/threads/executor.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/time/mesh.hpp"
#include "core/time/waveform.hpp"

namespace daewave::bvp {

/// How a stage at which CB is singular is passed.
enum class SingularHandling {
  automatic,  ///< Symmetric limits.
  limits,     ///< P and B (CB)^-1 r as limits from both sides; the mesh stays as it is.
  move_node,  ///< A node of the interval is moved by a quarter of the step.
};

const char* name_of(SingularHandling handling);

/// @throws InvalidOption naming the known ways.
SingularHandling singular_handling_named(const std::string& name);

/// Where the constraints that no condition of the problem states are posed.
enum class ConstraintEnd { begin, end };

/// Designated initializers are given in the order of the members: {.tolerance = 1e-8, .stages = 4}.
struct Options {
  /// Wanted error of x and of what is carried, y or B y, relative to 1 + their largest component;
  /// > 0. When it is given, or when neither mesh nor intervals are, the mesh is refined until the
  /// estimate is below it, with nodes where the residual between stages asks for them.
  std::optional<double> tolerance{};
  /// The same of single components, where they count differently: absolute and relative.
  Tolerances tolerances{};

  std::optional<Scheme> scheme{};
  std::optional<int> stages{};     ///< Of the scheme; see stage_range().
  std::optional<int> intervals{};  ///< Of a uniform mesh, >= 1; the first one under a tolerance.
  /// Must span the interval of the problem; under a tolerance the first one.
  std::optional<Mesh> mesh{};
  /// Times inside the interval, increasing, that are nodes of every mesh: where a coefficient or f
  /// jumps. Jumps that were not told are looked for under a tolerance. A stage of radau or lobatto
  /// that lies on such a node sees the side that the problem takes it for; where that is the wrong
  /// one, refinement moves the node by rounding, or adds another beside it.
  std::vector<double> fixed_nodes{};
  /// Nonlinear: how far from its finite end, or from 0, an infinite interval is cut at first, > 0.
  /// Open: 10.
  std::optional<double> truncation{};
  /// Nonlinear: where Newton's method starts, x at t; instead of that of the problem.
  std::function<VecX(double t)> guess{};
  /// Nonlinear: a solution of this problem, or of one like it, to start from instead of a guess: x,
  /// x', what is carried where it is of the same form, and the mesh unless one is given.
  std::optional<Solution> from{};

  // The regularization of constraints.
  std::optional<Variant> variant{};  ///< Nonlinear; linear problems carry B y.
  std::optional<Weight> weight{};    ///< E.
  std::optional<double> epsilon{};   ///< > 0.                                   [AL1] (3.15)
  std::optional<double> alpha1{};    ///< >= 0; above 0 needs C_t and r_t, or a curvature.
  std::optional<double> alpha2{};    ///< > 0.
  std::optional<double> delta{};     ///< Linear: of Weight::shifted; 1e-6 where it is open.
  /// >= 1; open: until the change is below the tolerance. Under a tolerance another one tells what
  /// these leave: where that is more they are no solution.
  std::optional<int> iterates{};
  Waveform By_0{};  ///< Linear: initial iterate B y_0; zero unless given.
  /// Iterates without alpha1 leave y, or B y, at the begin as it was; with shooting back others
  /// that run from the end, of linear problems from behind the layer, repair it on every mesh.
  /// Open: where alpha1 = 0 and the number of iterates is open; of linear problems where they leave
  /// a layer.
  std::optional<bool> shooting_back{};
  /// Nonlinear, of constraints: the tolerance holds for what is carried too, y or B y. Open: yes. B
  /// y of the singular variants turns fast where constraints become dependent: x alone takes fewer
  /// intervals.
  std::optional<bool> control_multiplier{};
  /// Nonlinear; end: with alpha1 > 0 only.
  ConstraintEnd constraint_end = ConstraintEnd::begin;

  std::string linear_solver = "auto";  ///< See linear_solver_names().
  /// Linear, and over ranks: of parallel_block, which "auto" takes where they are given; >= 1, at
  /// most one per interval. Open: as many as serve the matrix. Results depend on them, to rounding,
  /// but on no threads.
  std::optional<int> partitions{};
  SingularHandling singular = SingularHandling::automatic;  ///< Linear.
  /// Nonlinear: most of them for each iterate, >= 1; 40 where it is open.
  std::optional<int> newton_iterations{};

  /// Linear: largest accepted amplification of the constraint mode that symmetric schemes do not
  /// damp, >= 1; 100 where it is open. A solve that exceeds it is refused (or, where the scheme is
  /// open, done with another scheme).
  std::optional<double> max_parasitic_growth{};
  /// Linear: largest accepted amplification of errors on the way back, >= 1; 1e6 where it is open.
  std::optional<double> max_amplification{};
  /// Where refinement gives up, >= 1, and no less than the first mesh where that is given; open:
  /// 2^21 for linear problems, 2^16 for nonlinear ones.
  std::optional<int> max_intervals{};
  /// Under a tolerance: points at which a solution is looked at between its stages, at the least,
  /// 1 to 1e7; more where the mesh is fine. Open: 1000, of linear problems 10 in a unit of time,
  /// 1000 to 20000. A peak or a gap in a coefficient that is narrower than their distance can be
  /// missed; one like exp(-(t / d)^2) is seen down to d = a fifth of it.
  std::optional<int> samples{};

  /// Nonlinear, under a tolerance: of what the solution is off x' = F between its stages, relative
  /// to 1 + |F| in each component, > 0; open: errors alone are controlled. It is what other codes
  /// measure (bvp/nonlinear/largest_residual.hpp).
  std::optional<double> residual_tolerance{};

  std::optional<bool> conditioning{};  ///< Linear: estimate it, and dichotomy; true where open.
  /// Of stages, their elimination, residuals and parallel_block, which "auto" takes for large
  /// matrices where there is one; null: serial. The same bits whatever threads it has. Functions of
  /// a problem are called from all of them; conditions, guesses and progress from one. Not owned.
  const Executor* executor = nullptr;
  /// Of linear and nonlinear problems: with whom meshes, also those of branches, are shared. All of
  /// these call solve() with the same problem and options, and each gets its part of the solution,
  /// and a report of the whole. The bits depend on the partitions, of which each rank takes some,
  /// and not on how many ranks there are; of linear problems they are those of parallel_block on
  /// one machine with as many. Open: 64 partitions, less for fewer than 4096 intervals. A mesh that
  /// was chosen and has fewer partitions than there are ranks is all of each rank
  /// (Solution::share()). Null: nobody. Not owned.
  const Communicator* ranks = nullptr;
  ProgressFunction progress{};
  /// Nonlinear: called with each solution that is found on the way, on one mesh after another; also
  /// with those that only tell the next mesh, or the error of another one. An infinite interval is
  /// cut then.
  std::function<void(const Solution&)> on_each_mesh{};
};

/// Checks every value that can be checked without the problem. @throws InvalidOption
void check(const Options& options);

/// @throws InvalidOption for fixed nodes that are not inside the interval, or more of them than
///         intervals are allowed.
void check_fixed_nodes(const Options& options, const Interval& interval, int max_intervals);

/// Whether a solve by these ranks may start from it, as Options::from; without values none may. Of
/// a mesh that was given ranks know no more than their parts.
bool can_start_from(const Solution& solution, const Communicator* ranks);

/// @throws InvalidOption for options that ranks cannot follow.
void check_ranks(const Options& options);

/// @throws InvalidOption for options that linear problems, or nonlinear ones, do not have.
void refuse_nonlinear_options(const Options& options);
void refuse_linear_options(const Options& options);

/// Whether meshes are refined: a tolerance is asked for, or neither mesh nor intervals are given.
bool refines(const Options& options);
/// That of the options, or what is taken where it is left open.
double plain_tolerance(const Options& options);
/// To which tolerance, of errors in units of their sizes.
double wanted_tolerance(const Options& options);

}  // namespace daewave::bvp
