#pragma once
// Modes that turn faster than a mesh follows. Where e' = J e oscillates, symmetric schemes keep its
// size with any step, but not its phase: what conditions at one end leave of such a mode at the
// other is then that of another problem. A solution that has none of it shows no residual.

#include "core/eigen_memory.hpp"

#include <Eigen/Eigenvalues>
#include <optional>

#include "core/ranks/mesh_share.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/time/mesh.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

class TurningModes {
 public:
  /// @param scheme  of the mesh. @param nx  of the Jacobians.
  /// @param share   with whom the mesh is shared: intervals are those that are here.
  TurningModes(const Mesh& mesh, const Collocation& scheme, int nx, const MeshShare& share = {});

  /// Whether see() is wanted of that interval: of many states not of all of them.
  bool wants(int interval) const { return (first_ + interval) % stride_ == 0; }

  /// @param J      nx x nx, of that interval. @param sizes  of components.
  void see(int interval, const MatX& J, const VecX& sizes);

  /// Angles by which the fastest modes turn in each interval, of those that are not damped away
  /// within it; radians. Of the whole mesh: all ranks call it.
  VecX angles() const;

 private:
  double fastest(const MatX& J, double h, const VecX& sizes);

  const Mesh& mesh_;
  MeshShare share_;
  int first_, stride_ = 1;
  double negligible_ = 0;  ///< Angles that the scheme follows whatever conditions make of them.
  VecX rates_;             ///< Radians per time; negative where nothing was seen.
  MatX scaled_;
  std::optional<Eigen::EigenSolver<MatX>> eigenvalues_;  ///< Where it is needed: it has memory.
};

/// How far, in all intervals together, the scheme is off exp(i angle).
double missed_by(const Collocation& scheme, const VecX& angles);

/// The mesh with intervals split so that it is off by `most` at most, or no more than that many
/// intervals would do.
Mesh following(const Mesh& mesh, const Collocation& scheme, const VecX& angles, double most,
               int most_intervals);

}  // namespace daewave::bvp
