#pragma once
// A linear DAE of index 2 as a nonlinear one, for the methods of those:
//
//   x' = (A x + q) - B y,   0 = g(x, t) = C x + r,   G = C,   g_t = C_t x + r_t.

#include <memory>
#include <utility>

#include "core/error.hpp"
#include "core/problem/linear_dae.hpp"
#include "core/problem/terms.hpp"

namespace daewave {

/// Evaluates one point at a time and takes memory for it: for solves where the convenience counts.
class LinearAsSemiExplicit {
 public:
  using State = VecX;
  using Multiplier = VecX;

  /// @throws InvalidProblem without C_t and r_t.
  explicit LinearAsSemiExplicit(std::shared_ptr<const LinearDae> dae) : dae_(std::move(dae)) {
    if (!dae_->has_constraint_derivatives()) {
      throw InvalidProblem(dae_->name() +
                           ": C_t and r_t are not given; add them, or use with_differences");
    }
  }

  VecX f(const VecX& x, double t) const {
    const CoefficientBatch at = evaluate_at(t);
    return at.A(0) * x + at.q(0);
  }
  MatX B(const VecX&, double t) const { return evaluate_at(t).B(0); }
  VecX g(const VecX& x, double t) const {
    const CoefficientBatch at = evaluate_at(t);
    return at.C(0) * x + at.r(0);
  }
  MatX G(const VecX&, double t) const { return evaluate_at(t).C(0); }
  VecX g_t(const VecX& x, double t) const {
    const CoefficientBatch at = evaluate_at(t);
    return at.C_t(0) * x + at.r_t(0);
  }

  void terms(const VecX& x, double t, SemiExplicitTerms<LinearAsSemiExplicit>& terms) const {
    const CoefficientBatch at = evaluate_at(t);
    terms.f = at.A(0) * x + at.q(0);
    terms.B = at.B(0);
    terms.G = at.C(0);
    terms.position = at.C(0) * x + at.r(0);
    terms.g_t = at.C_t(0) * x + at.r_t(0);
  }

 private:
  CoefficientBatch evaluate_at(double t) const {
    CoefficientBatch at(dae_->nx(), dae_->ny(), true);
    dae_->evaluate(&t, 1, at);
    return at;
  }

  std::shared_ptr<const LinearDae> dae_;
};

}  // namespace daewave
