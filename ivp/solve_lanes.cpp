#include "ivp/solve_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "core/start/check_constraints.hpp"
#include "core/start/problem_start.hpp"
#include "ivp/doors/branch_watch.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/run_setup.hpp"
#include "ivp/doors/solve_srm.hpp"
#include "ivp/doors/state_multipliers.hpp"
#include "ivp/lanes/lane_members.hpp"
#include "ivp/lanes/lane_options.hpp"
#include "ivp/lanes/lane_step.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/srm/iterate_changes.hpp"

namespace daewave::ivp {
namespace {

void require_lanes(const DaeProblem& problem) {
  const std::string why = why_no_lanes(problem);
  if (!why.empty()) throw InvalidOption("loops = lanes: " + why);
}

/// As any run looks at them.
void check_given(const DaeProblem& problem, const VecX& start, const Interval& span) {
  check_state_size(problem, start);
  check_constraint_derivatives(problem, start, span);
}

MethodChoice method_for(const DaeProblem& problem, const Consistency& found, const Interval& span,
                        const Options& options) {
  return choose_method({.reducible = is_reducible(problem),
                        .full_rank = !found.singular(),
                        .backward = span.length() < 0},
                       options);
}

Monitors monitors_for(const DaeProblem& problem, const Regularization& form,
                      const Options& options) {
  Monitors monitors = monitors_of(problem, options);
  monitors.carries_By = carries_By(form.variant);
  return monitors;
}

LaneStep lane_step(const DaeProblem& problem, Simd simd, std::unique_ptr<RegularizedOde> ode,
                   const LaneFormula& formula, const SrmChoices& chosen, const FixedSteps& nodes,
                   const InitialIterate& y_0, bool watches) {
  auto rescuer = std::make_shared<LaneRescuer>(std::move(ode));
  auto lanes =
      skewed_iterates(problem, simd, chosen.form, formula, chosen.iterates, rescuer->rescue());
  if (!lanes) {
    throw InvalidOption(
        "loops = lanes: has no baumgarte-form with alpha1 > 0 but for weight = inverse; take it, "
        "or loops = step-local");
  }
  std::function<void(double, double*)> initial;
  if (y_0) {
    initial = [y_0, y = VecX(VecX::Zero(lanes->shape().nc))](double t, double* out) mutable {
      y_0(t, y);
      std::copy_n(y.data(), y.size(), out);
    };
  }
  LaneFeed feed(std::move(lanes), formula, chosen.iterates, nodes, std::move(initial), watches);
  return {std::move(rescuer), std::move(feed), formula, chosen.iterates};
}

/// |x_s - x_{s-1}| at the end, s = 2, 3, ...
std::vector<VecX> changes_of(const SkewedIterates& lanes, int iterates) {
  VecX before, x(lanes.shape().nz), carried(lanes.shape().nc);
  std::vector<VecX> changes;
  for (int s = 1; s <= iterates; ++s) {
    lanes.iterate(s, x.data(), carried.data());
    if (s > 1) changes.push_back((x - before).cwiseAbs());
    before = x;
  }
  return changes;
}

Solution run_in_lanes(const DaeProblem& problem, const VecX& start, const Interval& span,
                      const Srm& asked, const Options& options, const MethodChoice& method) {
  const ExplicitTableau& formula = tableau(method.stepper);
  const SrmChoices chosen = choose_srm(problem, start, span, asked, options, SrmFormula(formula));
  check_lanes(options, method.stepper, chosen.iterates, most_skewed_iterates);
  const Simd simd =
      std::get<InLanes>(asked.loops).simd ? chosen_simd(asked) : simd_for(chosen.iterates);
  Monitors monitors = monitors_for(problem, chosen.form, options);
  const auto branch = branch_watch(asked, problem, start, span.begin, options);
  if (branch) {
    monitors.node = [&branch](double t, const VecX& z) {
      branch->see(t, z.head(branch->states()));
    };
  }
  const MultiplierOfState multiplier = multiplier_of_state(problem, chosen.form, options);
  const Options bounded =
      multiplier ? without_zeta(multiplier, static_cast<int>(start.size()), options) : options;
  const InitialIterate y_0 =
      initial_iterate(problem, start, span, chosen.form.variant, asked.exact_start.value_or(-1));
  LaneStep step = lane_step(problem, simd, regularize(problem, chosen.form), lane_formula(formula),
                            chosen, FixedSteps(span, *options.h), y_0, monitors.drift);
  Solution solution = integrate(step, start, span, bounded, monitors);
  Report& report = solution.report;
  report.integration.guarded = step.ode().guarded();
  const SkewedIterates& lanes = step.feed().lanes();
  std::vector<VecX> changes;
  if (report.integration.reached == span.end) changes = changes_of(lanes, chosen.iterates);
  tell_iterates({step.t(), step.state(), std::move(changes), drift_of(problem, start, span.begin)},
                options, solution);
  if (branch) branch->judge(report);
  report.choices.push_back(lanes_choice(asked, fmt::format("{} of {} lanes, {}", chosen.iterates,
                                                           lanes.shape().lanes, name_of(simd))));
  if (multiplier) fill_multipliers(multiplier, solution);
  report.choices.insert(report.choices.end(), chosen.choices.begin(), chosen.choices.end());
  return solution;
}

LaneRescue rescue_of_members(std::vector<LaneRescuer>& rescuers) {
  return {[](void* who, int lane, const double* x, double t, const double* before, double* slope,
             double* carried) {
            auto& all = *static_cast<std::vector<LaneRescuer>*>(who);
            return all[static_cast<std::size_t>(lane)].evaluate(x, t, before, slope, carried);
          },
          &rescuers};
}

using Members = std::vector<const DaeProblem*>;

LaneEnergy energy_of(Members& members, const Options& options) {
  if (!options.monitor || !members.front()->structure().has_energy) return {};
  return {[](void* who, int lane, const double* z) {
            const DaeProblem& member =
                *(*static_cast<Members*>(who))[static_cast<std::size_t>(lane)];
            return member.energy(z, z + member.sizes().nq);
          },
          &members};
}

/// What is known of a member before its run; none where its stepper is none of lanes.
struct ChosenMember {
  LaneMember member;
  SrmChoices srm;
  const ExplicitTableau* formula = nullptr;
};

ChosenMember choose_member(const DaeProblem& problem, VecX start, const Interval& span,
                           const Srm& asked, const Options& options) {
  ChosenMember chosen;
  LaneMember& member = chosen.member;
  check_given(problem, start, span);
  const Consistency found = consistent(problem, start, span.begin, options, member.warnings);
  const MethodChoice method = method_for(problem, found, span, options);
  if (!is_explicit(method.stepper)) return chosen;
  chosen.formula = &tableau(method.stepper);
  chosen.srm = choose_srm(problem, start, span, asked, options, SrmFormula(*chosen.formula));
  member.name = problem.name();
  member.start = start;
  member.constraints = found.constraints;
  member.rank = found.rank;
  member.index = found.index;
  member.second_order = problem.has_velocity();
  member.method = method.choices;
  member.srm = chosen.srm.choices;
  return chosen;
}

std::vector<VecX> changes_of(const MembersInLanes& lanes, int lane, int iterates) {
  VecX before, x(lanes.shape().nz);
  std::vector<VecX> changes;
  for (int s = 1; s <= iterates; ++s) {
    lanes.iterate(lane, s, x.data());
    if (s > 1) changes.push_back((x - before).cwiseAbs());
    before = x;
  }
  return changes;
}

std::vector<Solution> run_members(Members problems, const std::vector<LaneMember>& members,
                                  const SrmChoices& common, const ExplicitTableau& tableau,
                                  const Interval& span, const Srm& asked, const Options& options) {
  const Simd simd = chosen_simd(asked);
  problems.resize(static_cast<std::size_t>(members_in(simd)), problems.back());
  std::vector<LaneRescuer> rescuers;
  for (const DaeProblem* problem : problems) {
    rescuers.emplace_back(regularize(*problem, common.form));
  }
  const LaneFormula formula = lane_formula(tableau);
  const auto lanes = members_in_lanes(problems, simd, common.form, formula, common.iterates,
                                      rescue_of_members(rescuers), energy_of(problems, options));
  if (!lanes) return {};
  std::vector<std::unique_ptr<SingularTrace>> branches;
  for (std::size_t i = 0; i < members.size(); ++i) {
    branches.push_back(branch_watch(asked, *problems[i], members[i].start, span.begin, options));
  }
  MemberNode node;
  if (std::any_of(branches.begin(), branches.end(),
                  [](const auto& one) { return one != nullptr; })) {
    node = [&branches](int member, double t, const VecX& z) {
      const auto& branch = branches[static_cast<std::size_t>(member)];
      if (branch) branch->see(t, z.head(branch->states()));
    };
  }
  auto solutions =
      run_lane_members(*lanes, members, span, asked, options, simd, common.iterates, formula, node);
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    Solution& solution = solutions[i];
    solution.report.integration.guarded = rescuers[i].ode().guarded();
    const int lane = static_cast<int>(i);
    tell_iterates({solution.report.integration.reached, solution.end(),
                   changes_of(*lanes, lane, common.iterates),
                   drift_of(*problems[i], members[i].start, span.begin)},
                  options, solution);
    if (branches[i]) branches[i]->judge(solution.report);
  }
  return solutions;
}

}  // namespace

Solution solve_in_lanes(const DaeProblem& problem, const VecX& start, const Interval& span,
                        const Options& options) {
  check(options);
  check_span(span);
  const Srm* const asked = asked_in_lanes(options);
  if (asked == nullptr) {
    throw InvalidOption(
        fmt::format("method = {}: lanes are of srm with loops = lanes; take it, or call solve()",
                    name_of(options.method)));
  }
  require_lanes(problem);
  check_given(problem, start, span);
  std::vector<std::string> warnings;
  VecX z = start;
  const Consistency found = consistent(problem, z, span.begin, options, warnings);
  const MethodChoice method = method_for(problem, found, span, options);
  check_lanes(options, method.stepper, 1, most_skewed_iterates);
  Solution solution = run_in_lanes(problem, z, span, *asked, options, method);
  Report& report = solution.report;
  report.problem = problem.name();
  report.nx = problem.state_size();
  report.ny = found.constraints;
  report.integration.index = found.index;
  report.integration.constraints = found.constraints;
  report.integration.rank = found.rank;
  report.choices.insert(report.choices.begin(), method.choices.begin(), method.choices.end());
  report.warnings.insert(report.warnings.begin(), warnings.begin(), warnings.end());
  return solution;
}

std::vector<Solution> solve_members_in_lanes(const std::vector<const DaeProblem*>& problems,
                                             const std::vector<VecX>& starts, const Interval& span,
                                             const Options& options) {
  check(options);
  check_span(span);
  check_member_options(options);
  const Srm& asked = *asked_in_lanes(options);
  for (const DaeProblem* problem : problems) require_lanes(*problem);
  std::vector<LaneMember> members;
  ChosenMember common;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    ChosenMember chosen = choose_member(*problems[i], starts[i], span, asked, options);
    if (chosen.formula == nullptr) return {};
    if (i == 0) common = chosen;
    if (!(problems[i]->sizes() == problems[0]->sizes()) || !alike(common.srm, chosen.srm)) {
      return {};
    }
    members.push_back(std::move(chosen.member));
  }
  if (common.srm.iterates > most_iterates_in_lanes) return {};
  return run_members(problems, members, common.srm, *common.formula, span, asked, options);
}

}  // namespace daewave::ivp
