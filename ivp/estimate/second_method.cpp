#include "ivp/estimate/second_method.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ivp/doors/run_setup.hpp"

namespace daewave::ivp {
namespace {

SecondMethod by_radau(const Method& first, double rtol) {
  const Formula* const formula = formula_of(first);
  const int used =
      formula != nullptr && formula->stepper == Stepper::radau ? formula->stages.value_or(3) : 0;
  const int stages = rtol > 1e-10 ? (used == 5 ? 7 : 5) : (used == 7 ? 5 : 7);
  return {ProjectEachStep{.formula = {Stepper::radau, stages}}, rtol,
          fmt::format("projection with radau of {} stages", stages)};
}

/// Beside a formula of three stages that was changed to. Its error is measured as if its order were
/// the full one, which it is not where the problem is stiff.
SecondMethod by_stiff_radau(double rtol) {
  constexpr double part = 0.01, least = 1e-13;
  return {ProjectEachStep{.formula = {Stepper::radau, 5}}, std::max(least, part * rtol),
          "projection with radau of 5 stages"};
}

/// By the problem's own factorization, where there are velocities: for large systems too.
SecondMethod by_explicit(const DaeProblem& problem, Stepper stepper, double rtol) {
  const Onto onto = problem.has_velocity() ? Onto::in_turn : Onto::both;
  return {ProjectEachStep{.onto = onto, .formula = {stepper, {}}}, rtol,
          fmt::format("projection with {}", name_of(stepper))};
}

}  // namespace

bool is_implicit(const Method& method) {
  const Formula* formula = formula_of(method);
  if (const auto* srm = std::get_if<Srm>(&method)) formula = &srm->formula;
  if (formula == nullptr) {
    return !std::holds_alternative<SymmetricProjection>(method) &&
           !std::holds_alternative<GaussWindows>(method);
  }
  const auto stepper = formula->stepper;
  return stepper == Stepper::gauss || stepper == Stepper::radau ||
         stepper == Stepper::backward_euler;
}

std::vector<SecondMethod> second_methods(const DaeProblem& problem, const Options& options,
                                         bool stiff) {
  constexpr double part = 1e-3, least = 1e-13, where_fixed = 1e-11;
  constexpr int most_dense = 40;  // Stages of larger systems are solved for all at once, densely.
  const double rtol = options.h ? where_fixed : std::max(least, part * options.rtol);
  const Method& first = options.method;
  const Formula* const formula = formula_of(first);
  const bool small = problem.state_size() <= most_dense;
  std::vector<SecondMethod> tried;
  if (problem.kind() != Kind::invariants && !is_reducible(problem)) {
    const auto* srm = std::get_if<Srm>(&first);
    const bool by_dop853 = srm != nullptr && srm->formula.stepper == Stepper::dop853;
    const Stepper other = by_dop853 ? Stepper::dopri5 : Stepper::dop853;
    tried.push_back(
        {Srm{.formula = {other, {}}}, rtol, fmt::format("srm with {}", name_of(other))});
    return tried;
  }
  const bool by_dop853 = formula != nullptr && !std::holds_alternative<Srm>(first) &&
                         formula->stepper.value_or(Stepper::dop853) == Stepper::dop853;
  if (is_implicit(first) || stiff) {
    tried.push_back(is_implicit(first) ? by_radau(first, rtol) : by_stiff_radau(rtol));
    tried.push_back({BdfProjection{}, rtol, "bdf-projection"});
  } else {
    tried.push_back(by_explicit(problem, by_dop853 ? Stepper::dopri5 : Stepper::dop853, rtol));
    if (small) tried.push_back(by_radau(first, rtol));
  }
  return tried;
}

}  // namespace daewave::ivp
