#pragma once
// An initial value problem of the catalogue: a DaeProblem with a name, an interval, a start, and
// what is known of its solution.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/report/drawing.hpp"
#include "core/start/problem_start.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::catalogue {

/// What the problem itself does not say.
struct Known {
  std::string name;
  Interval interval;
  std::function<VecX(double)> reference{};  ///< Empty: none.
  bool conserves_energy = true;  ///< False where energy() of the problem is not to be watched.
  std::vector<std::string> state_units{};  ///< Of the start's entries; empty: not known.
  Drawing drawing{};                       ///< Without parts: none.
  /// Constraints that follow from others and are left out, in words: "2 of 5 rows of hinge".
  std::vector<std::string> left_out{};
  std::vector<std::string> warnings{};  ///< Of the start, for all reports.
  std::vector<ivp::Event> events{};  ///< Of the problem itself, before those of options.
};

class InitialValueProblem {
 public:
  /// @param start  x, (q, v), or z.
  InitialValueProblem(DaeProblemPtr problem, VecX start, Known known)
      : problem_(std::move(problem)), start_(std::move(start)), known_(std::move(known)) {}

  const DaeProblem& problem() const { return *problem_; }
  const std::string& name() const { return known_.name; }
  Interval interval() const { return known_.interval; }
  const VecX& start() const { return start_; }
  const std::vector<std::string>& state_units() const { return known_.state_units; }
  const Drawing& drawing() const { return known_.drawing; }
  const std::vector<std::string>& left_out() const { return known_.left_out; }
  const std::vector<std::string>& warnings() const { return known_.warnings; }
  const std::vector<ivp::Event>& events() const { return known_.events; }
  bool second_order() const { return problem_->has_velocity(); }

  /// With the events of the problem before those of `options`.
  /// @throws InvalidOption, InvalidProblem as ivp::solve().
  ivp::Solution solve(const Interval& span, const ivp::Options& options) const;

  /// Puts into a report what solve() puts there: of a solve of problem() by other means.
  void name_report(Report& report) const;

  /// Its functions are templates, and its iterates go in lanes: loops = lanes.
  bool has_lanes() const;
  /// How many solves with these options go side by side, one in each lane; 0 where they cannot.
  int members_in_lanes(const ivp::Options& options) const;
  /// Solves those, of which the start and the end are kept; empty where they differ in more than
  /// their numbers.
  /// @throws InvalidOption, InvalidProblem as solve(), where one of them is wrong.
  static std::vector<ivp::Solution> solve_members(
      const std::vector<std::shared_ptr<const InitialValueProblem>>& members, const Interval& span,
      const ivp::Options& options);

  /// At the start of the interval.
  Consistency check() const;
  /// Of any state.
  Consistency check(double t, const VecX& state) const;
  DerivativeReport check_derivatives() const;

  /// Kinetic and potential of a state; none where it is not known, or is not to stay as it is.
  std::optional<double> energy(const VecX& state) const;

  /// The state at t, exact or from a reference solution; none where nothing is known.
  std::optional<VecX> reference(double t) const;

 private:
  DaeProblemPtr problem_;
  VecX start_;
  Known known_;
};

using InitialValueProblemPtr = std::shared_ptr<const InitialValueProblem>;

/// A struct that gives its start.
/// @param t_end  replaces the end of the problem's interval.
template <class P>
InitialValueProblemPtr initial_value_problem(P problem, double t_end,
                                             std::function<VecX(double)> reference = {}) {
  Known known{problem.name(), {Interval(problem.interval()).begin, t_end}, std::move(reference)};
  VecX start = problem.start();
  return std::make_shared<const InitialValueProblem>(problem_of(std::move(problem), start),
                                                     std::move(start), std::move(known));
}

}  // namespace daewave::catalogue
