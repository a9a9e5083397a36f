#include "bvp/nonlinear/solution_looks.hpp"

#include <limits>
#include <utility>

#include "bvp/nonlinear/largest_residual.hpp"
#include "bvp/residual/kinks.hpp"
#include "bvp/residual/look_in_parts.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {

int samples_of(const Options& options) {
  constexpr int by_default = 1000;
  return options.samples.value_or(by_default);
}

/// What is asked for next lies along it.
const CollocationCurve& SolutionLooks::attended(const Solution& solution) {
  on_mesh_.attend(solution.mesh());
  return solution.values().curve();
}

void SolutionLooks::begin(const char* phase, const Solution& solution) {
  progress_.begin(phase, solution.mesh_of_all().intervals(), solution.mesh().intervals());
}

Residual SolutionLooks::telling(CurveResidual& residual) {
  return [this, &residual](int interval, const Places& at, ResidualValues& found) {
    progress_.at(interval);
    residual(interval, at, found);
  };
}

/// @param extents  of the whole solution. @param end  of the intervals here that are looked at.
CurveResidual& SolutionLooks::residual_of(const Solution& solution,
                                          const std::pair<MatX, MatX>& extents, int end) {
  std::vector<DependentPoint> apart = dependent_;
  if (problem_.singular_term) {
    // S x over a time as short as that is the rounding of x; in the interval there are equations.
    const Mesh& mesh = solution.mesh_of_all();
    const double width = 1e-5 * mesh.step(0);
    apart.insert(apart.begin(), {mesh.begin() - 0.1 * width, 0, width});
  }
  const CollocationCurve& curve = solution.values().curve();
  // Beside dependent constraints y is not what would balance x.
  const bool balances = problem_.repairs_layer && dependent_.empty();
  const CarriedRows carried_rows = !problem_.controls_carried ? CarriedRows::none
                                   : !problem_.has_layer      ? CarriedRows::made
                                   : balances                 ? CarriedRows::missing
                                                              : CarriedRows::none;
  if (residual_) {
    residual_->turn_to(curve, carried_rows, std::move(apart), influences_, extents, end);
  } else {
    residual_.emplace(on_mesh_.system(), curve, carried_rows, std::move(apart), problem_.sizes,
                      influences_, extents, end);
  }
  return *residual_;
}

Look SolutionLooks::at(const Solution& solution, LookFor wanted, int most, double tolerance) {
  const CollocationCurve& curve = attended(solution);
  const MeshShare& share = solution.share();
  const bool everything = wanted == LookFor::everything;
  TurningModes modes(curve.mesh(), curve.scheme(), on_mesh_.nx(), share);
  const auto extents = share.extents(curve.values().x, curve.values().carried);
  // A mesh that is refined anyway is searched for what halving cannot resolve, not for more.
  const int samples = everything ? samples_of(options_) : 1;
  // B y that is not controlled turns fast where constraints become dependent. What it is off
  // between the stages is in the residual of x, but most of it cancels on the way.
  const double allowed = problem_.controls_carried ? 1 : 50;
  begin("looking between the stages", solution);
  Look look = look_in_parts(share, curve.mesh(), most, [&](const MeshPart& part) {
    CurveResidual& residual = residual_of(solution, extents, part.intervals.end);
    if (everything) residual.watch(modes);
    Look here;
    here.tolerance = (everything ? 2 : 1) * allowed * tolerance;
    FirstLooks first_looks;
    if (residual.looks_ahead()) {
      first_looks = [&](std::vector<FirstLook> looks) { residual.expect(std::move(looks)); };
    }
    here.seen =
        unresolved(curve.mesh(), part, curve.scheme(), curve.polynomials(), telling(residual),
                   residual.limits(here.tolerance), samples, most, wanted, first_looks);
    here.is_stiff = residual.is_stiff();
    return here;
  });
  progress_.end();
  if (everything) look.turns = modes.angles();
  return look;
}

ByMoreStages SolutionLooks::by_more_stages(const Solution& solution) {
  const CollocationCurve& curve = solution.values().curve();
  const MeshShare& share = solution.share();
  begin("looking at more stages", solution);
  progress_.at(0);
  progress_.end();
  ByMoreStages told;
  const MatX change = on_mesh_.change_by_more_stages(curve, share, told.influence);
  if (change.size() == 0) return {};
  const auto [most, size] = share.extents(change, curve.values().x);
  // They have an error too.
  constexpr double safety = 2;
  told.error = safety * largest_size(most.col(0).cwiseQuotient(problem_.sizes.x.of(size)));
  return told;
}

VecX SolutionLooks::residual_excess(const Solution& solution) {
  if (!options_.residual_tolerance) return {};
  begin("looking for the largest residual", solution);
  const VecX largest =
      largest_residuals(on_mesh_.system(), attended(solution), solution.share(),
                        problem_.singular_term.get(), [this](int i) { progress_.at(i); });
  progress_.end();
  return largest / *options_.residual_tolerance;
}

std::vector<double> SolutionLooks::residual_jumps(const Solution& solution, int most,
                                                  double tolerance) {
  if (!options_.residual_tolerance) return {};
  const CollocationCurve& curve = attended(solution);
  const MeshShare& share = solution.share();
  const auto extents = share.extents(curve.values().x, curve.values().carried);
  begin("looking for jumps", solution);
  Look look = look_in_parts(share, curve.mesh(), most, [&](const MeshPart& part) {
    CurveResidual& residual = residual_of(solution, extents, part.intervals.end);
    ResidualLimits limits = residual.limits(tolerance);
    limits.integral.setConstant(std::numeric_limits<double>::infinity());
    limits.value.setConstant(std::numeric_limits<double>::infinity());
    limits.value.head(on_mesh_.nx()).setConstant(*options_.residual_tolerance);
    Look here;
    here.seen = unresolved(curve.mesh(), part, curve.scheme(), curve.polynomials(),
                           telling(residual), limits, 1, most, LookFor::jumps);
    return here;
  });
  progress_.end();
  return std::move(look.seen.jumps);
}

std::vector<double> SolutionLooks::kinks(const Solution& solution,
                                         const std::vector<int>& intervals) {
  const CollocationCurve& curve = attended(solution);
  const MeshShare& share = solution.share();
  const auto extents = share.extents(curve.values().x, curve.values().carried);
  const double length = problem_.interval.length();
  begin("looking for kinks", solution);
  std::vector<double> found =
      kinks_in_parts(share, curve.mesh(), intervals, [&](const std::vector<int>& here) {
        CurveResidual& residual = residual_of(solution, extents, curve.mesh().intervals());
        return bvp::kinks(curve.mesh(), length, curve.polynomials(), telling(residual), here);
      });
  progress_.end();
  return found;
}

}  // namespace daewave::bvp
