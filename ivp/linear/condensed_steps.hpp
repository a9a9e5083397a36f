#pragma once
// A few steps at a time: coefficients evaluated, stages eliminated, ready for any iterate.
//
//   u_right = S u_left + (..),   zeta = h0 + H u_left + Hr u_right + J zeta_old
//
// None of it depends on the iterate, so the m iterates of a step share one elimination.

#include <Eigen/LU>
#include <string>
#include <vector>

#include "core/problem/linear_dae.hpp"
#include "core/report/report.hpp"
#include "core/stages/regularize_stages.hpp"
#include "core/stages/stage_system.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/time/waveform.hpp"
#include "ivp/linear/time_steps.hpp"

namespace daewave::ivp {

class CondensedSteps {
 public:
  /// Steps evaluated by one call of the problem.
  static constexpr int most = 64;

  /// `problem` is kept by reference.
  CondensedSteps(const LinearDae& problem, const Collocation& scheme,
                 const Regularization& regularization, const ConstraintReference& reference);

  const StageLayout& layout() const { return layout_; }

  /// Replaces the steps held by [first, first + count), count <= most; what went wrong is told by
  /// the step it went wrong in. @throws InvalidProblem for coefficients that are not finite.
  void load(const TimeSteps& steps, int first, int count);

  /// Steps held that can be used, numbered from 0.
  int usable() const { return usable_; }
  const std::string& failure() const { return failure_; }
  Termination termination() const { return termination_; }
  const std::vector<SingularPoint>& singular_points() const { return singular_points_; }

  double stage_time(int i, int j) const { return t_[i * layout_.stages + j]; }
  /// V of B y = V zeta at stage j of step i; nx x ny.
  StageBatch::ConstView basis(int i, int j) const { return regularized_.V(i * layout_.stages + j); }
  /// max |C x + r| at the end of step i.
  double drift(int i, const double* x) const;

  /// zeta of the stages of step i from a waveform of B y, by least squares.
  void project(int i, const Waveform& By, double* zeta) const;

  /// One iterate of step i: `right` from `left`, and zeta of the iterate before by its own.
  void advance(int i, const double* left, bool zero_old, double* zeta, double* right);

  /// For shared stages, whose node unknown is (x, zeta): zeta at the begin of the first step, from
  /// L zeta = K x + w + epsilon Lo zeta_old. @param node  x on entry, (x, zeta) on return.
  void start(const double* zeta_old, double* node) const;

  double bytes() const;

 private:
  bool condense(const TimeSteps& steps, int first, int i);

  const LinearDae& problem_;
  Regularization regularization_;
  StageLayout layout_;
  Collocation scheme_;
  CoefficientBatch coefficients_;
  StageBatch regularized_;
  StageRegularizer regularizer_;
  StageElimination elimination_;
  StageMaps maps_;
  std::vector<double> t_, S_, R_;
  std::vector<Eigen::PartialPivLU<MatX>> R_factors_;  // Shared stages only; else R = -I.
  std::vector<MatX> C_;
  std::vector<VecX> r_;
  VecX right_;
  int usable_ = 0;
  std::string failure_;
  Termination termination_ = Termination::not_run;
  std::vector<SingularPoint> singular_points_;
};

}  // namespace daewave::ivp
