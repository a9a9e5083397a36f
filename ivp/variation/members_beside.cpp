#include "ivp/variation/members_beside.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/start/problem_start.hpp"

namespace daewave::ivp {
namespace {

double size_of(double value, double largest) {
  return std::max({std::abs(value), 0.1 * largest, largest > 0 ? 0 : 1.0});
}

}  // namespace

MembersBeside::MembersBeside(const DaeProblem& problem, const VecX& start, const Family* family,
                             const VecX& parameters, double begin, const Options& options)
    : problem_(problem),
      start_(start),
      family_(family),
      parameters_(parameters),
      begin_(begin),
      start_tolerance_(options.start_tolerance),
      rank_tolerance_(options.rank_tolerance) {
  const double largest = start.lpNorm<Eigen::Infinity>();
  for (const double value : start) sizes_.push_back(size_of(value, largest));
  for (const double value : parameters) sizes_.push_back(size_of(value, 0));
}

Member MembersBeside::at(const VecX& moved) {
  Member member;
  VecX start = start_;
  if (family_ != nullptr && !moved.tail(columns() - starts()).isZero(0)) {
    VecX p = parameters_;
    for (int j = starts(); j < columns(); ++j) p[j - starts()] += size(j) * moved[j];
    member = (*family_)(p);
    require_alike(member);
    start = member.start;
  } else {
    // Not owned: it outlives all runs.
    member.problem = DaeProblemPtr(DaeProblemPtr(), &problem_);
  }
  for (int i = 0; i < starts(); ++i) start[i] += size(i) * moved[i];
  if (problem_.kind() != Kind::invariants) {
    const StartRepair repair =
        repair_start(*member.problem, start, begin_, start_tolerance_, rank_tolerance_);
    if (!repair.ok) {
      failure_ = "a start beside this one: " + repair.failure;
      member.problem = nullptr;
    }
  }
  member.start = std::move(start);
  return member;
}

void MembersBeside::require_alike(const Member& member) const {
  if (member.problem && member.problem->kind() == problem_.kind() &&
      member.problem->sizes() == problem_.sizes() && member.start.size() == start_.size()) {
    return;
  }
  throw InvalidProblem(
      "the family gives no problem, or one of another kind or other sizes, beside these "
      "parameters: "
      "give one of the same for all of them");
}

}  // namespace daewave::ivp
