#include "bvp/mesh/open_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/residual/turning_modes.hpp"

namespace daewave::bvp {
namespace {

/// Influence of conditions up to which they determine a solution beyond doubt; what is the same on
/// two meshes.
constexpr double well_determined = 20, same_influence = 4;
/// Of an influence times what a mesh misses of the turns of modes: at a resonance, where the one is
/// the inverse of the other on any mesh, it is about one.
constexpr double certain = 0.1;
/// Relative influence that leaves a solution open whatever another mesh tells: derivatives by
/// differences let no more of it be seen.
constexpr double hardly_determined = 1e7;
/// Of meshes that follow modes which a solution has nothing of.
constexpr int most_followed = 20000;

double influence(const Solution& solution) {
  const ConditioningReport& conditioning = solution.report.conditioning;
  return solution.has_values() && conditioning.available ? conditioning.boundary : 0;
}

/// In units of the solution, not in those in which conditions were written. These are told with
/// what the right side does, and on one machine with modes.
bool is_relative(const ConditioningReport& conditioning) {
  return conditioning.modes() == 0 && conditioning.forcing == 0;
}
bool is_relative(const Solution& solution) { return is_relative(solution.report.conditioning); }

bool are_within(double factor, double influence, double other) {
  return influence < factor * other && other < factor * influence;
}

bool is_alike(double influence, double other) {
  return are_within(same_influence, influence, other);
}

}  // namespace

OpenConditions::Found OpenConditions::follow(Solution& now, const VecX& turns,
                                             Solution& fine) const {
  constexpr double part = 0.1;
  constexpr int most_tries = 8;
  constexpr double turning = 1;
  const double here = influence(now);
  const Mesh& mesh = now.mesh_of_all();
  if (here == 0 && turns.sum() > turning) {
    // A first mesh, of which nothing but its solution was wanted yet.
    fine = solve_(mesh, now);
    if (fine.report.termination == Termination::stopped) return Found::stopped;
    return influence(fine) > 0 ? Found::otherwise : Found::as_here;
  }
  const bool relative = is_relative(now);
  const auto allowed = [&](double influence) {
    return certain / (relative ? std::max(well_determined, influence) : well_determined);
  };
  if (missed_by(now.scheme(), turns) <= allowed(here)) return Found::as_here;
  double there = here;
  for (int tries = 0; tries < most_tries; ++tries) {
    if (relative && there > hardly_determined) break;
    const double most = part * allowed(there);
    const Mesh finer = arranged_(
        following(mesh, now.scheme(), turns, most, std::min(max_intervals_, most_followed)));
    if (!is_other(finer, mesh)) {
      if (tries > 0) break;
      now.report.warnings.push_back(fmt::format(
          "modes turn by {:.2g} rad in all, which {} intervals do not follow: whether the "
          "conditions determine the solution was not looked at",
          turns.sum(), mesh.intervals()));
      return Found::as_here;
    }
    Solution found = solve_(finer, now);
    const bool stopped = found.report.termination == Termination::stopped;
    if (stopped || !found.has_values()) {
      if (stopped || !fine.has_values()) fine = Solution(nullptr, std::move(found.report));
      return stopped ? Found::stopped : Found::leave_open;
    }
    fine = std::move(found);
    there = influence(fine);
    const bool is_known = !relative || most * there <= certain;
    if (!is_known) continue;
    const bool alike = (relative && there <= well_determined) || is_alike(here, there);
    return alike ? Found::as_here : Found::otherwise;
  }
  return Found::leave_open;
}

bool OpenConditions::determine(const Solution& now, const Solution& before,
                               const std::function<double()>& otherwise,
                               const std::function<Mesh()>& another) const {
  const double here = influence(now);
  if (here > hardly_determined && is_relative(now)) return false;
  if (!(here > well_determined)) return true;
  // A coarse mesh may have had something else.
  if (is_alike(here, influence(before))) return true;
  const double there = otherwise();
  if (there > 0) return is_alike(here, there);
  return influence(before) == 0 && is_alike(here, influence(solve_(another(), now)));
}

bool OpenConditions::differ(const Report& last, const Report& next) {
  const ConditioningReport &one = last.conditioning, &other = next.conditioning;
  if (!one.available || !other.available || !is_relative(one) || !is_relative(other)) return false;
  // Of meshes that resolve the solution an influence is the same to far better than that; by chance
  // a determinant that is nothing but error is alike on two of them.
  constexpr double same_of_resolved = 1.5;
  const bool is_alike_here = other.boundary > hardly_determined
                                 ? are_within(same_of_resolved, one.boundary, other.boundary)
                                 : is_alike(one.boundary, other.boundary);
  return other.boundary > well_determined && !is_alike_here;
}

Solution OpenConditions::not_determined(Solution last) {
  last.report.termination = Termination::singular_matrix;
  last.report.message = fmt::format(
      "conditions leave the solution open, or nearly: a change of one moves it by {:.0e} times as "
      "much on {} intervals, and by other numbers on every mesh",
      last.report.conditioning.boundary, last.mesh_of_all().intervals());
  last.report.advice =
      "conditions that tell one solution from others: what grows with t needs them at the end of "
      "the interval, what decays at its begin";
  return last;
}

}  // namespace daewave::bvp
