#pragma once
// The loop of runs side by side in lanes, and what is told of each.

#include <functional>
#include <string>
#include <vector>

#include "core/report/report.hpp"
#include "ivp/lanes/lane_run.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/srm/srm_defaults.hpp"

namespace daewave::ivp {

/// What is known of a run beforehand.
struct LaneMember {
  std::string name;
  VecX start;
  int constraints = 0, rank = 0, index = 0;
  bool second_order = true;
  std::vector<Choice> method, srm;
  std::vector<std::string> warnings;
};

/// True where options let runs go side by side: sequential regularization, h fixed, nothing given
/// out but the end, y_0 = 0.
bool members_can_go_in_lanes(const Options& options);
/// @throws InvalidOption where they do not.
void check_member_options(const Options& options);

/// True for the same form, numbers and iterates.
bool alike(const SrmChoices& a, const SrmChoices& b);

/// Is told the state of a member at each of its nodes, the start included.
using MemberNode = std::function<void(int member, double t, const VecX& x)>;

/// @param members  no more than there are lanes; what is in the lanes after them is not told.
/// @param asked    in lanes. @param options  h given; progress is asked now and then, and may stop
/// all of them. @param node  may be empty.
std::vector<Solution> run_lane_members(MembersInLanes& lanes,
                                       const std::vector<LaneMember>& members, const Interval& span,
                                       const Srm& asked, const Options& options, Simd simd,
                                       int iterates, const LaneFormula& formula,
                                       const MemberNode& node = {});

}  // namespace daewave::ivp
