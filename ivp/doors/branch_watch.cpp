#include "ivp/doors/branch_watch.hpp"

#include <variant>

#include "ivp/doors/solve_reduced.hpp"

namespace daewave::ivp {
namespace {

/// Neither led through singular configurations nor made for them.
bool knows_no_branch(const Method& method, const Options& options) {
  if (const auto* srm = std::get_if<Srm>(&method)) return srm->alpha1.value_or(0) > 0;
  if (std::holds_alternative<SymmetricProjection>(method)) return true;
  return options.h.has_value() || !as<IndexReduction>(method);
}

}  // namespace

std::unique_ptr<SingularTrace> branch_watch(const Method& method, const DaeProblem& problem,
                                            const VecX& start, double t, const Options& options) {
  if (!options.monitor || !may_pass(problem) || !knows_no_branch(method, options)) return {};
  return std::make_unique<SingularTrace>(problem, start, t);
}

}  // namespace daewave::ivp
