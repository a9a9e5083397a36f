#include "ivp/doors/solve_by_structure.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "core/adapt/found_structure.hpp"
#include "core/error.hpp"
#include "ivp/doors/run_again.hpp"
#include "ivp/lanes/lane_options.hpp"

namespace daewave::ivp {

namespace {

/// Beyond it equations do not hold as stated either.
bool fails_at_event(const Solution& solution, const Options& options) {
  const auto fails = [&options](const Occurrence& one) {
    return options.events[static_cast<std::size_t>(one.event)].then == Event::Then::fail;
  };
  return std::any_of(solution.occurrences.begin(), solution.occurrences.end(), fails);
}

}  // namespace

Solution solve_by_structure(
    const DaeProblem& problem, const Options& options,
    const std::function<Solution(const DaeProblem&, const Options&)>& solve) {
  const std::string found = what_is_found_in(problem);
  if (found.empty()) return solve(problem, options);
  if (asked_in_lanes(options) || !may_run_again(options)) {
    return solve(*as_stated(problem), options);
  }
  RowsOnce rows(options);
  std::string why;
  std::optional<Solution> failed;
  try {
    Solution solution = solve(problem, rows.first());
    const Termination how = solution.report.termination;
    const bool by_caller = how == Termination::stopped || how == Termination::too_many_steps;
    const bool ended = solution.report.usable() || fails_at_event(solution, options) ||
                       (by_caller && !has_lost_structure(problem));
    solution.report.choices.push_back({"structure", found, false, "found in the problem"});
    if (ended) return solution;
    why = "the run by it did not come through: " + solution.report.message;
    failed = std::move(solution);
  } catch (const Error& refused) {
    if (rows.caller_threw()) throw;
    why = refused.what();  // What is wrong is refused again below.
  }
  try {
    Solution solution = solve(*as_stated(problem), failed ? rows.again() : rows.anew());
    solution.report.choices.push_back({"structure", "as stated", false, found + "; but " + why});
    return solution;
  } catch (const Error&) {
    // A checkpoint that a run by structure goes on from may be none of one as stated.
    if (!failed || !options.checkpoints.resume || rows.caller_threw()) throw;
    return std::move(*failed);
  }
}

}  // namespace daewave::ivp
