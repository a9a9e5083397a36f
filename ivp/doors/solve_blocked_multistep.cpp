#include "ivp/doors/solve_blocked_multistep.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "ivp/equations/index_two_system_of.hpp"
#include "ivp/run/integrate.hpp"

namespace daewave::ivp {
namespace {

bool controls_multiplier(const BlockedMultistep& method) {
  return std::visit([](const auto& one) { return one.control_multiplier; }, method);
}

std::vector<Choice> choices_of(const BlockedMultistep& asked, const BlockedFormula& formula,
                               bool known) {
  std::vector<Choice> choices;
  const auto choice = [&choices](const char* name, std::string value, bool by_user,
                                 std::string reason) {
    choices.push_back({name, std::move(value), by_user, by_user ? "" : std::move(reason)});
  };
  choice("order", fmt::format("{}", formula.k),
         std::visit([](const auto& one) { return one.order.has_value(); }, asked),
         fmt::format("as in the source; x has order {}, lambda {}", formula.order(), formula.k));
  if (const auto* adams = std::get_if<AdamsMoulton>(&asked)) {
    choice("c", fmt::format("{:.6g}", formula.c), adams->c.has_value(),
           fmt::format("the largest root of sigma - tau is smallest, {:.3f}",
                       blocking_radius(formula)));
  }
  if (controls_multiplier(asked)) choice("control_multiplier", "true", true, "");
  choice("starting values", known ? "given" : "dop853 of the underlying equation", known,
         "exact to a few units of rounding");
  return choices;
}

/// Of a low order a small tolerance takes many steps, whose errors have the same sign.
void tell_many_steps(const BlockedFormula& formula, Report& report) {
  constexpr long many = 3000;
  const long steps = report.integration.steps;
  if (steps <= many) return;
  report.warnings.push_back(fmt::format(
      "{} steps of order {}: the error of each is within the tolerance, and together they may be "
      "{} times as large; take projection, of a higher order, or ask by estimate_error",
      steps, formula.order(), steps));
}

}  // namespace

Solution solve_blocked_multistep(IndexTwoSystem& system, const VecX& x0, const Interval& span,
                                 const BlockedMultistep& method, const Options& options,
                                 const Monitors& monitors, KnownSolution known) {
  const BlockedFormula formula = blocked_formula(method);
  const std::vector<Choice> choices = choices_of(method, formula, static_cast<bool>(known));
  BlockedMultistepStep step(system, formula, Tolerance(options, system.nx()), !options.h,
                            std::move(known), controls_multiplier(method));
  Solution solution = integrate(step, x0, span, options, monitors);
  solution.report.choices.insert(solution.report.choices.end(), choices.begin(), choices.end());
  if (!options.h) tell_many_steps(formula, solution.report);
  return solution;
}

Solution solve_blocked_multistep(const DaeProblem& problem, const VecX& start, const Interval& span,
                                 const BlockedMultistep& method, const Options& options,
                                 const Monitors& monitors) {
  const auto system = index_two_system_of(problem, start, span.begin, options.rank_tolerance);
  return solve_blocked_multistep(*system, start, span, method, options, monitors);
}

}  // namespace daewave::ivp
