#pragma once
// Method and stepper, where the options leave them open, and why.

#include <string>
#include <vector>

#include "core/report/report.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/types.hpp"
#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// What the choice depends on.
struct MethodFacts {
  bool reducible = true;    ///< The problem gives its curvature (core/problem/terms.hpp).
  bool full_rank = true;    ///< Of G at the start.
  bool redundant = false;   ///< Where it has none: nor around; else the start is singular.
  bool passes = true;       ///< Windows lead away from a singular start, see PassingStep.
  bool backward = false;    ///< From a later time to an earlier one.
  bool invariants = false;  ///< Of index 1 with invariants.
  bool keeps = true;        ///< There are invariants; otherwise nothing is brought back.
  /// A motion whose nodes of a window are evaluated and solved for side by side.
  bool windows = false;
};

struct MethodChoice {
  Method method = SBoth2{};  ///< Not Automatic.
  Stepper stepper = Stepper::dop853;
  int stages = 0;  ///< Of a collocation formula; 0 for the others.
  /// Where the stepper was open: in stiff parts another one may take over.
  bool changes_where_stiff = false;
  std::vector<Choice> choices{};

  Collocation scheme() const;
  /// "heun", "radau of 3 stages".
  std::string formula() const;
};

/// @throws InvalidOption for an interval that is empty or not finite.
void check_span(const Interval& span);

/// @throws InvalidOption for what does not go together, naming both and the way out.
MethodChoice choose_method(const MethodFacts& facts, const Options& options);

}  // namespace daewave::ivp
