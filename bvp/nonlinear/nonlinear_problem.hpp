#pragma once
// A nonlinear boundary value problem as collocation sees it, and what was chosen for it.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/curve/component_sizes.hpp"
#include "bvp/curve/curve_of_ranks.hpp"
#include "bvp/equations/iterate_system.hpp"
#include "bvp/equations/singular_term.hpp"
#include "bvp/statement/state_bounds.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/regularize/regularization.hpp"
#include "core/report/report.hpp"
#include "core/time/collocation_scheme.hpp"

namespace daewave::bvp {

/// Makes the iterates' equation for an epsilon.
using MakeSystem = std::function<std::unique_ptr<IterateSystem>(double epsilon)>;

struct NonlinearProblem {
  std::string name{};
  DaeProblemPtr equations{};
  Interval interval{};
  bool is_linear = false;  ///< See BoundaryProblem.
  Regularization form{};
  bool carries_By = false;
  int constraints = 0;
  double epsilon = 0;  ///< 0: there are no iterates.
  bool controls_carried = true;
  SolutionSizes sizes{};       ///< In units of which errors are compared with the tolerance.
  bool has_layer = false;      ///< Iterates leave y at the begin as it was: alpha1 = 0.
  bool repairs_layer = false;  ///< Others run back from the end, and do not.
  Collocation scheme{};
  MakeSystem system{};
  /// The same with alpha1 = 1, from which a first iterate can be found; empty where there is none.
  MakeSystem easier{};
  TwoPointConditions* conditions = nullptr;

  /// The same in the time that runs from the end, tau = end - t in [0, length], with constraints
  /// posed at tau = 0; empty where there is no shooting back.
  struct Reversed {
    MakeSystem system{};
    TwoPointConditions* conditions = nullptr;
    std::function<VecX(const VecX&)> turned{};  ///< A state, there and back.
    double carried_sign = 1;
  } reversed{};

  std::shared_ptr<StateBounds> bounds{};                ///< Null: x has none.
  std::shared_ptr<const SingularTerm> singular_term{};  ///< Null: there is none.
  bool poses_regularity = false;                        ///< Of it, besides the conditions given.
  std::function<VecX(double t)> guess{};
  std::shared_ptr<CurveAround> start{};  ///< A solution on any mesh, a better one; null: none.
  /// Where ranks share meshes: see ProblemFamily.
  std::function<void(double begin, double end)> attend{};
  std::vector<double> fixed_nodes{};  ///< Increasing; of every mesh.
  /// The equations at the parameters in a state; empty where they are the same for all.
  std::function<DaeProblemPtr(const VecX& x)> member{};
  DaeProblemPtr equations_of(const CollocationCurve& curve, const MeshShare& share) const {
    return member ? member(share.first_column(curve.values().x)) : equations;
  }
  std::function<VecX(double t)> guess_algebraic{};  ///< At w of index 1; empty: zero.
  std::vector<Choice> choices{};
};

}  // namespace daewave::bvp
