#pragma once
// Looks at solutions of nonlinear problems where the method did not: at residuals between the
// stages, jumps and kinks among them.

#include <optional>
#include <utility>
#include <vector>

#include "bvp/mesh/refinement.hpp"
#include "bvp/nonlinear/curve_residual.hpp"
#include "bvp/nonlinear/dependent_points.hpp"
#include "bvp/nonlinear/mesh_solve.hpp"
#include "bvp/options/paced_progress.hpp"

namespace daewave::bvp {

/// Points of the interval at which a solution is looked at, at the least.
int samples_of(const Options& options);

class SolutionLooks {
 public:
  /// All are kept by reference.
  SolutionLooks(const NonlinearProblem& problem, const Options& options, MeshSolve& on_mesh)
      : problem_(problem),
        options_(options),
        on_mesh_(on_mesh),
        progress_(options.progress, options.ranks) {}

  /// Points at which constraints of the solutions looked at next become dependent.
  void keep_away_from(std::vector<DependentPoint> dependent) { dependent_ = std::move(dependent); }
  /// How residuals on the last mesh that was solved influence x (bvp/residual/influences.hpp).
  void weigh_by(VecX influences) { influences_ = std::move(influences); }

  // As MeshSolver has them.

  Look at(const Solution& solution, LookFor wanted, int most, double tolerance);
  ByMoreStages by_more_stages(const Solution& solution);
  VecX residual_excess(const Solution& solution);
  std::vector<double> residual_jumps(const Solution& solution, int most, double tolerance);
  std::vector<double> kinks(const Solution& solution, const std::vector<int>& intervals);

 private:
  const CollocationCurve& attended(const Solution& solution);
  /// All that is done with a residual of a solution tells its progress.
  void begin(const char* phase, const Solution& solution);
  Residual telling(CurveResidual& residual);
  CurveResidual& residual_of(const Solution& solution, const std::pair<MatX, MatX>& extents,
                             int end);

  const NonlinearProblem& problem_;
  const Options& options_;
  MeshSolve& on_mesh_;
  PacedProgress progress_;
  std::vector<DependentPoint> dependent_;
  VecX influences_;
  std::optional<CurveResidual> residual_;  ///< Of the curve looked at last.
};

}  // namespace daewave::bvp
