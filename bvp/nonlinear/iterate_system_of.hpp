#pragma once
// From a regularized DAE, a DAE of index 1 or an ordinary equation to what collocation sees.

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "bvp/nonlinear/boundary_equation.hpp"
#include "bvp/nonlinear/forward_differences.hpp"
#include "bvp/nonlinear/iterate_system.hpp"
#include "core/not_finite.hpp"
#include "core/regularize/regularized_ode.hpp"

namespace daewave::bvp {

namespace detail {

/// Jacobians by differences, of a class that evaluates.
class DifferencedSystem : public IterateSystem {
 public:
  bool jacobian(const VecX& x, double t, const VecX& before, const VecX& slope, const VecX& carried,
                const VecX& weight, MatX& J) override {
    return forward_differences(
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
class RegularizedSystem final : public detail::DifferencedSystem {
 public:
  explicit RegularizedSystem(std::unique_ptr<RegularizedOde> ode) : ode_(std::move(ode)) {}

  int nx() const override { return ode_->size(); }
  int carried() const override { return ode_->carried(); }
  bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope, VecX& carried) override {
    return ode_->evaluate(x, t, before, slope, carried);
  }
  std::string failure() const override { return ode_->failure(); }
  double drift() override {
    double position = 0, velocity = 0;
    ode_->residuals(position, velocity);
    return std::max(position, velocity);
  }

 private:
  std::unique_ptr<RegularizedOde> ode_;
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
      forward_differences(
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

}  // namespace daewave::bvp
