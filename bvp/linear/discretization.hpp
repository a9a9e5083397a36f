#pragma once
// A linear DAE on a mesh: coefficients evaluated, stages eliminated, block matrix in place.

#include <exception>
#include <memory>
#include <vector>

#include "bvp/options/options.hpp"
#include "core/blocks/babd_matrix.hpp"
#include "core/problem/linear_dae.hpp"
#include "core/regularize/regularization.hpp"
#include "core/report/report.hpp"
#include "core/stages/constraint_scan.hpp"
#include "core/stages/stage_system.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// Everything settled before the coefficients are evaluated.
struct Setting {
  Mesh mesh;  ///< Where ranks share it, what is of this one.
  Collocation scheme;
  Regularization regularization;
  SingularHandling singular = SingularHandling::automatic;
  KeepSlopes slopes = KeepSlopes::no;  ///< Yes: x between nodes will be asked for everywhere.
  bool end_values = false;  ///< Then: better than the polynomials through the stages have it.
  std::vector<double> fixed_nodes{};  ///< Of the mesh; not moved.
  MeshShare share{};                  ///< With whom the mesh is shared.
};

class Discretization {
 public:
  /// Intervals in the care of one call of an executor's body.
  static constexpr int chunk = 256;

  /// Evaluates and condenses all intervals; those that are here, where ranks share the mesh.
  /// @throws InvalidProblem for coefficients that are not finite.
  Discretization(const LinearDae& problem, Setting setting, const ConstraintScan& scan,
                 const Executor& executor, const std::function<bool(const Progress&)>& progress);

  /// Empty when the condensation went well, else why not; `termination()` says of which kind. The
  /// same on all ranks.
  const std::string& failure() const { return failure_; }
  Termination termination() const { return termination_; }

  const Setting& setting() const { return setting_; }
  const Mesh& mesh() const { return setting_.mesh; }
  const StageLayout& layout() const { return layout_; }
  const BabdMatrix& matrix() const { return matrix_; }
  const MeshShare& share() const { return setting_.share; }
  int all_intervals() const { return matrix_.all_intervals(); }
  /// Of the whole mesh.
  double begin() const { return share().is_shared() ? share().begin : mesh().begin(); }
  const StageMaps& maps() const { return maps_; }

  /// V of B y = V zeta at stage j of interval i; nx x ny.
  Eigen::Map<const MatX> basis(int i, int j) const {
    return {bases_.data() + stage_index(i, j) * layout_.nx * layout_.ny, layout_.nx, layout_.ny};
  }
  /// t of stage j of interval i; exactly the node where the stage lies on one, so that both
  /// intervals beside it see the same coefficients and none is asked for outside the mesh.
  double stage_time(int i, int j) const {
    const double c = setting_.scheme.c[j];
    return c == 1 ? mesh().node(i + 1) : mesh().node(i) + c * mesh().step(i);
  }
  /// max |C x + r| at node i.
  double drift(int i, const double* x) const;

  /// Right side of the block system for given stage multipliers; null: zero.
  void right_side(const double* zeta_old, VecX& right, const Executor& executor) const;

  const ConstraintReference& reference() const { return reference_; }
  bool keeps_slopes() const { return setting_.slopes == KeepSlopes::yes; }
  const std::vector<SingularPoint>& singular_points() const { return singular_points_; }
  double bytes() const;

 private:
  std::size_t stage_index(int i, int j) const {
    return static_cast<std::size_t>(i) * layout_.stages + j;
  }
  void boundary_rows(const LinearDae& problem);
  void agree_with_ranks(const std::exception_ptr& thrown);
  void move_nodes(const LinearDae& problem, const ConstraintScan& scan);

  Setting setting_;
  StageLayout layout_;
  BabdMatrix matrix_;
  StageMaps maps_;
  AlignedVector bases_;
  AlignedVector node_constraints_;  // C row-major and r, per node.
  VecX boundary_right_;
  MatX first_Lo_;  // epsilon Lo of the multiplier row at the first node, shared stages only.
  ConstraintReference reference_;
  std::vector<SingularPoint> singular_points_;
  std::string failure_;
  Termination termination_ = Termination::not_run;
};

}  // namespace daewave::bvp
