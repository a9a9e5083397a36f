#pragma once
// Problems whose derivatives are not all given say so beside the seam of dae_problem.hpp: what
// differences say must not be called given.

#include "core/problem/dae_problem.hpp"

namespace daewave {

/// A base beside DaeProblem.
class KnowsDifferences {
 public:
  virtual ~KnowsDifferences() = default;
  /// Whether that array follows from others by differences.
  virtual bool is_by_differences(Ask what) const = 0;
};

/// False where the problem does not say.
inline bool is_by_differences(const DaeProblem& problem, Ask what) {
  const auto* const says = dynamic_cast<const KnowsDifferences*>(&problem);
  return says != nullptr && says->is_by_differences(what);
}

}  // namespace daewave
