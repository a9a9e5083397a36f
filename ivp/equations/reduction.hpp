#pragma once
// What index reduction does with a method asked for: which residuals enter, and how often.

#include <string>

#include "core/report/report.hpp"
#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// What is corrected, and how often after a step.
struct Correction {
  bool position = false;
  bool velocity = false;
  bool together = false;  ///< Position and velocity by one F, that of D = H^T.
  int times = 0;          ///< 0: not after a step.
};

/// @throws InvalidOption for Method::srm, which reduces no index.
Correction correction_of(Method method);

/// @param index  2 or 3.
/// @throws InvalidOption for a number outside of its range, naming it and the rule, and for what
///         does not go together.
void check_reduction(Method method, const Stabilization& stabilization, double rank_tolerance,
                     int index);

/// Of onto = in_turn. @throws InvalidOption for what the two projections cannot do.
void check_in_turn(const Projection& projection);

/// What a run by method = projection tells of it; a joint projection of many unknowns warns.
void tell_projection(const Projection& projection, int unknowns, Report& report);

/// Why an evaluation failed; text is made only when it is asked for.
struct EvaluationFailure {
  enum class Kind { none, singular, not_finite, not_finite_after_step };
  Kind kind = Kind::none;
  double t = 0;
  int rank = 0;
  int rows = 0;

  /// Empty for none. @param matrix  of the linear system, such as "[M G^T; G 0]".
  std::string text(const char* matrix) const;
};

}  // namespace daewave::ivp
