#pragma once
// The way along a branch, however its steps are chosen: solutions that are found one from another,
// what is kept of them, and how the way ends.

#include <cmath>
#include <string>

#include "bvp/continuation/branch.hpp"
#include "bvp/options/options.hpp"
#include "bvp/statement/problem_family.hpp"

namespace daewave::bvp {

class Way {
 public:
  /// Steps become longer by this where they succeed, and shorter where they do not.
  static constexpr double longer = 1.6, shorter = 0.4;
  /// Shorter steps than this part of the way are given up.
  static constexpr double least_step = 1e-3;

  /// @param entry  of p: the parameter. All are kept by reference.
  Way(const ProblemFamily& family, const Continuation& how, const Options& options, int entry);

  const ProblemFamily& family() const { return family_; }
  const Continuation& how() const { return how_; }
  int entry() const { return entry_; }
  const std::string& parameter() const { return branch_.parameter; }
  double begin() const { return begin_; }
  double end() const { return how_.to; }
  double range() const { return std::abs(how_.to - begin_); }
  double tolerance() const { return tolerance_; }  ///< Of the last solution.
  double loosely() const { return loosely_; }      ///< Of those on the way.
  /// Of components of x that are small, at the end.
  VecX errors_allowed(Eigen::Index nx) const;
  const Solution& last() const { return branch_.last; }

  /// The member of a value. @param from  null: from the guess of the problem.
  Solution solved(double value, const Solution* from, double tolerance);
  /// A member of a family like this one; its unknown parameters begin with those of `from`.
  Solution solved(ProblemFamily member, const Solution* from, double tolerance);
  /// The family did not have the value that was solved for last.
  bool is_refused() const { return is_refused_; }
  /// Whether the member of a value is, as arclength needs it: not where intervals depend on the
  /// parameter, and not where infinite ones are cut. Of a value that the family does not have
  /// nothing is known against it.
  bool is_on_interval_of_last(double value) const;
  /// Of a solution as one of a family like this one; see bvp::orientation().
  int orientation(ProblemFamily family, const Solution& at) const;

  void step_taken();
  void step_rejected();
  void step_taken_back();  ///< The last one, to be taken again.
  bool has_steps_left() const;
  /// Adds a solution. @return false where the observer stops.
  bool take(double value, Solution solution, bool is_fold = false);

  /// Finds the first solution. False where there is none, or the observer stops.
  bool begins();
  bool is_exhausted();
  bool is_stopped(const Solution& solution);
  /// @param how  "reached".
  void reaches_end(const char* how);
  void fails(const Report& because, const std::string& where);
  /// The last solution that was found is the last one. @param beyond  "at 0.1".
  void fails_after_last(const Report& because, const std::string& beyond);
  void advise(std::string advice) { branch_.report.advice = std::move(advice); }

  /// What was found; leaves nothing here.
  Branch done();

 private:
  void advise_on_way(Report& report, double tolerance) const;

  const ProblemFamily& family_;
  const Continuation& how_;
  const Options& options_;
  int entry_;
  double begin_, tolerance_, loosely_;
  bool is_refused_ = false;
  int taken_ = 0, in_vain_ = 0;  ///< in_vain_: steps rejected since the last one taken.
  Seconds seconds_;              ///< Of all solves, by phase.
  Branch branch_;
};

}  // namespace daewave::bvp
