#pragma once
// One mesh: a first iterate, the iterates after it, and shooting back.

#include <memory>
#include <string>
#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/newton/newton_iterates.hpp"
#include "bvp/nonlinear/nonlinear_problem.hpp"
#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"
#include "core/blocks/babd_matrix.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/report/report.hpp"

namespace daewave::bvp {

/// What came of one mesh.
struct MeshResult {
  CollocationCurve curve{};    ///< Where iterates.newton has converged.
  MeshShare share{};           ///< With whom its mesh is shared.
  IteratesResult iterates{};   ///< The last pass; of a failure, the one that failed.
  LinearSolveReport linear{};  ///< Of that pass.
  double conditioning = 0;     ///< Of its conditions: see CollocationEquations.
  VecX influences{};           ///< Of residuals, where are_uneven().
  bool solved() const { return iterates.newton.converged(); }
};

/// What iterates leave, in units of the sizes.
struct LeftByIterates {
  double x = 0, carried = 0;
  NewtonResult newton{};  ///< Of the iterate that tells; where it failed nothing is known.
};

class MeshSolve {
 public:
  /// Problem and options are kept by reference. @param tolerance  of x and of what is carried.
  /// @param newton  that of Newton's method.
  MeshSolve(const NonlinearProblem& problem, const Options& options, double tolerance,
            double newton);

  /// @param mesh  the whole one, which ranks share.
  /// @param from  a solution on another mesh; null: from the guess of the problem.
  MeshResult solve(const Mesh& mesh, const Solution* from);

  /// The change of x at nodes that one more stage makes of a curve, or half the steps where there
  /// is no such scheme; nx x nodes, empty where that is not known. Of ordinary equations.
  /// @param share         of its mesh.
  /// @param conditioning  becomes what conditions do with these stages, as MeshResult has it; else
  ///                      0.
  MatX change_by_more_stages(const CollocationCurve& curve, const MeshShare& share,
                             double& conditioning);

  /// What iterates leave of an error, as another one tells, which is not returned.
  LeftByIterates left_by_iterates(const CollocationCurve& curve, const MeshShare& share,
                                  const std::vector<IterateReport>& history);

  /// All ranks call it before the equations are asked for in what each has of another mesh.
  void attend(const Mesh& here) const {
    if (options_.ranks != nullptr && problem_.attend) problem_.attend(here.begin(), here.end());
  }

  IterateSystem& system() { return *system_; }
  int nx() const { return system_->nx(); }
  int carried() const { return system_->carried(); }
  int newton_iterations() const { return newton_iterations_; }  ///< On all meshes so far.
  const Seconds& seconds() const { return seconds_; }           ///< Of all meshes, by phase.
  /// How a first iterate was found where the guess did not lead to one; else empty.
  const std::string& warning() const { return warning_; }

 private:
  MeshShare share_mesh(Mesh& mesh) const;
  CollocationValues first_values(const CollocationNewton& newton, const MeshShare& share,
                                 const Solution* from) const;
  IteratesResult iterate(CollocationNewton& newton, const Mesh& mesh, const IterateControl& control,
                         CollocationValues& values);
  IterateControl control_of(const Mesh& mesh, bool layer) const;
  void smooth_begin(const Mesh& mesh, const MeshShare& share, CollocationValues& values) const;
  NewtonResult shoot_back(const Mesh& mesh, const MeshShare& share, CollocationValues& values);
  bool find_first(const Mesh& mesh, const MeshShare& share, CollocationValues& values,
                  NewtonResult& failure);
  bool descend(const MakeSystem& make, double target, const Mesh& mesh, const MeshShare& share,
               CollocationValues& values, NewtonResult& failure);

  const NonlinearProblem& problem_;
  const Options& options_;
  double tolerance_, newton_tolerance_;
  std::unique_ptr<IterateSystem> system_;
  std::unique_ptr<IterateSystem> reversed_;  ///< Null: no shooting back.
  ConditionOrder order_;  ///< Of the conditions along the guess, where ranks share meshes.
  int newton_iterations_ = 0;
  Seconds seconds_;
  std::string warning_;
};

}  // namespace daewave::bvp
