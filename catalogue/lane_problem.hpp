#pragma once
// A problem of the catalogue that is compiled for lanes of every instruction set too.

#include <utility>
#include <vector>

#include "catalogue/initial_value_problem.hpp"
#include "ivp/solve_lane_members.hpp"

namespace daewave::catalogue {

template <Dae P>
class LaneProblem final : public InitialValueProblem {
 public:
  /// Of one instruction set.
  using Kernels = ivp::LaneKernels<P> (*)(Simd);

  LaneProblem(P problem, VecX start, Known known, Kernels kernels)
      : InitialValueProblem(problem_of(problem, start), start, std::move(known)),
        problem_(std::move(problem)),
        kernels_(kernels) {}

  ivp::Solution solve(const Interval& span, const ivp::Options& options) const override {
    if (options.regularize.order != ivp::Order::lanes) {
      return InitialValueProblem::solve(span, options);
    }
    const Simd simd = ivp::chosen_simd(options);
    ivp::Solution solution =
        ivp::solve_in_lanes(problem_, kernels_(simd), StateOf<P>(start()), span, options);
    solution.report.problem = name();
    return solution;
  }

  bool has_lanes() const override { return true; }
  int members_in_lanes(const ivp::Options& options) const override {
    if (!ivp::members_can_go_in_lanes(options)) return 0;
    return kernels_(ivp::chosen_simd(options)).members;
  }
  std::vector<ivp::Solution> solve_members(const std::vector<InitialValueProblemPtr>& members,
                                           const Interval& span,
                                           const ivp::Options& options) const override {
    std::vector<const P*> problems;
    std::vector<StateOf<P>> starts;
    for (const InitialValueProblemPtr& member : members) {
      const auto* const one = dynamic_cast<const LaneProblem*>(member.get());
      if (one == nullptr) return {};
      problems.push_back(&one->problem_);
      starts.push_back(StateOf<P>(one->start()));
    }
    return ivp::solve_lane_members(problems, std::move(starts), span,
                                   kernels_(ivp::chosen_simd(options)), options);
  }

 private:
  P problem_;
  Kernels kernels_;
};

}  // namespace daewave::catalogue
