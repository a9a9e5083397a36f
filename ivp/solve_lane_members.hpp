#pragma once
// Solves of several problems of one type side by side, one in each lane, by sequential
// regularization with an explicit formula and h fixed. Each is given out at its start and its end.

#include <chrono>
#include <memory>
#include <vector>

#include "ivp/lanes/lane_members.hpp"
#include "ivp/solve_lanes.hpp"

namespace daewave::ivp {

namespace detail {

/// Of members, one in each lane.
inline LaneRescue rescue_of_members(std::vector<LaneRescuer>& rescuers) {
  return {[](void* who, int lane, const double* x, double t, const double* before, double* slope,
             double* carried) {
            auto& all = *static_cast<std::vector<LaneRescuer>*>(who);
            return all[static_cast<std::size_t>(lane)].evaluate(x, t, before, slope, carried);
          },
          &rescuers};
}

}  // namespace detail

/// @param problems  1 to kernels.members of them, and a start for each.
/// @return one for each; empty where they are not alike enough: where the solver chooses other
///         numbers for one of them than for another.
/// @throws InvalidOption, InvalidProblem as solve().
template <Dae P>
std::vector<Solution> solve_lane_members(const std::vector<const P*>& problems,
                                         std::vector<StateOf<P>> starts, const Interval& span,
                                         const LaneKernels<P>& kernels, Options options) {
  check(options);
  check_span(span);
  check_supported(kernels.simd);
  check_member_options(options);
  options.regularize.order = Order::step_local;
  options.regularize.simd = {};
  std::vector<LaneMember> members;
  std::vector<SrmChoices> chosen;
  const ExplicitTableau* formula = nullptr;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    LaneMember member;
    const Consistency found =
        detail::consistent(*problems[i], starts[i], span.begin, options, member.warnings);
    const MethodChoice method = choose_method(
        {.reducible = Reducible<P>, .full_rank = !found.singular(), .backward = span.length() < 0},
        options);
    if (!is_explicit(method.stepper)) return {};
    formula = &tableau(method.stepper);
    chosen.push_back(choose_srm(*problems[i], starts[i], span, options, SrmFormula(*formula)));
    if (!alike(chosen.front(), chosen.back())) return {};
    member.method = method.choices;
    member.srm = chosen.back().choices;
    member.start = starts[i];
    member.constraints = found.constraints;
    member.rank = found.rank;
    member.index = found.index;
    member.second_order = !SemiExplicitDae<P>;
    if constexpr (HasName<P>) member.name = problems[i]->name();
    members.push_back(std::move(member));
  }
  const SrmChoices& common = chosen.front();
  if (common.iterates > most_iterates_in_lanes) return {};
  std::vector<const P*> in_lanes = problems;
  in_lanes.resize(static_cast<std::size_t>(kernels.members), problems.back());
  std::vector<LaneRescuer> rescuers;
  for (const P* problem : in_lanes) {
    rescuers.emplace_back(regularize(*problem, common.form, starts[0], span.begin));
  }
  const std::unique_ptr<MembersInLanes> lanes(
      kernels.ensemble(in_lanes.data(), common.form, lane_formula(*formula), common.iterates,
                       detail::rescue_of_members(rescuers)));
  if (!lanes) return {};
  auto solutions = run_lane_members(*lanes, members, span, options, kernels.simd, common.iterates,
                                    lane_formula(*formula));
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    solutions[i].report.integration.guarded = rescuers[i].ode().guarded();
  }
  return solutions;
}

}  // namespace daewave::ivp
