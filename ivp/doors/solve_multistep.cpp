#include "ivp/doors/solve_multistep.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/multistep/bdf_step.hpp"
#include "ivp/run/integrate.hpp"

namespace daewave::ivp {
namespace {

constexpr int order_of_fixed_steps = 4;

/// Of a metric that is open. Where velocities are large numbers orthogonal moves make positions pay
/// for them, along the constraints, and nobody controls that. Fixed steps have no weights.
ProjectionMetric own_metric(bool controlled) {
  return controlled ? ProjectionMetric::weighted : ProjectionMetric::orthogonal;
}

Projection projection_of(const BdfProjection& method, bool controlled) {
  return {method.onto, method.metric.value_or(own_metric(controlled)), method.energy,
          method.estimate};
}

Projection projection_of(const BdfProjectedInvariants& method, bool controlled) {
  return {.onto = method.onto, .metric = own_metric(controlled), .energy = method.energy};
}

std::optional<int> order_of(const VariableBdf& method) {
  return std::visit([](const auto& one) { return one.order; }, method);
}

BdfOptions formula_of(const VariableBdf& method, const Options& options) {
  BdfOptions formula;
  formula.fixed = options.h.has_value();
  formula.order = order_of(method).value_or(formula.fixed ? order_of_fixed_steps : most_bdf_order);
  formula.projection =
      std::visit([&](const auto& one) { return projection_of(one, !formula.fixed); }, method);
  formula.multipliers = std::holds_alternative<BdfProjectedInvariants>(method);
  formula.rank_tolerance = options.rank_tolerance;
  return formula;
}

std::vector<Choice> choices_of(const VariableBdf& method, const BdfOptions& formula) {
  std::vector<Choice> choices;
  const bool asked = order_of(method).has_value();
  choices.push_back({"order", fmt::format("{}{}", formula.fixed ? "" : "up to ", formula.order),
                     asked,
                     asked           ? ""
                     : formula.fixed ? "damps most of what oscillates"
                                     : "each step takes the one that allows the longest step"});
  const bool onto = formula.projection.onto != Onto::both;
  choices.push_back({"onto", name_of(formula.projection.onto), onto,
                     onto ? "" : "errors across the constraints are not propagated"});
  return choices;
}

}  // namespace

MultiplierForm form_of(const VariableBdf& method) {
  return std::visit([](const auto& one) { return one.form; }, method);
}

Solution run_bdf(DaeSystem& system, const VecX& z0, const Interval& span, const VariableBdf& method,
                 const Options& options, const Monitors& monitors) {
  const BdfOptions formula = formula_of(method, options);
  if (formula.projection.energy && !system.keep_energy(span.begin, z0)) {
    throw InvalidOption(
        "energy = true: the problem has no energy(q, v); give one, or leave it out");
  }
  BdfStep step(system, formula, Tolerance(options, system.nz()));
  Solution solution = integrate(step, z0, span, options, monitors);
  const std::vector<Choice> choices = choices_of(method, formula);
  solution.report.choices.insert(solution.report.choices.end(), choices.begin(), choices.end());
  return solution;
}

Solution solve_bdf(const DaeProblem& problem, const VecX& start, const Interval& span,
                   const VariableBdf& method, const Options& options, const Monitors& monitors) {
  const auto system =
      dae_system_of(problem, start, span.begin, form_of(method), options.rank_tolerance);
  return run_bdf(*system, start, span, method, options, monitors);
}

}  // namespace daewave::ivp
