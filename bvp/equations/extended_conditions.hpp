#pragma once
// The conditions of an extended state: those of a member of the family, of its integrals and of its
// states inside, and what these begin with.

#include "bvp/equations/extended_state.hpp"
#include "bvp/equations/problem_conditions.hpp"
#include "bvp/statement/of_parameters.hpp"

namespace daewave::bvp {

/// Conditions of the members at both ends and inside, and those that z and m begin with.
class ExtendedConditions final : public TwoPointConditions {
 public:
  /// @param X  any extended state, for sizes. @param at_end  as for ProblemConditions.
  ExtendedConditions(ExtendedState state, MakeMember make, const VecX& X, bool at_end);

  int count() const override { return count_; }
  /// Of the problem itself.
  int own() const { return own_; }
  int constraints() const { return constraints_; }

  void evaluate(const VecX& left, const VecX& right, VecX& r) override;
  void jacobians(const VecX& left, const VecX& right, const VecX& weight, MatX& B0,
                 MatX& B1) override;

 private:
  struct Member {
    Member(BoundaryProblem of, const VecX& state, bool at_end)
        : problem(std::move(of)), conditions(problem, state, at_end) {}
    BoundaryProblem problem;
    ProblemConditions conditions;
  };
  Observed observed(const VecX& left, const VecX& right) const;

  ExtendedState state_;
  OfParameters<Member> members_;
  int own_ = 0, further_ = 0, constraints_ = 0, count_ = 0;
  VecX of_ends_;
};

}  // namespace daewave::bvp
