#pragma once
// Conditions at both ends: those of the problem and its constraints, and the same in the time that
// runs from the end.

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "bvp/equations/iterate_system.hpp"
#include "bvp/statement/boundary_problem.hpp"
#include "bvp/statement/constraint_values.hpp"

namespace daewave::bvp {

/// The conditions of the problem, then its constraints where they are posed.
class ProblemConditions final : public TwoPointConditions {
 public:
  /// The problem is kept by reference.
  /// @param state   any state, for sizes.
  /// @param at_end  constraints at the end of the interval instead of its begin.
  ProblemConditions(const BoundaryProblem& problem, const VecX& state, bool at_end);

  int count() const override { return own_ + constraints_.count(); }
  /// Of the problem itself.
  int own() const { return own_; }

  void evaluate(const VecX& left, const VecX& right, VecX& r) override;
  void jacobians(const VecX& left, const VecX& right, const VecX& weight, MatX& B0,
                 MatX& B1) override;

 private:
  /// Conditions that are linear, where they were linearized.
  struct Linear {
    VecX left, right, at;
    MatX B0, B1;
    bool foresees(const VecX& to_left, const VecX& to_right, const VecX& found) const;
  };
  bool is_linear(const VecX& left, const VecX& right, const VecX& weight, const VecX& at,
                 const MatX& B0, const MatX& B1);

  std::unique_ptr<ForeseenTerms> foresee_moves(const VecX& left, const VecX& weight);

  const BoundaryProblem& problem_;
  ConstraintValues constraints_;
  bool at_end_;
  int own_ = 0;
  std::optional<Linear> linear_;
  /// Whether they are linear may be looked for where nobody needs them: not of callbacks, which
  /// remember that by themselves and may raise there; nor where they are known not to be.
  bool is_asked_elsewhere_;
};

/// Conditions in the time that runs from the end.
class ReversedConditions final : public TwoPointConditions {
 public:
  /// The conditions are kept by reference. @param turned  a state, there and back; linear.
  ReversedConditions(TwoPointConditions& conditions, std::function<VecX(const VecX&)> turned)
      : conditions_(conditions), turned_(std::move(turned)) {}

  int count() const override { return conditions_.count(); }
  void evaluate(const VecX& left, const VecX& right, VecX& r) override;
  void jacobians(const VecX& left, const VecX& right, const VecX& weight, MatX& B0,
                 MatX& B1) override;

 private:
  TwoPointConditions& conditions_;
  std::function<VecX(const VecX&)> turned_;
};

}  // namespace daewave::bvp
