#pragma once
// The mesh that follows another: as fine as errors ask for, with the nodes that any mesh must have,
// and away from times that no stage may come close to.

#include <string>
#include <vector>

#include "bvp/mesh/mesh_choice.hpp"
#include "bvp/mesh/refinement.hpp"

namespace daewave::bvp {

class NextMesh {
 public:
  /// Both are kept by reference. @param first  spans the interval.
  NextMesh(MeshSolver& solver, const RefinementControl& control, const Mesh& first)
      : solver_(solver),
        control_(control),
        fixed_(control.fixed_nodes),
        length_(first.end() - first.begin()) {}

  /// Times that a solution says are to be kept away from.
  void look_at(const Solution& solution) { away_ = solver_.keeps_away(solution, closeness_); }
  bool keeps_away() const { return !away_.empty(); }

  /// Nodes of every mesh from now on.
  const std::vector<double>& fixed() const { return fixed_; }
  const std::vector<double>& fixed_with(const std::vector<double>& jumps);

  /// The mesh with what every one must have.
  Mesh arranged(const Mesh& mesh, const Collocation& scheme) const;
  /// Whether intervals around times that are kept away from are no narrower than choose() makes
  /// them.
  bool is_arranged(const Mesh& mesh, const Collocation& scheme) const;
  /// One like it of about as many intervals; fixed nodes may ask for more.
  Mesh of_size(const Mesh& mesh, int intervals, const Collocation& scheme) const;

  /// The errors without those of kinks, which become nodes: what is beside them is smooth.
  IntervalErrors without_kinks(const Solution& now, IntervalErrors errors);
  /// Another one, which costs less where there is such a one.
  Mesh another(const Mesh& mesh, const Collocation& scheme) const;

  /// Of the tolerance, what errors are to be in every interval of better().
  static constexpr double aim = 0.35;
  /// Residuals of solutions that are like nothing that they should be do not tell where a mesh
  /// should be fine: from one mesh to the next, how many times the intervals.
  static constexpr double like_nothing = 0.02;
  static double growth_at(double residual) {
    return residual > like_nothing ? 2 : residual > 1e-4 ? 4 : 8;
  }
  /// On which errors are what they are to be, as far as residuals tell how. Kinks become nodes.
  /// @param residuals  of `now`. @param errors  that these become.
  /// @param slowly     in twice the intervals at the most: finer meshes have not helped.
  Mesh better(const Solution& now, const IntervalErrors& residuals, IntervalErrors errors,
              bool slowly);
  /// On which errors come to `goal`. @param growth  in intervals, at the most.
  Mesh choose(const Mesh& mesh, const IntervalErrors& errors, const Collocation& scheme,
              double goal, double growth);

  /// More than are allowed, or than memory holds.
  bool is_beyond(int intervals);
  /// Why memory does not hold the one asked about last; else empty.
  const std::string& beyond_memory() const { return beyond_; }

 private:
  double come_closer(const Mesh& mesh, const IntervalErrors& errors, const Mesh& chosen);

  MeshSolver& solver_;
  const RefinementControl& control_;
  std::vector<double> fixed_;
  double length_;  ///< Of the interval.
  std::vector<KeptAway> away_;
  double spread_ = 1;     ///< Of the intervals around them.
  double closeness_ = 1;  ///< Of the widths that the solver tells.
  int searched_ = 0;      ///< Meshes on which kinks were looked for.
  std::string beyond_;
};

}  // namespace daewave::bvp
