#include "ivp/doors/solve_multistep.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "ivp/multistep/bdf_step.hpp"
#include "ivp/run/integrate.hpp"

namespace daewave::ivp {
namespace {

constexpr int order_of_fixed_steps = 4;

BdfOptions formula_of(const Options& options) {
  BdfOptions formula;
  formula.fixed = options.h.has_value();
  formula.order =
      options.multistep.order.value_or(formula.fixed ? order_of_fixed_steps : most_bdf_order);
  formula.projection = options.projection;
  formula.multipliers = options.method == Method::bdf_projected_invariants;
  formula.rank_tolerance = options.regularize.rank_tolerance;
  return formula;
}

std::vector<Choice> choices_of(const Options& options, const BdfOptions& formula) {
  const Options open;
  std::vector<Choice> choices;
  const bool asked = options.multistep.order.has_value();
  choices.push_back({"multistep.order",
                     fmt::format("{}{}", formula.fixed ? "" : "up to ", formula.order), asked,
                     asked           ? ""
                     : formula.fixed ? "damps most of what oscillates"
                                     : "each step takes the one that allows the longest step"});
  const bool onto = options.projection.onto != open.projection.onto;
  choices.push_back({"projection.onto", name_of(options.projection.onto), onto,
                     onto ? "" : "errors across the constraints are not propagated"});
  return choices;
}

}  // namespace

Solution run_bdf(DaeSystem& system, const VecX& z0, const Interval& span, const Options& options,
                 const Monitors& monitors) {
  if (options.projection.energy && !system.keep_energy(span.begin, z0)) {
    throw InvalidOption(
        "projection.energy = true: the problem has no energy(q, v); give one, or leave it out");
  }
  const BdfOptions formula = formula_of(options);
  BdfStep step(system, formula, Tolerance(options, system.nz()));
  Solution solution = integrate(step, z0, span, options, monitors);
  const std::vector<Choice> choices = choices_of(options, formula);
  solution.report.choices.insert(solution.report.choices.end(), choices.begin(), choices.end());
  return solution;
}

}  // namespace daewave::ivp
