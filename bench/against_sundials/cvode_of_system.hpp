#pragma once
// CVODE's BDF with Newton's method and CVodeSetProjFn on a DAE of index 1 whose algebraic unknowns
// are solved for in every right-hand side; projected as our own steps are.

#include <cvode/cvode_proj.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <functional>

#include "bench/against_sundials/measurement.hpp"
#include "bench/against_sundials/sundials_handles.hpp"
#include "ivp/equations/coordinate_projection.hpp"

namespace daewave::bench {

class CvodeOfSystem {
 public:
  using Slope = std::function<bool(double t, const VecX& z, VecX& slope)>;

  /// @param slope   z' with w solved for. @param system  for its invariants; kept by reference.
  CvodeOfSystem(Slope slope, ivp::DaeSystem& system)
      : slope_(std::move(slope)), projection_(system, {}), context_(make_context()) {}

  Outcome run(const VecX& start, double t_end, double tolerance) {
    const int n = static_cast<int>(start.size());
    const Owner<N_Vector> z(N_VNew_Serial(n, context_.get()));
    Eigen::Map<VecX> state(N_VGetArrayPointer(z.get()), n);
    state = at_ = rate_ = projected_ = start;
    const CvodeMemory cvode(CVodeCreate(CV_BDF, context_.get()));
    must(CVodeSetErrHandlerFn(cvode.get(), no_messages, nullptr), "CVodeSetErrHandlerFn");
    must(CVodeInit(cvode.get(), evaluate, 0, z.get()), "CVodeInit");
    must(CVodeSStolerances(cvode.get(), tolerance, tolerance), "CVodeSStolerances");
    must(CVodeSetUserData(cvode.get(), this), "CVodeSetUserData");
    must(CVodeSetMaxNumSteps(cvode.get(), most_steps), "CVodeSetMaxNumSteps");
    must(CVodeSetStopTime(cvode.get(), t_end), "CVodeSetStopTime");
    const Owner<SUNMatrix> matrix(SUNDenseMatrix(n, n, context_.get()));
    const Owner<SUNLinearSolver> linear(SUNLinSol_Dense(z.get(), matrix.get(), context_.get()));
    must(CVodeSetLinearSolver(cvode.get(), linear.get(), matrix.get()), "CVodeSetLinearSolver");
    must(CVodeSetProjFn(cvode.get(), project), "CVodeSetProjFn");
    double reached = 0;
    Outcome outcome;
    outcome.finished = CVode(cvode.get(), t_end, z.get(), &reached, CV_NORMAL) >= 0;
    outcome.state = state;
    long for_jacobians = 0;
    CVodeGetNumRhsEvals(cvode.get(), &outcome.evaluations);
    CVodeGetNumSteps(cvode.get(), &outcome.steps);
    CVodeGetNumLinRhsEvals(cvode.get(), &for_jacobians);
    CVodeGetNumJacEvals(cvode.get(), &outcome.jacobians);
    outcome.evaluations += for_jacobians;
    return outcome;
  }

 private:
  static int evaluate(double t, N_Vector z, N_Vector out, void* data) {
    auto& self = *static_cast<CvodeOfSystem*>(data);
    const auto n = self.at_.size();
    self.at_ = Eigen::Map<const VecX>(N_VGetArrayPointer(z), n);
    if (!self.slope_(t, self.at_, self.rate_)) return 1;
    Eigen::Map<VecX>(N_VGetArrayPointer(out), n) = self.rate_;
    return 0;
  }

  static int project(double t, N_Vector z, N_Vector correction, double, N_Vector error,
                     void* data) {
    auto& self = *static_cast<CvodeOfSystem*>(data);
    const auto n = self.at_.size();
    const Eigen::Map<const VecX> at(N_VGetArrayPointer(z), n);
    self.projected_ = at;
    if (!self.projection_.project(t, self.projected_, self.weight_)) return 1;
    Eigen::Map<VecX>(N_VGetArrayPointer(correction), n) = self.projected_ - at;
    if (error != nullptr) {
      Eigen::Map<VecX> estimate(N_VGetArrayPointer(error), n);
      self.rate_ = estimate;
      self.projection_.keep_tangential(self.rate_, self.weight_);
      estimate = self.rate_;
    }
    return 0;
  }

  Slope slope_;
  ivp::CoordinateProjection projection_;
  Owner<SUNContext> context_;
  VecX at_, rate_, projected_, weight_;
};

}  // namespace daewave::bench
