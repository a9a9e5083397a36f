#pragma once
// What index reduction does with a method asked for: which residuals enter, and how often.

#include <string>
#include <vector>

#include "core/report/report.hpp"
#include "ivp/equations/projection.hpp"
#include "ivp/options/index_reduction.hpp"

namespace daewave::ivp {

/// Which of the methods of IndexReduction.
enum class ReductionKind {
  underlying,
  baumgarte,
  s_full,
  s_both,
  s_both2,
  s_vel,
  s_pos,
  stabilized_ode,
  projection,
  symmetric_projection,
  local_state_space,
};

/// As the method is called.
const char* name_of(ReductionKind kind);
const std::vector<ReductionKind>& all_reductions();

/// The numbers of all that stabilize; each takes what is its own.
struct Stabilization {
  double alpha1 = 0;  ///< Of baumgarte, of g'; 1/time.
  double alpha0 = 0;  ///< Of baumgarte, of g; 1/time^2 (index 2: of g; 1/time).
  Metric metric = Metric::mass;
  SecondStep second_step = SecondStep::frozen;  ///< Of s_both2.
  double factor = 1;                            ///< alpha of [ACPR] (5.4), in (0, 2).
  double gamma = 0;                             ///< Of stabilized_ode, > 0; 1/time.
  StabilizedOde::Direction direction = StabilizedOde::Direction::both;
};

/// What is corrected, and how often after a step.
struct Correction {
  bool position = false;
  bool velocity = false;
  bool together = false;  ///< Position and velocity by one F, that of D = H^T.
  int times = 0;          ///< 0: not after a step.
};

Correction correction_of(ReductionKind kind);

/// @param index  2 or 3.
/// @throws InvalidOption for a number outside of its range, naming it and the rule, and for what
///         does not go together.
void check_reduction(ReductionKind kind, const Stabilization& stabilization, double rank_tolerance,
                     int index);

/// Of onto = in_turn. @throws InvalidOption for what the two projections cannot do.
void check_in_turn(const Projection& projection);

/// What a run by method = projection tells of it; a joint projection of many unknowns warns.
void tell_projection(const Projection& projection, int unknowns, Report& report);

/// Why an evaluation failed; text is made only when it is asked for.
struct EvaluationFailure {
  enum class Kind { none, singular, not_finite, not_finite_after_step, beside_dependent };
  Kind kind = Kind::none;
  double t = 0;
  int rank = 0;
  int rows = 0;

  /// Empty for none. @param matrix  of the linear system, such as "[M G^T; G 0]".
  std::string text(const char* matrix) const;
};

}  // namespace daewave::ivp
