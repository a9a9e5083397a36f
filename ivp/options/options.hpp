#pragma once
// What can be asked of an initial value solve of a nonlinear DAE. Everything left open is chosen by
// the solver, and the report says why.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/machine/simd.hpp"
#include "core/regularize/form.hpp"
#include "core/regularize/weight.hpp"
#include "core/report/checkpoint.hpp"
#include "core/threads/pipeline.hpp"
#include "core/types.hpp"
#include "ivp/options/control.hpp"
#include "ivp/options/event.hpp"

namespace daewave::ivp {

/// How the DAE becomes an ordinary problem, and what keeps it on its constraints.
enum class Method {
  srm,             ///< Sequential regularization.                               [AL2]
  underlying,      ///< Index reduction alone: drifts.                           [ACPR] (1.6)
  baumgarte,       ///< g'' + alpha1 g' + alpha0 g = 0.                          [ACPR] (2.1)
  s_full,          ///< After each step one z -= F h with D = H^T.               [ACPR] (4.4)
  s_both,          ///< One step on position and velocity.                       [ACPR] (5.5), (5.6)
  s_both2,         ///< Two of them with one factorization: drift O(h^{2p}).     [ACPR] section 5
  s_vel,           ///< On the velocity alone.                                   [ACPR] section 6
  s_pos,           ///< On the position alone.                                   [ACPR] section 6
  stabilized_ode,  ///< z' = f(z) - gamma F h(z).                                [ACPR] (4.3)
  projection,      ///< After each step onto h = 0, to the end; Options::projection. [Eich] (2.5)
  symmetric_projection,  ///< Gauss steps between two equal projections; fixed h. [HLW] V.4.1
  local_state_space,     ///< Parameters u = R q, the rest from the constraints. [ACPR] 3.1
  projected_invariants,  ///< z' = f - H^T mu, 0 = h, by Radau IIA.              [ACPR] (3.3), (4.8)
  bdf_projection,  ///< projection after steps of a BDF of variable order.       [Eich] section 2
  bdf_projected_invariants,  ///< projected_invariants by that BDF.       [ACPR] (3.3), (4.8)
  dcbdf,          ///< Difference-corrected BDF of index 2, beta-blocked.       [AFS] (3.3)
  dcbdf_bdf,      ///< The same for f alone, BDF for B lambda.                  [AFS] (3.2)
  adams_moulton,  ///< Adams-Moulton of index 2, beta-blocked.                  [AFS] section 4
  bdf,            ///< BDF of index 2.                                          [AFS] (1.2)
};

/// BDF of variable order and step, for index 1 with invariants: solve_multistep.hpp.
bool is_variable_bdf(Method method);
/// Multistep formulas bring their own formula: no stepper, no stages.
bool is_multistep(Method method);
/// False for multistep formulas, for projected_invariants, whose last stage must be the end, and
/// for symmetric_projection, which needs a symmetric formula.
bool takes_every_stepper(Method method);
/// Those of [AFS], for index 2: blocked_formula.hpp.
bool is_blocked_multistep(Method method);

const char* name_of(Method method);
/// @throws InvalidOption naming the known methods. "s-both2", with - for _.
Method method_named(const std::string& name);
const std::vector<Method>& all_methods();

/// The formula of a step.
enum class Stepper {
  forward_euler,
  heun,
  explicit_midpoint,
  ralston,
  rk4,
  dopri5,  ///< Dormand and Prince 5(4), with dense output.
  dop853,  ///< Dormand and Prince 8(5,3), with dense output of order 7.
  backward_euler,
  gauss,  ///< Collocation; see Options::stages.
  radau,  ///< Radau IIA. Variable steps need an odd number of stages, of gauss too; 3 by default.
};

const char* name_of(Stepper stepper);
/// @throws InvalidOption naming the known steppers. "forward-euler", with - for _.
Stepper stepper_named(const std::string& name);
const std::vector<Stepper>& all_steppers();

/// How the stages of symmetric_projection are found.
enum class StageIteration {
  fixed_point,  ///< Sweeps over the stages; for problems that are not stiff.
  newton,       ///< Simplified Newton's method, with differences.
};

const char* name_of(StageIteration iteration);
/// @throws InvalidOption naming the known ones. "fixed-point", with - for _.
StageIteration stage_iteration_named(const std::string& name);

using daewave::all_variants;
using daewave::Variant;
using daewave::variant_named;

/// The metric of a correction back to the constraints.
enum class Metric {
  mass,        ///< F = M^-1 G^T (G M^-1 G^T)^-1; B (G B)^-1 without M.   [ACPR] (5.5)
  orthogonal,  ///< F = G^T (G G^T)^-1.                                   [ACPR] (5.6)
};

/// Which F the second step of s_both2 uses.
enum class SecondStep {
  frozen,      ///< F at the unstabilized state, as printed.
  half_fresh,  ///< G^T at the corrected position, (G G^T)^-1 kept: what Tables 6.1, 6.2 show.
};

/// What index reduction and stabilization can be told.
struct Stabilization {
  double alpha1 = 0;  ///< Of baumgarte, of g'; 1/time.
  double alpha0 = 0;  ///< Of baumgarte, of g; 1/time^2 (index 2: of g; 1/time).
  Metric metric = Metric::mass;
  SecondStep second_step = SecondStep::frozen;
  double factor = 1;  ///< alpha of [ACPR] (5.4), in (0, 2).
  double gamma = 0;   ///< Of stabilized_ode, > 0; 1/time.
  enum class Direction { full, both, both_curved } direction = Direction::both;
  ///< D of stabilized_ode: H^T, [ACPR] (4.5) without and (4.6) with the curvature term.
};

/// Which loop is outside.
enum class Order {
  step_local,  ///< for steps { for iterates }: storage independent of the horizon. [AL1] 4.2
  sweeps,      ///< for iterates { for steps }: keeps a waveform. Same bits; fixed step only.
  pipelined,   ///< Iterates one window apart, in threads. Same bits; fixed step only.
  lanes,       ///< Iterates one step apart, in SIMD lanes: solve_in_lanes(). To rounding.
};

/// How Order::pipelined shares out its work; no result depends on it.
struct Windows {
  std::shared_ptr<const Pipeline> pipeline{};  ///< Who runs it; none: the calling thread alone.
  std::optional<int> steps{};   ///< Steps of a window, >= 1; chosen by timing where left open.
  std::optional<int> groups{};  ///< Of iterates, each one stage of the pipeline.
};

/// What sequential regularization can be told.
struct Regularize {
  std::optional<Variant> variant{};
  std::optional<double> epsilon{};  ///< > 0.
  std::optional<int> iterates{};    ///< >= 1; the error is O(epsilon^iterates).
  std::optional<Weight> weight{};   ///< E: identity, transpose or inverse.
  std::optional<double> alpha1{};   ///< >= 0; of the highest derivative of g in the form used.
  std::optional<double> alpha2{};
  std::optional<double> alpha3{};  ///< Of g in (4.5).
  int exact_start = -1;  ///< y_0 agrees at the start with y to this derivative, -1..2; -1: y_0 = 0.
  double rank_tolerance = 1e-12;  ///< Of the rank guard, relative to the largest entry of G.
  Order order = Order::step_local;
  std::optional<Simd> simd{};  ///< Of Order::lanes; the widest that the machine has.
};

/// What the difference tau that stabilizes the multiplier of a multistep formula acts on.   [AFS]
enum class Blocking {
  multiplier,  ///< B(x_n) tau lambda_n, (2.4): order k + 1 of x, k of lambda.
  term,        ///< tau (B lambda)_n, (2.6): order k of both.
};

/// What multistep formulas can be told.
struct Multistep {
  std::optional<int> order{};  ///< The highest one, 1..6; with h fixed the one that is used.
  enum class Form { eliminated, index_1 } form = Form::eliminated;
  ///< Multipliers solved for in every evaluation, or together with the step.
  std::optional<double> c{};  ///< tau = c nabla^k of adams-moulton.            [AFS] Fig. 4.1
  Blocking blocking = Blocking::multiplier;  ///< Of dcbdf and adams-moulton.
  bool control_multiplier = false;           ///< Of [AFS]: the error of lambda too, without h.
};

/// What a projection onto the invariants h(z, t) = 0 after each step can be told.
///                                                                    [Eich] section 2, (2.5)-(2.6)
struct Projection {
  enum class Onto {
    both,      ///< At once.
    in_turn,   ///< Positions, then velocities, by the problem's own factorization: for large
               ///< systems.
    position,  ///< These alone.
    velocity,
    nothing,
  } onto = Onto::both;
  enum class Metric { orthogonal, weighted, mass } metric = Metric::orthogonal;
  ///< What is smallest: |dz|, |dz_i / weight_i| with the weights of the error test, or dz^T M dz.
  bool energy = false;    ///< Keep the energy of the start too. [Eich] (2.2)
  bool estimate = false;  ///< Test the part of the error that lies in the manifold only. 4.1
};

const char* name_of(Projection::Onto onto);

/// Where a long run by sequential regularization can go on after it was stopped: any formula with a
/// fixed h, step by step or pipelined. What was given out before stays with the run before. All are
/// taken at begin + i h, so that a run may go on to a later end: where a last step was cut short by
/// the end, it is taken again.
struct Checkpoints {
  std::function<void(const Checkpoint&)> save{};  ///< Empty: none are taken.
  double seconds = 60;  ///< Between two of them, >= 0; one more where a run ends.
  std::string mark{};   ///< What tells the problem apart beside its name, such as parameters.
  std::shared_ptr<const Checkpoint> resume{};  ///< Go on from here instead of the start.
};

/// What the local state-space form can be told.                              [ACPR] section 3.1
struct StateSpace {
  enum class Parameters {
    coordinates,  ///< Entries of q, the others being dependent on them.
    tangent,      ///< R G^T = 0 at the state where R is chosen.
  } parameters = Parameters::coordinates;
  double bound = 2;  ///< R is chosen anew where max |D (G D)^-1 G| exceeds it; >= 1. [ACPR] (3.2)
};

/// A state that is given out.
struct Output {
  long step;  ///< Steps done; of an output between steps, the step it lies in.
  double t;
  const double* state;       ///< x, or (q, v); nz.
  const double* multiplier;  ///< ny; null where there is none, and where none was asked for.
  int ny = 0;                ///< The same for all outputs of a run; 0 where none was asked for.
  bool carries_By = false;   ///< The multiplier is B y, of the singular variants.
};

/// Where a run stands.
struct Progress {
  double t;
  double begin, end;
  long steps;
  double drift;  ///< Largest of position and velocity so far.
  /// Of each iterate of a sequential regularization now; of the last group where they are
  /// pipelined. Empty for other methods, and where drift is not watched.
  std::vector<double> drift_of_iterates{};
  double seconds = 0;       ///< Since the run began, or went on from a checkpoint.
  double seconds_left = 0;  ///< If the rest goes as fast.
};

struct Options {
  std::optional<Method> method{};
  std::optional<Stepper> stepper{};
  std::optional<int> stages{};                      ///< Of gauss and radau.
  std::optional<StageIteration> stage_iteration{};  ///< Of symmetric_projection.

  std::optional<double>
      h{};             ///< Fixed step, > 0, the last one shortened; without it h is controlled.
  double rtol = 1e-6;  ///< Local error per step, relative; 0 < rtol < 1.
  double atol = 1e-9;  ///< And absolute, in the problem's units.
  std::vector<double> atol_each{};     ///< One per component of the state, instead of atol.
  std::optional<double> first_step{};  ///< > 0.
  std::optional<double> largest_step{};
  std::optional<Control> control{};  ///< Rule of the step control; else the stepper's own.
  long most_steps = 1'000'000'000;   ///< Accepted and rejected.

  Stabilization stabilization{};
  Regularize regularize{};
  Windows windows{};
  Checkpoints checkpoints{};
  Multistep multistep{};
  Projection projection{};
  StateSpace state_space{};

  bool repair_start = false;      ///< Project an inconsistent start; otherwise it is refused.
  double start_tolerance = 1e-8;  ///< |g| and |G v + g_t| up to this are consistent, absolute.

  // The start, and where the run came to, are given out in any case.
  long every = 1;               ///< Give out each every-th step; 0: none but the end.
  std::vector<double> times{};  ///< Give out at these times instead, by dense output; increasing.
  bool dense = false;           ///< Keep dense output of every step: Solution::at().
  bool keep = true;  ///< Store what is given out; false, with a sink on long runs: the last only.
  bool multipliers = true;  ///< Give out multipliers too.
  bool monitor = true;      ///< Watch drift and energy after each step; one more evaluation.
  std::function<bool(const Output&)> sink{};  ///< Sees what is given out; false stops.
  std::vector<Event> events{};
  std::function<bool(const Progress&)> progress{};  ///< At most ten times a second; false stops.
};

/// Checks every value that can be checked without the problem. @throws InvalidOption
void check(const Options& options);

}  // namespace daewave::ivp
