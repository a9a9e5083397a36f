#include "bvp/mesh/next_mesh.hpp"

#include <algorithm>
#include <utility>

#include "bvp/mesh/error_estimate.hpp"
#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/mesh/mesh_memory.hpp"
#include "bvp/mesh/suspected_kinks.hpp"

namespace daewave::bvp {
namespace {

constexpr double other_spread = 1.6, narrower = 0.5;
/// On which kinks are looked for.
constexpr int most_kink_meshes = 20;

}  // namespace

const std::vector<double>& NextMesh::fixed_with(const std::vector<double>& jumps) {
  fixed_ = joined_with_jumps(std::move(fixed_), jumps, length_);
  return fixed_;
}

Mesh NextMesh::arranged(const Mesh& mesh, const Collocation& scheme) const {
  return kept_away(mesh, scheme, away_, fixed_);
}

bool NextMesh::is_arranged(const Mesh& mesh, const Collocation& scheme) const {
  std::vector<KeptAway> away = away_;
  for (KeptAway& from : away) from.least_step *= 0.9 * narrower;
  return kept_away(mesh, scheme, away, fixed_).nodes() == mesh.nodes();
}

Mesh NextMesh::of_size(const Mesh& mesh, int intervals, const Collocation& scheme) const {
  return arranged(resized_with(mesh, intervals, fixed_), scheme);
}

IntervalErrors NextMesh::without_kinks(const Solution& now, IntervalErrors errors) {
  const std::vector<int> suspects = suspected_kinks(errors, control_.tolerance);
  if (suspects.empty()) return errors;
  const std::vector<double> found = solver_.kinks_of(now, suspects);
  smooth_over(now.mesh_of_all(), found, errors);
  fixed_with(found);
  return errors;
}

Mesh NextMesh::another(const Mesh& mesh, const Collocation& scheme) const {
  const Mesh coarser = of_size(mesh, std::max(2, 3 * mesh.intervals() / 4), scheme);
  return is_other(coarser, mesh) ? coarser : mesh.halved();
}

Mesh NextMesh::better(const Solution& now, const IntervalErrors& residuals, IntervalErrors errors,
                      bool slowly) {
  const Mesh& mesh = now.mesh_of_all();
  const double wanted = aim * control_.tolerance, residual = largest(residuals);
  // So much better, at the least, that the difference tells something.
  const double goal = std::min(wanted, 0.5 * largest(errors) / DifferenceEstimate::clear_fall);
  if (!(goal > 0)) return mesh.halved();
  // Nor does a much finer mesh settle iterates where residuals are small.
  const bool enough =
      now.report.termination == Termination::iterates_exhausted && residual <= wanted;
  if (++searched_ <= most_kink_meshes) errors = without_kinks(now, std::move(errors));
  return choose(mesh, errors, now.scheme(), goal, enough || slowly ? 2 : growth_at(residual));
}

Mesh NextMesh::choose(const Mesh& mesh, const IntervalErrors& errors, const Collocation& scheme,
                      double goal, double growth) {
  MeshBounds bounds;
  bounds.most_growth = growth;
  bounds.largest_step = control_.largest_step;
  Mesh chosen = equidistributed(mesh, errors, scheme.stages, goal, bounds);
  // Not the same intervals on every mesh: differences are to tell of them too.
  spread_ = spread_ == 1 ? other_spread : 1;
  const double part = come_closer(mesh, errors, chosen);
  std::vector<KeptAway> away = away_;
  for (KeptAway& from : away) from.least_step *= part * spread_;
  chosen = with_nodes(chosen, {}, fixed_);
  // Beside an end an interval may come out the same whatever its least step.
  const Mesh around = kept_away(chosen, scheme, away, fixed_);
  for (KeptAway& from : away) {
    const double ratio = around.step(around.locate(from.t)) / mesh.step(mesh.locate(from.t));
    if (ratio < other_spread && ratio * other_spread > 1) from.least_step *= narrower;
  }
  chosen = kept_away(chosen, scheme, away, fixed_);
  return is_other(chosen, mesh) ? chosen : mesh.halved();
}

/// Half as wide, where differences tell that intervals around those times are too long.
double NextMesh::come_closer(const Mesh& mesh, const IntervalErrors& errors, const Mesh& chosen) {
  constexpr double half = 0.5, least = 1.0 / 64;
  const bool too_long = std::any_of(away_.begin(), away_.end(), [&](const KeptAway& from) {
    return errors.x[mesh.locate(from.t)] > control_.tolerance &&
           chosen.step(chosen.locate(from.t)) < half * from.least_step;
  });
  if (!too_long || closeness_ <= least) return 1;
  closeness_ *= half;
  return half;
}

bool NextMesh::is_beyond(int intervals) {
  const Communicator* const ranks = control_.ranks;
  beyond_ = ::daewave::bvp::beyond_memory(ranks != nullptr ? intervals / ranks->size() : intervals,
                                          control_.bytes_per_interval);
  if (ranks != nullptr) beyond_ = MeshShare{.ranks = ranks}.first_of(beyond_);
  return intervals > control_.max_intervals || !beyond_.empty();
}

}  // namespace daewave::bvp
