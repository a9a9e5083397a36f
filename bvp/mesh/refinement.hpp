#pragma once
// From one mesh to the next, until the error is below a tolerance where the method has looked and
// where it has not.
//
// The residual between the stages tells of one solution alone where its mesh must be how fine
// ([AMR] chapter 9). What such residuals become as errors, the difference to a better solution
// tells: the error is estimated as the residual times that.

#include <limits>
#include <string>
#include <vector>

#include "bvp/mesh/mesh_choice.hpp"
#include "bvp/residual/unresolved.hpp"
#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// What a mesh is for.
enum class MeshRole {
  trial,  ///< The next one is chosen from what is found on it.
  check,  ///< Its solution may be the result, and what is told beside it is wanted.
};

/// What more stages on the same mesh tell of a solution; zeros where that is not known.
struct ByMoreStages {
  double error = 0;      ///< Of x at nodes, in units of the sizes.
  double influence = 0;  ///< Of conditions, as the report has it of the solution.
};

/// Solves one mesh after another.
class MeshSolver {
 public:
  virtual ~MeshSolver();

  /// @param fixed  nodes of the mesh that stay on any other that is taken instead, increasing.
  /// @param from   a solution on another mesh; null: there is none.
  virtual Solution solve(const Mesh& mesh, const std::vector<double>& fixed, const Solution* from,
                         MeshRole role) = 0;

  /// @param most  nodes at most.
  virtual Look look_at(const Solution& solution, LookFor wanted, int most) = 0;

  /// Times in those intervals at which a derivative of the right side jumps, increasing.
  virtual std::vector<double> kinks_of(const Solution&, const std::vector<int>& /*intervals*/) {
    return {};
  }

  virtual ByMoreStages by_more_stages(const Solution&) { return {}; }

  /// By interval, how many times the residual is what it may be, where it has a tolerance of its
  /// own; else empty.
  virtual VecX residual_excess(const Solution&) { return {}; }
  /// Times at which the right side jumps, where the residual is more than that because of it,
  /// increasing. @param most  of them.
  virtual std::vector<double> residual_jumps(const Solution&, int /*most*/) { return {}; }

  /// Whether the constraints are missed by more than `most` of their terms; the report then tells.
  virtual bool misses_constraint(Solution& solution, double most) = 0;

  /// Whether iterates, of a number that was given, leave errors of more than the tolerance; the
  /// report then tells. All ranks call it.
  virtual bool iterates_leave_more(Solution&, double /*tolerance*/) { return false; }

  /// What rounding makes of what is carried, in units of the sizes, where that is not far below the
  /// tolerance; else 0. All ranks call it. @param at  where it does.
  virtual double rounding_of_carried(const Solution&, double& /*at*/) const { return 0; }

  /// Why solutions on a mesh cannot be believed, whatever two of them agree on; else empty.
  virtual std::string danger(const Mesh& mesh) const = 0;

  /// Times that no stage may come close to, told by a solution.
  /// @param part  of their widths, 1 or less.
  virtual std::vector<KeptAway> keeps_away(const Solution&, double /*part*/) { return {}; }

  /// What was spent on a solution, such as "2 iterate(s)".
  virtual std::string spent(const Solution& solution) const = 0;
};

struct RefinementControl {
  double tolerance = 1e-6;  ///< Of x and of what is carried, in units of the sizes.
  SolutionSizes sizes{};
  bool controls_carried = true;
  std::vector<double> fixed_nodes{};  ///< Increasing; of every mesh.
  int max_intervals = 1 << 21;
  /// On more intervals iterates that have not settled are not gone on with.
  int most_unsettled = std::numeric_limits<int>::max();
  /// Before meshes of one size are given up one twice as fine as the best is tried. Not of linear
  /// problems, where meshes in vain are what tells of errors that are amplified without end.
  bool halves_best = false;
  double bytes_per_interval = 0;  ///< About; meshes that memory does not hold are not begun.
  double largest_step = std::numeric_limits<double>::infinity();
  std::string danger_advice{};          ///< Where danger() remains.
  const Communicator* ranks = nullptr;  ///< Who share the meshes; null: nobody.
};

/// Refines the mesh until the tolerance is met, and says in the report how that went. Nodes that
/// are fixed, and those at which the right side was found to jump, are nodes of every mesh from
/// there on.
Solution refine(MeshSolver& solver, const Mesh& first, const RefinementControl& control);

}  // namespace daewave::bvp
