#pragma once
// From a problem to an InitialValueProblem. Including this compiles every method and stepper for
// the problem, which takes long: one source file for each.

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "catalogue/initial_value_problem.hpp"
#include "core/problem/linear_problem.hpp"
#include "ivp/solve.hpp"

namespace daewave::catalogue {

/// What the problem's type does not say.
struct Known {
  std::string name;
  Interval interval;
  std::function<VecX(double)> reference{};  ///< Empty: none.
  bool conserves_energy = true;  ///< False where energy() of the problem is not to be watched.
};

template <Dae P>
class ErasedProblem : public InitialValueProblem {
 public:
  ErasedProblem(P problem, VecX start, Known known)
      : problem_(std::move(problem)), start_(std::move(start)), known_(std::move(known)) {}

  std::string name() const override { return known_.name; }
  Interval interval() const override { return known_.interval; }
  VecX start() const override { return start_; }
  bool second_order() const override { return !SemiExplicitDae<P>; }

  ivp::Solution solve(const Interval& span, const ivp::Options& options) const override {
    ivp::Solution solution = ivp::solve(problem_, StateOf<P>(start_), span, options);
    solution.report.problem = known_.name;
    if (!known_.conserves_energy) solution.report.integration.has_energy = false;
    return solution;
  }

  Consistency check() const override {
    return check_start(problem_, StateOf<P>(start_), known_.interval.begin);
  }
  DerivativeReport check_derivatives() const override {
    return daewave::check_derivatives(problem_, StateOf<P>(start_), known_.interval.begin);
  }
  std::optional<VecX> reference(double t) const override {
    if (!known_.reference) return {};
    return known_.reference(t);
  }

 private:
  P problem_;
  VecX start_;
  Known known_;
};

/// @param t_end  replaces the end of the problem's interval.
template <Dae P>
requires HasStart<P> InitialValueProblemPtr
erase_problem(P problem, double t_end, std::function<VecX(double)> reference = {}) {
  Known known{problem.name(), {Interval(problem.interval()).begin, t_end}, std::move(reference)};
  VecX start = problem.start();
  return std::make_shared<ErasedProblem<P>>(std::move(problem), std::move(start), std::move(known));
}

}  // namespace daewave::catalogue
