#include "bvp/linear/mode_rates.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <numbers>

#include "core/eigenvalues.hpp"

namespace daewave::bvp {

double fastest_growing_mode(const LinearDae& problem, const ConstraintScan& scan) {
  constexpr int samples = 100;
  const int nx = problem.nx(), ny = problem.ny();
  CoefficientBatch batch(nx, ny, false);
  ConstraintBases bases(nx, ny, scan.reference.units);
  MatX unused(ny, 0);
  double fastest = 0;
  for (int i = 0; i <= samples; ++i) {
    const double t = i == samples
                         ? problem.interval().end
                         : problem.interval().begin + problem.interval().length() * i / samples;
    problem.evaluate(&t, 1, batch);
    const ConstraintPivots pivots = bases.find(batch.B(0), batch.C(0), unused);
    if (relative_pivot(pivots, scan.reference) < 1e-4) continue;
    const MatX P = bases.V() * bases.WV().partialPivLu().solve(bases.W());
    const MatX underlying = (MatX::Identity(nx, nx) - P) * batch.A(0);
    fastest = std::max(fastest, eigenvalues(underlying).real().maxCoeff());
  }
  return fastest;
}

double oscillations(const LinearDae& problem) {
  constexpr int samples = 20;
  CoefficientBatch batch(problem.nx(), problem.ny(), false);
  const Interval& interval = problem.interval();
  double sum = 0;
  for (int i = 0; i < samples; ++i) {
    const double t = interval.begin + interval.length() * (i + 0.5) / samples;
    problem.evaluate(&t, 1, batch);
    sum += eigenvalues(batch.A(0)).imag().cwiseAbs().maxCoeff();
  }
  return sum / samples * interval.length() / (2 * std::numbers::pi);
}

}  // namespace daewave::bvp
