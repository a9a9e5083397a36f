#pragma once
// Meshes for a residual that has a tolerance of its own, where errors are small already.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bvp/mesh/next_mesh.hpp"
#include "bvp/mesh/refinement.hpp"

namespace daewave::bvp {

class ResidualMeshes {
 public:
  /// Both are kept by reference.
  ResidualMeshes(MeshSolver& solver, NextMesh& next) : solver_(solver), next_(next) {}

  /// Another mesh, or why there is none.
  struct Choice {
    std::optional<Mesh> mesh{};
    std::string gives_up{};
  };

  /// With the jumps across which it is too large as nodes; none where there are no others: there
  /// it is as large on every mesh, however small its part of the error. @param most  of them.
  std::optional<Mesh> with_jumps(const Solution& now, int most);

  /// @param of_intervals  residuals in units of their tolerance, some above 1.
  /// @param errors        of the solution. @param growth  of the mesh, in intervals, at the most.
  Choice choose(const Solution& now, const VecX& of_intervals, const IntervalErrors& errors,
                double growth);

 private:
  Mesh with_thirds(const Solution& now, const VecX& of_intervals) const;

  MeshSolver& solver_;
  NextMesh& next_;
  double before_ = std::numeric_limits<double>::infinity();  ///< The least there was.
  int in_vain_ = 0;
};

}  // namespace daewave::bvp
