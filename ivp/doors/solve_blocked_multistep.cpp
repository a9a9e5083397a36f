#include "ivp/doors/solve_blocked_multistep.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "ivp/run/integrate.hpp"

namespace daewave::ivp {
namespace {

std::vector<Choice> choices_of(const Options& options, const BlockedFormula& formula, bool known) {
  const Multistep& asked = options.multistep;
  std::vector<Choice> choices;
  const auto choice = [&choices](const char* name, std::string value, bool by_user,
                                 std::string reason) {
    choices.push_back({name, std::move(value), by_user, by_user ? "" : std::move(reason)});
  };
  choice("multistep.order", fmt::format("{}", formula.k), asked.order.has_value(),
         fmt::format("as in the source; x has order {}, lambda {}", formula.order(), formula.k));
  if (formula.family == MultistepFamily::adams_moulton) {
    choice("multistep.c", fmt::format("{:.6g}", formula.c), asked.c.has_value(),
           fmt::format("the largest root of sigma - tau is smallest, {:.3f}",
                       blocking_radius(formula)));
  }
  if (asked.control_multiplier) choice("multistep.control_multiplier", "true", true, "");
  choice("starting values", known ? "given" : "dop853 of the underlying equation", known,
         "exact to a few units of rounding");
  return choices;
}

}  // namespace

Solution solve_blocked_multistep(IndexTwoSystem& system, const VecX& x0, const Interval& span,
                                 const Options& options, const Monitors& monitors,
                                 KnownSolution known) {
  const BlockedFormula formula =
      blocked_formula(options.method.value_or(Method::dcbdf), options.multistep);
  const std::vector<Choice> choices = choices_of(options, formula, static_cast<bool>(known));
  BlockedMultistepStep step(system, formula, Tolerance(options, system.nx()), !options.h,
                            std::move(known), options.multistep.control_multiplier);
  Solution solution = integrate(step, x0, span, options, monitors);
  solution.report.choices.insert(solution.report.choices.end(), choices.begin(), choices.end());
  return solution;
}

}  // namespace daewave::ivp
