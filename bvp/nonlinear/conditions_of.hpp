#pragma once
// Conditions at both ends, of a problem of any type and in the time that runs from the end.

#include <functional>
#include <utility>

#include "bvp/nonlinear/boundary_equation.hpp"
#include "bvp/nonlinear/forward_differences.hpp"
#include "bvp/nonlinear/iterate_system.hpp"
#include "core/problem/constraint_residual.hpp"
#include "core/problem/linear_problem.hpp"

namespace daewave::bvp {

/// The conditions of the problem, then its constraints where they are posed.
///
/// @tparam P  has conditions(left, right) of two states.
template <class P>
class ConditionsOf final : public TwoPointConditions {
 public:
  using State = BoundaryState<P>;

  /// @param at_end  constraints at the end of the interval instead of its begin.
  ConditionsOf(const P& problem, const Interval& interval, const State& state, bool at_end)
      : problem_(problem), interval_(interval), at_end_(at_end) {
    own_ = static_cast<int>(VecX(problem.conditions(state, state)).size());
    count_ = own_ + constraints(state, at_end ? interval.end : interval.begin, nullptr);
  }

  int count() const override { return count_; }
  /// Of the problem itself.
  int own() const { return own_; }

  void evaluate(const VecX& left, const VecX& right, VecX& r) override {
    left_ = left;
    right_ = right;
    r.resize(count_);
    r.head(own_) = problem_.conditions(left_, right_);
    VecX rest(count_ - own_);
    constraints(at_end_ ? right_ : left_, at_end_ ? interval_.end : interval_.begin, &rest);
    r.tail(count_ - own_) = rest;
  }
  void jacobians(const VecX& left, const VecX& right, const VecX& weight, MatX& B0,
                 MatX& B1) override {
    VecX at(count_);
    evaluate(left, right, at);
    B0.resize(count_, left.size());
    B1.resize(count_, left.size());
    const auto of = [&](const VecX& l, const VecX& r, VecX& out) {
      evaluate(l, r, out);
      return true;
    };
    forward_differences([&](const VecX& x, VecX& out) { return of(x, right, out); }, left, at,
                        weight, B0);
    forward_differences([&](const VecX& x, VecX& out) { return of(left, x, out); }, right, at,
                        weight, B1);
  }

 private:
  /// How many; their residuals where asked for.
  int constraints(const State& x, double t, VecX* out) {
    if constexpr (SemiExplicitDae<P>) {
      const VecX g = problem_.g(x, t);
      if (out) *out = g;
      return static_cast<int>(g.size());
    } else if constexpr (Dae<P>) {
      const auto nq = x.size() / 2;
      q_ = x.head(nq);
      v_ = x.tail(nq);
      residual_.evaluate(problem_, q_, v_, t);
      const auto& position = residual_.position();
      const auto& velocity = residual_.velocity();
      if (out) *out << position, velocity;
      return static_cast<int>(position.size() + velocity.size());
    } else {
      return 0;
    }
  }

  struct Nothing {};
  template <class Q>
  struct MemoryOf {
    using Position = Nothing;
    using Residual = Nothing;
  };
  template <class Q>
  requires(Dae<Q> && !SemiExplicitDae<Q>) struct MemoryOf<Q> {
    using Position = typename Q::Position;
    using Residual = ConstraintResidual<Q>;
  };

  const P& problem_;
  Interval interval_;
  bool at_end_;
  int own_ = 0, count_ = 0;
  State left_, right_;
  typename MemoryOf<P>::Position q_, v_;
  typename MemoryOf<P>::Residual residual_;
};

/// Conditions in the time that runs from the end.
class ReversedConditions final : public TwoPointConditions {
 public:
  /// @param conditions  kept by reference. @param turned  a state, there and back; linear.
  ReversedConditions(TwoPointConditions& conditions, std::function<VecX(const VecX&)> turned)
      : conditions_(conditions), turned_(std::move(turned)) {}

  int count() const override { return conditions_.count(); }
  void evaluate(const VecX& left, const VecX& right, VecX& r) override {
    conditions_.evaluate(turned_(right), turned_(left), r);
  }
  void jacobians(const VecX& left, const VecX& right, const VecX& weight, MatX& B0,
                 MatX& B1) override {
    conditions_.jacobians(turned_(right), turned_(left), weight, B1, B0);
    MatX R(left.size(), left.size());
    for (int j = 0; j < left.size(); ++j) R.col(j) = turned_(VecX::Unit(left.size(), j));
    B0 = (B0 * R).eval();
    B1 = (B1 * R).eval();
  }

 private:
  TwoPointConditions& conditions_;
  std::function<VecX(const VecX&)> turned_;
};

}  // namespace daewave::bvp
