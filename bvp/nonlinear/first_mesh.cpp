#include "bvp/nonlinear/first_mesh.hpp"

#include <algorithm>

#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/mesh/mesh_choice.hpp"
#include "bvp/nonlinear/choose.hpp"

namespace daewave::bvp {
namespace {

/// The mesh that a solution known asks for, where half of its own would leave an interpolation
/// error: each mesh is solved on once more with half of its steps.
Mesh mesh_for(const CurveAround& start, const Collocation& scheme, bool with_carried,
              double tolerance, const SolutionSizes& sizes, const std::vector<double>& fixed) {
  constexpr int few = 5;
  const CollocationCurve& curve = start.curve();
  const Mesh& mesh = mesh_of_all(start.share(), curve.mesh());
  if (mesh.intervals() < 2 * few) return with_nodes(mesh, {}, fixed);
  std::vector<double> nodes;
  for (int i = 0; i < mesh.intervals(); i += 2) nodes.push_back(mesh.node(i));
  nodes.push_back(mesh.end());
  const Mesh half = with_nodes(Mesh(std::move(nodes)), {}, fixed);
  Mesh mine = half;
  const MeshShare share = share_evenly(start.share().ranks, mine);
  const CollocationCurve sampled(mine, scheme, on_mesh(curve, start.share(), mine, share, scheme));
  CurveDifference gap = difference(sampled, share, curve, start.share(), sizes);
  if (!with_carried) gap.of_interval.carried.setZero();
  const Mesh chosen = equidistributed(half, gap.of_interval, scheme.stages, tolerance);
  return resized_with(chosen, std::max(chosen.intervals(), few), fixed);
}

}  // namespace

std::vector<double> fixed_nodes_of(const Options& options, const Interval& interval,
                                   const std::vector<double>& inside) {
  check_fixed_nodes(options, interval, most_intervals(options));
  std::vector<double> fixed = joined(inside, options.fixed_nodes, interval.length());
  if (!options.from) return fixed;
  const Mesh& mesh = options.from->mesh_of_all();
  if (mesh.begin() != interval.begin || mesh.end() != interval.end) return fixed;
  return joined(
      std::move(fixed),
      jumps_among(options.from->fixed_nodes, options.from->values().curve(), options.from->share()),
      interval.length());
}

void take_first_mesh(const NonlinearProblem& problem, Options& options) {
  constexpr int default_intervals = 10;
  const std::vector<double>& fixed = problem.fixed_nodes;
  const bool refined = refines(options);
  if (!problem.start && fixed.empty()) return;
  const int most = most_intervals(options);
  if (options.mesh) {
    options.mesh = with_fixed(*options.mesh, fixed);
  } else if (problem.start && !options.intervals) {
    options.mesh = mesh_for(*problem.start, problem.scheme, problem.controls_carried,
                            wanted_tolerance(options), problem.sizes, fixed);
    if (options.mesh->intervals() > most) options.mesh = no_more_than(most, *options.mesh, fixed);
  } else if (!fixed.empty()) {
    const Interval& interval = problem.interval;
    const int intervals = options.intervals.value_or(std::min(default_intervals, most));
    options.mesh = no_more_than(
        most, with_nodes(uniform_mesh(interval.begin, interval.end, intervals), {}, fixed), fixed);
  }
  if (options.mesh) options.intervals.reset();
  if (refined) options.tolerance = plain_tolerance(options);
}

}  // namespace daewave::bvp
