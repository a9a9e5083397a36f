#include "ivp/lanes/lane_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "ivp/lanes/lane_options.hpp"
#include "ivp/run/fixed_steps.hpp"
#include "ivp/run/thrown.hpp"

namespace daewave::ivp {

namespace {

/// Steps between two looks at whether anything goes on.
constexpr long nodes_at_once = 256;

/// Of a run that was not stopped, told by the report as that of any other run.
Report report_of(const MembersInLanes& lanes, int lane, const LaneMember& member,
                 const FixedSteps& nodes, const Options& options, bool stopped,
                 const std::optional<std::string>& threw) {
  Report report;
  IntegrationReport& went = report.integration;
  went.available = true;
  went.begin = nodes.node(0);
  went.end = nodes.node(nodes.count());
  went.steps = lanes.steps(lane);
  went.reached = nodes.node(went.steps);
  went.index = member.index;
  went.constraints = member.constraints;
  went.rank = member.rank;
  lanes.drift(lane, went.drift_position, went.drift_velocity);
  went.has_energy = lanes.energy(lane, went.energy_start, went.energy_change) && options.monitor;
  if (went.steps > 0) {
    went.largest_step = *options.h;
    went.smallest_step =
        std::min(*options.h, std::abs(nodes.node(went.steps) - nodes.node(went.steps - 1)));
  }
  report.smallest_step = went.smallest_step;
  report.largest_step = went.largest_step;
  report.problem = member.name;
  report.nx = static_cast<int>(member.start.size());
  report.ny = member.constraints;
  report.warnings = member.warnings;
  report.termination = Termination::converged;
  report.message = fmt::format("reached t = {:.10g} in {} steps", went.reached, went.steps);
  if (went.steps == nodes.count()) return report;
  if (threw) {
    report.termination = Termination::stopped;
    report.message =
        fmt::format("an exception was thrown in a step of these runs, from t = {:.10g}: {}",
                    went.reached, *threw);
    report.advice = "what is given out is valid; mend the function that throws, or end before";
  } else if (stopped) {
    report.termination = Termination::stopped;
    report.message = fmt::format("stopped by progress() at t = {:.10g}", went.reached);
  } else {
    report.termination = Termination::diverged;
    report.message = fmt::format(
        "at t = {:.10g}: an iterate or its slope is not finite after the step", went.reached);
    report.advice = "a shorter h, or error control";
  }
  return report;
}

Solution solution_of(const MembersInLanes& lanes, int lane, const LaneMember& member,
                     const Report& report, const Options& options) {
  const LaneShape shape = lanes.shape();
  Solution solution;
  solution.nz = shape.nz;
  solution.second_order = member.second_order;
  solution.report = report;
  std::vector<double> x(static_cast<std::size_t>(shape.nz)),
      carried(static_cast<std::size_t>(shape.nc));
  lanes.state(lane, x.data(), carried.data());
  solution.motion.least.resize(shape.nz);
  solution.motion.greatest.resize(shape.nz);
  lanes.motion(lane, solution.motion.least.data(), solution.motion.greatest.data());
  solution.t = {report.integration.begin};
  solution.states.assign(member.start.data(), member.start.data() + member.start.size());
  if (report.integration.steps > 0) {
    solution.t.push_back(report.integration.reached);
    solution.states.insert(solution.states.end(), x.begin(), x.end());
  }
  solution.report.integration.drift_position *= options.monitor ? 1 : 0;
  solution.report.integration.drift_velocity *= options.monitor ? 1 : 0;
  return solution;
}

/// Steps from nodes[0] to nodes[1] and so on, and tells of the members that have come there.
void advance_watched(MembersInLanes& lanes, const std::vector<double>& nodes, int members,
                     const MemberNode& node) {
  const LaneShape shape = lanes.shape();
  VecX x(shape.nz), carried(shape.nc);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    std::vector<long> before;
    for (int lane = 0; lane < members; ++lane) before.push_back(lanes.steps(lane));
    lanes.advance(1, nodes.data() + i);
    for (int lane = 0; lane < members; ++lane) {
      if (lanes.steps(lane) == before[static_cast<std::size_t>(lane)]) continue;
      lanes.state(lane, x.data(), carried.data());
      node(lane, nodes[i + 1], x);
    }
  }
}

}  // namespace

bool members_can_go_in_lanes(const Options& options) {
  const Srm* const asked = asked_in_lanes(options);
  return asked != nullptr && options.h &&
         is_explicit(asked->formula.stepper.value_or(Stepper::heun)) && options.every == 0 &&
         options.times.empty() && !options.dense && !options.sink && options.events.empty() &&
         !options.estimate_error && !options.accuracy && asked->exact_start.value_or(-1) < 0;
}

void check_member_options(const Options& options) {
  if (members_can_go_in_lanes(options)) return;
  throw InvalidOption(
      "runs side by side in lanes: take method = srm with loops = lanes, an explicit stepper, a "
      "fixed h and every = 0, and no times, events, dense output, sink, exact_start, "
      "estimate_error or accuracy");
}

bool alike(const SrmChoices& a, const SrmChoices& b) {
  return a.iterates == b.iterates && a.form.variant == b.form.variant &&
         a.form.weight == b.form.weight && a.form.epsilon == b.form.epsilon &&
         a.form.alpha1 == b.form.alpha1 && a.form.alpha2 == b.form.alpha2 &&
         a.form.alpha3 == b.form.alpha3 && a.form.rank_tolerance == b.form.rank_tolerance;
}

std::vector<Solution> run_lane_members(MembersInLanes& lanes,
                                       const std::vector<LaneMember>& members, const Interval& span,
                                       const Srm& asked, const Options& options, Simd simd,
                                       int iterates, const LaneFormula& formula,
                                       const MemberNode& node) {
  const auto before = std::chrono::steady_clock::now();
  const FixedSteps nodes(span, *options.h);
  const int count = static_cast<int>(members.size());
  std::vector<double> starts;
  for (int lane = 0; lane < lanes.shape().lanes; ++lane) {
    const VecX& x = members[static_cast<std::size_t>(std::min(lane, count - 1))].start;
    starts.insert(starts.end(), x.data(), x.data() + x.size());
  }
  lanes.start(span.begin, starts.data());
  bool stopped = false;
  std::optional<std::string> threw;
  std::vector<double> times;
  for (int lane = 0; node && lane < count; ++lane) {
    node(lane, span.begin, members[static_cast<std::size_t>(lane)].start);
  }
  for (long done = 0; done < nodes.count() && !stopped;) {
    const long now = std::min(nodes_at_once, nodes.count() - done);
    times.clear();
    for (long i = 0; i <= now; ++i) times.push_back(nodes.node(done + i));
    threw = thrown_in([&] {
      if (node) return advance_watched(lanes, times, count, node);
      lanes.advance(static_cast<int>(now), times.data());
    });
    if (threw) break;
    done += now;
    const RunProgress progress{nodes.node(done), span.begin, span.end, done, 0};
    stopped = options.progress && !options.progress(progress);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  std::vector<Solution> solutions;
  for (int lane = 0; lane < count; ++lane) {
    const LaneMember& member = members[static_cast<std::size_t>(lane)];
    Report report = report_of(lanes, lane, member, nodes, options, stopped, threw);
    report.integration.evaluations =
        iterates * (1 + report.integration.steps * evaluations_of_step(formula));
    report.seconds.total = took.count() / count;
    report.choices = member.method;
    report.choices.push_back(lanes_choice(
        asked, fmt::format("{} runs in {} lanes, {}", count, lanes.shape().lanes, name_of(simd))));
    report.choices.insert(report.choices.end(), member.srm.begin(), member.srm.end());
    solutions.push_back(solution_of(lanes, lane, member, report, options));
  }
  return solutions;
}

}  // namespace daewave::ivp
