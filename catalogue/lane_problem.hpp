#pragma once
// A problem of the catalogue that is compiled for lanes of every instruction set too.

#include <utility>
#include <vector>

#include "catalogue/erased_problem.hpp"
#include "core/adapt/problem_of.hpp"
#include "ivp/lanes/lane_members.hpp"
#include "ivp/lanes/lane_options.hpp"
#include "ivp/solve_lanes.hpp"

namespace daewave::catalogue {

template <Dae P>
class LaneProblem : public ErasedProblem<P> {
 public:
  LaneProblem(P problem, VecX start, Known known, const StructLanes<P>& lanes)
      : ErasedProblem<P>(problem, start, known),
        problem_(problem_of(std::move(problem), lanes)),
        start_(std::move(start)) {}

  ivp::Solution solve(const Interval& span, const ivp::Options& options) const override {
    if (options.regularize.order != ivp::Order::lanes) {
      return ErasedProblem<P>::solve(span, options);
    }
    ivp::Solution solution = ivp::solve_in_lanes(*problem_, start_, span, options);
    solution.report.problem = this->name();
    return solution;
  }

  bool has_lanes() const override { return true; }
  int members_in_lanes(const ivp::Options& options) const override {
    if (!ivp::members_can_go_in_lanes(options)) return 0;
    return ivp::members_in(ivp::chosen_simd(options));
  }
  std::vector<ivp::Solution> solve_members(const std::vector<InitialValueProblemPtr>& members,
                                           const Interval& span,
                                           const ivp::Options& options) const override {
    std::vector<const DaeProblem*> problems;
    std::vector<VecX> starts;
    for (const InitialValueProblemPtr& member : members) {
      const auto* const one = dynamic_cast<const LaneProblem*>(member.get());
      if (one == nullptr) return {};
      problems.push_back(one->problem_.get());
      starts.push_back(one->start_);
    }
    return ivp::solve_members_in_lanes(problems, starts, span, options);
  }

 private:
  DaeProblemPtr problem_;
  VecX start_;
};

}  // namespace daewave::catalogue
