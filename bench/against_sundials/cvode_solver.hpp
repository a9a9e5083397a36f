#pragma once
// CVODE on the ordinary problem that index reduction leaves, z = (q, v), back on the constraints
// after every step by CVodeSetProjFn, which has BDF only; Adams is projected at the end.

#include <cvode/cvode_proj.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "bench/against_sundials/measurement.hpp"
#include "bench/against_sundials/sundials_handles.hpp"
#include "core/problem/constraint_residual.hpp"
#include "ivp/equations/multibody_equations.hpp"

namespace daewave::bench {

enum class CvodeMethod {
  bdf_newton,       ///< Dense Jacobian by differences.
  bdf_fixed_point,  ///< Functional iteration: no Jacobian.
  adams             ///< The same with Adams' formulas.
};

template <Multibody P>
class CvodeSolver {
 public:
  CvodeSolver(const P& problem, CvodeMethod method)
      : problem_(problem),
        method_(method),
        context_(make_context()),
        equations_(problem, 1e-12),
        start_(problem.start()),
        nq_(static_cast<int>(start_.size() / 2)) {}

  Outcome run(double tolerance) {
    tolerance_ = tolerance;
    const int n = 2 * nq_;
    const Owner<N_Vector> z(N_VNew_Serial(n, context_.get()));
    Eigen::Map<VecX> state(N_VGetArrayPointer(z.get()), n);
    state = start_;
    const CvodeMemory cvode(
        CVodeCreate(method_ == CvodeMethod::adams ? CV_ADAMS : CV_BDF, context_.get()));
    const auto [begin, end] = problem_.interval();
    must(CVodeSetErrHandlerFn(cvode.get(), no_messages, nullptr), "CVodeSetErrHandlerFn");
    must(CVodeInit(cvode.get(), slope, begin, z.get()), "CVodeInit");
    must(CVodeSStolerances(cvode.get(), tolerance, tolerance), "CVodeSStolerances");
    must(CVodeSetUserData(cvode.get(), this), "CVodeSetUserData");
    must(CVodeSetMaxNumSteps(cvode.get(), most_steps), "CVodeSetMaxNumSteps");
    must(CVodeSetStopTime(cvode.get(), end), "CVodeSetStopTime");
    Owner<SUNMatrix> matrix;
    Owner<SUNLinearSolver> linear;
    Owner<SUNNonlinearSolver> nonlinear;
    if (method_ == CvodeMethod::bdf_newton) {
      matrix.reset(SUNDenseMatrix(n, n, context_.get()));
      linear.reset(SUNLinSol_Dense(z.get(), matrix.get(), context_.get()));
      must(CVodeSetLinearSolver(cvode.get(), linear.get(), matrix.get()), "CVodeSetLinearSolver");
    } else {
      nonlinear.reset(SUNNonlinSol_FixedPoint(z.get(), 0, context_.get()));
      must(CVodeSetNonlinearSolver(cvode.get(), nonlinear.get()), "CVodeSetNonlinearSolver");
    }
    if (method_ != CvodeMethod::adams) must(CVodeSetProjFn(cvode.get(), project), "CVodeSetProjFn");

    double reached = begin;
    const int flag = CVode(cvode.get(), end, z.get(), &reached, CV_NORMAL);
    Outcome outcome;
    outcome.finished = flag >= 0;
    if (flag >= 0 && method_ == CvodeMethod::adams) {
      outcome.finished = back_to_constraints(end, state, nullptr);
    }
    outcome.state = state;
    long for_jacobians = 0;
    CVodeGetNumRhsEvals(cvode.get(), &outcome.evaluations);
    CVodeGetNumSteps(cvode.get(), &outcome.steps);
    if (method_ == CvodeMethod::bdf_newton) {
      CVodeGetNumLinRhsEvals(cvode.get(), &for_jacobians);
      CVodeGetNumJacEvals(cvode.get(), &outcome.jacobians);
    }
    outcome.evaluations += for_jacobians;
    return outcome;
  }

 private:
  static int slope(double t, N_Vector z, N_Vector out, void* data) {
    auto& self = *static_cast<CvodeSolver*>(data);
    const int nq = self.nq_;
    const Eigen::Map<const VecX> at(N_VGetArrayPointer(z), 2 * nq);
    self.q_ = at.head(nq);
    self.v_ = at.tail(nq);
    if (!self.equations_.evaluate(self.q_, self.v_, t)) return 1;
    self.right_ = -self.equations_.terms().curvature;
    self.equations_.solve(self.right_, self.move_, self.lambda_);
    Eigen::Map<VecX> rate(N_VGetArrayPointer(out), 2 * nq);
    rate.head(nq) = self.v_;
    rate.tail(nq) = self.move_;
    return 0;
  }

  static int project(double t, N_Vector z, N_Vector correction, double, N_Vector error,
                     void* data) {
    auto& self = *static_cast<CvodeSolver*>(data);
    const int n = 2 * self.nq_;
    const Eigen::Map<const VecX> at(N_VGetArrayPointer(z), n);
    self.projected_ = at;
    double* const estimate = error == nullptr ? nullptr : N_VGetArrayPointer(error);
    if (!self.back_to_constraints(t, self.projected_, estimate)) return 1;
    Eigen::Map<VecX>(N_VGetArrayPointer(correction), n) = self.projected_ - at;
    return 0;
  }

  /// Simplified Newton steps with the factorization at z until they are below a tenth of the
  /// tolerance, position first; `estimate` loses its part across the constraints.
  template <class State>
  bool back_to_constraints(double t, State& z, double* estimate) {
    constexpr int most = 8;
    q_ = z.head(nq_);
    v_ = z.tail(nq_);
    if (!equations_.evaluate(q_, v_, t)) return false;
    if (estimate != nullptr) {
      across(estimate);
      across(estimate + nq_);
    }
    bool close = false;
    for (int step = 0; !close; ++step) {
      if (step == most) return false;
      residual_.evaluate(problem_, q_, v_, t);
      close = move_by(residual_.position(), q_);
    }
    residual_.evaluate(problem_, q_, v_, t);
    for (int step = 0; step < most; ++step) {
      if (move_by(residual_.velocity(), v_)) {
        z.head(nq_) = q_;
        z.tail(nq_) = v_;
        return true;
      }
      residual_.evaluate(problem_, q_, v_, t);
    }
    return false;
  }

  /// x -= F h; true where that was little.
  bool move_by(const MultiplierOf<P>& h, typename P::Position& x) {
    equations_.correct(ivp::Metric::mass, h, move_);
    x -= move_;
    double largest = 0;
    for (int i = 0; i < nq_; ++i) {
      largest = std::max(largest, std::abs(move_[i]) / (1 + std::abs(x[i])));
    }
    return largest <= 0.1 * tolerance_;
  }

  void across(double* error) {
    Eigen::Map<VecX> part(error, nq_);
    along_ = part;
    apply(equations_.terms().G, along_, right_);
    equations_.correct(ivp::Metric::mass, right_, move_);
    part -= move_;
  }

  const P& problem_;
  CvodeMethod method_;
  Owner<SUNContext> context_;
  ivp::MultibodyEquations<P> equations_;
  ConstraintResidual<P> residual_;
  VecX start_, projected_;
  int nq_;
  double tolerance_ = 0;
  typename P::Position q_, v_, move_, along_;
  MultiplierOf<P> lambda_, right_;
};

}  // namespace daewave::bench
