#pragma once
// From a regularized DAE, or an ordinary differential equation, to what collocation sees.

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "bvp/nonlinear/iterate_system.hpp"
#include "core/constraint_residual.hpp"
#include "core/not_finite.hpp"
#include "core/regularized_ode.hpp"

namespace daewave::bvp {

/// An ordinary differential equation as a problem: x' = f(x, t).
template <class P>
concept OrdinaryEquation =
    !Dae<P> && requires(const P& problem, const typename P::State& x, double t) {
  { problem.f(x, t) } -> std::convertible_to<typename P::State>;
};

/// A DAE of index 1: x' = f(x, w, t), 0 = r(x, w, t) with dr/dw regular, as COLDAE takes them.
template <class P>
concept ImplicitEquation = !Dae<P> && requires(const P& problem, const typename P::State& x,
                                               const typename P::Algebraic& w, double t) {
  { problem.f(x, w, t) } -> std::convertible_to<typename P::State>;
  { problem.r(x, w, t) } -> std::convertible_to<typename P::Algebraic>;
};

namespace detail {

template <class P>
struct BoundaryStateTrait {
  using type = StateOf<P>;
};
template <class P>
requires(OrdinaryEquation<P> || ImplicitEquation<P>) struct BoundaryStateTrait<P> {
  using type = typename P::State;
};

}  // namespace detail

/// x, or (q, v): what conditions are posed on.
template <class P>
using BoundaryState = typename detail::BoundaryStateTrait<P>::type;

namespace detail {

/// Columns of d function / d x by forward differences, where function(x) = at.
template <class Function>
bool differences(Function function, VecX x, const VecX& at, const VecX& weight, MatX& J) {
  const double part = std::sqrt(std::numeric_limits<double>::epsilon());
  VecX moved(at.size());
  for (int i = 0; i < x.size(); ++i) {
    const double kept = x[i];
    x[i] += part * std::max(std::abs(kept), weight[i]);
    const double taken = x[i] - kept;
    if (!function(x, moved)) return false;
    J.col(i) = (moved - at) / taken;
    x[i] = kept;
  }
  return true;
}

/// Jacobians by differences, of a class that evaluates.
class DifferencedSystem : public IterateSystem {
 public:
  bool jacobian(const VecX& x, double t, const VecX& before, const VecX& slope, const VecX& carried,
                const VecX& weight, MatX& J) override {
    return differences(
        [&](const VecX& moved, VecX& F) {
          carried_ = carried;
          return evaluate(moved, t, before, F, carried_);
        },
        x, slope, weight, J);
  }

 private:
  VecX carried_;
};

}  // namespace detail

/// One iterate of a sequential regularization.
template <RegularizedOde R>
class IterateSystemOf final : public detail::DifferencedSystem {
 public:
  /// @param x  any state of the problem, for sizes. @param carried  entries.
  IterateSystemOf(R ode, int nx, int carried)
      : ode_(std::move(ode)), nx_(nx), size_of_carried_(carried) {}

  int nx() const override { return nx_; }
  int carried() const override { return size_of_carried_; }
  bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope, VecX& carried) override {
    x_ = x;
    before_ = before;
    if (!ode_.evaluate(x_, t, before_, slope_, carried_)) return false;
    slope = slope_;
    carried = carried_;
    return true;
  }
  std::string failure() const override { return ode_.failure(); }
  double drift() override {
    double position = 0, velocity = 0;
    ode_.residuals(position, velocity);
    return std::max(position, velocity);
  }

 private:
  R ode_;
  int nx_, size_of_carried_;
  typename R::State x_, slope_;
  typename R::Carried before_, carried_;
};

/// An ordinary differential equation.
template <OrdinaryEquation P>
class OrdinarySystemOf final : public detail::DifferencedSystem {
 public:
  /// The problem is kept by reference.
  OrdinarySystemOf(const P& problem, int nx) : problem_(problem), nx_(nx) {}

  int nx() const override { return nx_; }
  int carried() const override { return 0; }
  bool evaluate(const VecX& x, double t, const VecX&, VecX& slope, VecX&) override {
    x_ = x;
    const typename P::State f = problem_.f(x_, t);
    slope = f;
    return all_finite("f", slope, t, failure_);
  }
  std::string failure() const override { return failure_; }

 private:
  const P& problem_;
  int nx_;
  typename P::State x_;
  std::string failure_;
};

/// A DAE of index 1: w is solved for at each point, by Newton's method from the w found there last.
template <ImplicitEquation P>
class ImplicitSystemOf final : public detail::DifferencedSystem {
 public:
  using State = typename P::State;
  using Algebraic = typename P::Algebraic;

  /// The problem is kept by reference. @param nw  entries of w.
  ImplicitSystemOf(const P& problem, int nx, int nw) : problem_(problem), nx_(nx), nw_(nw) {}

  int nx() const override { return nx_; }
  int carried() const override { return nw_; }
  bool evaluate(const VecX& x, double t, const VecX&, VecX& slope, VecX& w) override {
    x_ = x;
    if (!solve(t, w)) return false;
    const Algebraic found = w;
    slope = VecX(State(problem_.f(x_, found, t)));
    return all_finite("f", slope, t, failure_);
  }
  std::string failure() const override { return failure_; }

 private:
  bool solve(double t, VecX& w) {
    constexpr int most = 30;
    double before = INFINITY;
    MatX J(nw_, nw_);
    for (int i = 0; i < most; ++i) {
      const VecX r = residual(w, t);
      if (!r.allFinite()) return refuse("r is not finite", t);
      const VecX weight = VecX::Ones(nw_);
      detail::differences(
          [&](const VecX& moved, VecX& out) {
            out = residual(moved, t);
            return true;
          },
          w, r, weight, J);
      const VecX step = J.partialPivLu().solve(r);
      if (!step.allFinite()) return refuse("dr/dw is singular", t);
      w -= step;
      const double size = step.cwiseAbs().maxCoeff() / (1 + w.cwiseAbs().maxCoeff());
      if (size <= 1e-14 || (size <= 1e-10 && size >= 0.5 * before)) return true;
      before = size;
    }
    return refuse("Newton's method finds no w with r(x, w, t) = 0", t);
  }
  VecX residual(const VecX& w, double t) {
    const Algebraic at = w;
    return VecX(Algebraic(problem_.r(x_, at, t)));
  }
  bool refuse(const char* why, double t) {
    failure_ = failed_at_text(why, t);
    return false;
  }

  const P& problem_;
  int nx_, nw_;
  State x_;
  std::string failure_;
};

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
    detail::differences([&](const VecX& x, VecX& out) { return of(x, right, out); }, left, at,
                        weight, B0);
    detail::differences([&](const VecX& x, VecX& out) { return of(left, x, out); }, right, at,
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
