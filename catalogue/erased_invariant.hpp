#pragma once
// From a problem of index 1 with invariants to an InitialValueProblem; as with erased_problem.hpp,
// one source file for each.

#include <string>
#include <utility>

#include "catalogue/initial_value_problem.hpp"
#include "core/start/check_invariants.hpp"
#include "ivp/doors/solve_invariant.hpp"

namespace daewave::catalogue {

template <InvariantDae P>
requires HasStart<P> && HasAlgebraicStart<P>
class ErasedInvariant : public InitialValueProblem {
 public:
  explicit ErasedInvariant(P problem) : problem_(std::move(problem)) {}

  std::string name() const override { return problem_.name(); }
  Interval interval() const override { return problem_.interval(); }
  VecX start() const override { return problem_.start(); }
  bool second_order() const override { return false; }

  ivp::Solution solve(const Interval& span, const ivp::Options& options) const override {
    return ivp::solve(problem_, problem_.start(), problem_.start_algebraic(), span, options);
  }

  Consistency check() const override {
    return check_start(problem_, problem_.start(), interval().begin);
  }
  DerivativeReport check_derivatives() const override {
    return daewave::check_derivatives(problem_, problem_.start(), interval().begin);
  }
  std::optional<VecX> reference(double) const override { return {}; }

 private:
  P problem_;
};

}  // namespace daewave::catalogue
