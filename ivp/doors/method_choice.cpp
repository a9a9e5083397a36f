#include "ivp/doors/method_choice.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "ivp/one_step/tableaux.hpp"

namespace daewave::ivp {
namespace {

Choice choice(const char* name, std::string value, bool by_user, std::string reason) {
  return {name, std::move(value), by_user, by_user ? "" : std::move(reason)};
}

[[noreturn]] void refuse(const char* name, const std::string& value, const Method& method,
                         const char* why) {
  throw InvalidOption(
      fmt::format("{} = {} with method = {}: {}", name, value, name_of(method), why));
}

/// What is damped as t grows is amplified on the way back.
void check_direction(const Method& method, const MethodFacts& facts) {
  const bool damps = std::holds_alternative<Srm>(method) ||
                     std::holds_alternative<StabilizedOde>(method) ||
                     std::holds_alternative<Baumgarte>(method);
  if (!facts.backward || !damps) return;
  throw InvalidOption(fmt::format(
      "span: its end lies before its begin, where {} would enlarge errors of the constraints "
      "instead of damping them; {}reverse time in the problem",
      name_of(method),
      facts.reducible ? "take method = s-both2; or " : "give its curvature for s-both2, or "));
}

/// Of index 1 with invariants: there is no index left to reduce.
Choice choose_for_invariants(const MethodFacts& facts, Method& method) {
  const auto* open = std::get_if<Automatic>(&method);
  const bool by_user = open == nullptr;
  if (open) method = ProjectEachStep{.formula = open->formula};
  if (!std::holds_alternative<ProjectEachStep>(method) &&
      !std::holds_alternative<Underlying>(method) &&
      !std::holds_alternative<ProjectedInvariants>(method) && !as<VariableBdf>(method)) {
    throw InvalidOption(
        fmt::format("method = {}: needs f, B or M, and g of an index 2 or 3; a problem of index 1 "
                    "with invariants has projection, bdf-projection, projected-invariants, "
                    "bdf-projected-invariants, and underlying, which drifts; leave method open",
                    name_of(method)));
  }
  return choice("method", name_of(method), by_user,
                facts.keeps ? "brings back the invariants, which index 1 lets drift"
                            : "of one step, and there are no invariants to bring back");
}

/// Measured, DOP853 with S-both2 over windows in lanes: 1.3 to 2.5 at errors of 1e-5, and more at
/// smaller ones (bench/README.md). What lanes are not for costs more with windows, and so does
/// what is redundant, where lanes give up at each node.
bool takes_windows(const MethodFacts& facts, const Formula& formula, const Options& options) {
  constexpr double loosest = 1e-3;
  return facts.windows && facts.reducible && facts.full_rank && !formula.stepper &&
         !formula.stages && !options.h && !options.control && options.rtol <= loosest;
}

Choice choose(const MethodFacts& facts, const Options& options, Method& method) {
  if (facts.invariants) return choose_for_invariants(facts, method);
  const auto* open = std::get_if<Automatic>(&method);
  const bool by_user = open == nullptr;
  std::string reason;
  if (open) {
    const Formula formula = open->formula;
    if (!facts.reducible) {
      method = Srm{.formula = formula};
      reason = "the problem gives no curvature, which index reduction needs";
    } else if (!facts.full_rank && !facts.redundant && !facts.passes && !facts.backward) {
      method = Srm{.formula = formula};
      reason = "the constraints are dependent at the start, and not around it";
    } else if (takes_windows(facts, formula, options)) {
      method = GaussWindows{};
      reason =
          "of order 16, its 8 nodes evaluated side by side: the least time for a motion whose "
          "terms go in SIMD lanes or many points at once";
    } else {
      method = SBoth2{.formula = formula};
      reason = "index reduction, and two corrections after each step with one matrix";
      if (facts.redundant) {
        reason += "; constraints are redundant at the start and around it, and those left out";
      } else if (!facts.full_rank) {
        reason +=
            "; the constraints are dependent at the start alone, from where a step with "
            "projected stages leads away";
      }
    }
  }
  if (!std::holds_alternative<Srm>(method) && !facts.reducible) {
    throw InvalidOption(
        fmt::format("method = {}: needs curvature(q, v, t) of the problem; take method = srm; or "
                    "give it, or use with_autodiff(problem)",
                    name_of(method)));
  }
  check_direction(method, facts);
  return choice("method", name_of(method), by_user, reason);
}

Choice choose_stepper(const Method& method, const std::optional<Stepper>& given, bool fixed,
                      Stepper& stepper) {
  std::string reason;
  if (std::holds_alternative<Srm>(method) && fixed) {
    stepper = Stepper::heun;
    reason = "of order 2, as x is by any formula where h is fixed and epsilon is of its size";
  } else if (std::holds_alternative<Srm>(method)) {
    stepper = Stepper::dopri5;
    reason = "estimates its error";
  } else if (std::holds_alternative<ProjectedInvariants>(method)) {
    stepper = Stepper::radau;
    reason = "its last stage is the end of the step";
  } else if (std::holds_alternative<SymmetricProjection>(method)) {
    stepper = Stepper::gauss;
    reason = "symmetric, and of the highest order";
  } else {
    stepper = Stepper::dop853;
    reason = "of order 8: the fewest evaluations where the problem is not stiff";
  }
  stepper = given.value_or(stepper);
  if (std::holds_alternative<ProjectedInvariants>(method) && stepper != Stepper::radau &&
      stepper != Stepper::backward_euler) {
    throw InvalidOption(
        fmt::format("stepper = {} with method = projected-invariants: an index 2 needs a formula "
                    "whose last stage is the end of the step; take stepper = radau; or method = "
                    "bdf-projected-invariants with stepper left out",
                    name_of(stepper)));
  }
  return choice("stepper", name_of(stepper), given.has_value(), reason);
}

int stages_of(Stepper stepper, const std::optional<int>& given, int open, const char* why,
              std::vector<Choice>& choices) {
  if (stepper != Stepper::gauss && stepper != Stepper::radau) {
    if (given) {
      throw InvalidOption(
          fmt::format("stages = {}: {} has stages of its own; leave stages open; or take "
                      "stepper = radau with stages = 3",
                      *given, name_of(stepper)));
    }
    return stepper == Stepper::backward_euler ? 1 : 0;
  }
  const int stages = given.value_or(open);
  choices.push_back(choice("stages", fmt::format("{}", stages), given.has_value(), why));
  return stages;
}

/// The formula of a method with one-step formulas, into `chosen`.
void choose_formula(bool fixed, MethodChoice& chosen) {
  const auto* symmetric = std::get_if<SymmetricProjection>(&chosen.method);
  if (symmetric && !fixed) {
    throw InvalidOption(
        "h: must be given with method = symmetric-projection, as a step that follows the errors "
        "ends the symmetry and its bounded energy; give h; or take method = projection");
  }
  const Formula* const given = formula_of(chosen.method);
  chosen.choices.push_back(choose_stepper(
      chosen.method, given ? given->stepper : std::optional<Stepper>(), fixed, chosen.stepper));
  chosen.changes_where_stiff =
      !fixed && !(given && (given->stepper || given->stages)) && chosen.stepper == Stepper::dop853;
  if (symmetric) {
    chosen.stages = stages_of(chosen.stepper, symmetric->stages, 4, "of order 8", chosen.choices);
    const auto iteration = symmetric->stage_iteration.value_or(StageIteration::fixed_point);
    chosen.choices.push_back(choice("stage_iteration", name_of(iteration),
                                    symmetric->stage_iteration.has_value(),
                                    "for problems not stiff"));
  } else {
    chosen.stages = stages_of(chosen.stepper, given->stages, 3, "an odd number estimates its error",
                              chosen.choices);
  }
  if (!is_explicit(chosen.stepper)) chosen.scheme();  // Throws for stages it does not have.
}

/// What is open is known from the start on; see with_atol().
Choice choice_of_atol(const Options& options) {
  if (!options.atol_each.empty()) return choice("atol", "one each", true, "");
  return choice("atol", options.atol ? fmt::format("{:g}", *options.atol) : "open",
                options.atol.has_value(), "rtol/10 of the size of each component, 1e-9 at most");
}

}  // namespace

Collocation MethodChoice::scheme() const {
  return collocation(stepper == Stepper::gauss ? Scheme::gauss : Scheme::radau, stages);
}

std::string MethodChoice::formula() const {
  if (is_explicit(stepper)) return name_of(stepper);
  return fmt::format("{} of {} stages", name_of(stepper), stages);
}

void check_span(const Interval& span) {
  if (std::isfinite(span.begin) && std::isfinite(span.end) && span.begin != span.end) return;
  throw InvalidOption(fmt::format("span = [{}, {}]: must have two different ends, both finite",
                                  span.begin, span.end));
}

MethodChoice choose_method(const MethodFacts& facts, const Options& options) {
  MethodChoice chosen;
  chosen.method = options.method;
  chosen.choices.push_back(choose(facts, options, chosen.method));
  if (std::holds_alternative<GaussWindows>(chosen.method)) {
    if (options.control) {
      refuse("control", "given", chosen.method,
             "chooses the length of its windows by a rule of its own; leave control open");
    }
    chosen.changes_where_stiff = !options.h;
  } else if (!as<VariableBdf>(chosen.method) && !as<BlockedMultistep>(chosen.method)) {
    choose_formula(options.h.has_value(), chosen);
  } else if (options.control) {
    refuse("control", "given", chosen.method,
           "chooses its steps by a rule of its own; leave control open");
  }
  if (options.h) {
    chosen.choices.push_back(choice("h", fmt::format("{:g}", *options.h), true, ""));
  } else {
    const Options open;
    chosen.choices.push_back(choice("rtol", fmt::format("{:g}", options.rtol),
                                    options.rtol != open.rtol, "the default"));
    chosen.choices.push_back(choice_of_atol(options));
  }
  return chosen;
}

}  // namespace daewave::ivp
