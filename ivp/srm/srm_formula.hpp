#pragma once
// A formula that steps the iterates of a sequential regularization: explicit, or collocation.

#include <memory>
#include <optional>
#include <string>

#include "core/time/collocation_scheme.hpp"
#include "ivp/one_step/tableaux.hpp"
#include "ivp/srm/srm_iterate.hpp"

namespace daewave::ivp {

/// Largest s such that the formula is stable for z' = -z with every step in [0, s].
double stability_on_real_axis(const ExplicitTableau& formula);

struct SrmFormula {
  SrmFormula(const ExplicitTableau& formula);  // NOLINT: as good as the formula, which is kept.
  SrmFormula(const Collocation& scheme);       // NOLINT

  std::string name;
  int order = 0;      ///< In which h and rtol are related.
  int reached = 0;    ///< Order of x where h is fixed, and epsilon in proportion to it.
  double stable = 0;  ///< As above; infinite for collocation.
  bool damps = true;  ///< What decays much faster than a step, where the step may be so long.

  /// An iterate of the problem, which is kept by reference.
  /// @param estimate  false saves the estimation of errors, for a fixed step.
  std::unique_ptr<SrmIterate> iterate(RegularizedOde& ode, const Tolerance& tolerance = {},
                                      bool estimate = false) const;

 private:
  const ExplicitTableau* tableau_ = nullptr;
  std::optional<Collocation> scheme_{};  ///< One of the two.
};

}  // namespace daewave::ivp
