#include "bvp/parasitic_growth.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace daewave::bvp {

double ParasiticGrowth::factor() const { return std::exp(std::min(logarithm, 700.0)); }

ParasiticGrowth parasitic_growth(const LinearDae& problem, const ConstraintScan& scan,
                                 const Mesh& mesh, double damping_numerator, double epsilon) {
  // The transport is smooth in t: sampling it finer than this changes nothing worth its cost.
  constexpr int most_samples = 20000;
  const int stride = (mesh.intervals() + most_samples - 1) / most_samples;
  const int nx = problem.nx(), ny = problem.ny();
  CoefficientBatch batch(nx, ny, false);
  ConstraintBases bases(nx, ny);
  MatX unused(ny, 0);
  MatX V(nx, ny);                         // Basis at the last usable sample,
  MatX carried = MatX::Identity(ny, ny);  // and the transported error in it.
  double logarithm = 0, lowest = 0, lowest_time = mesh.begin(), last_time = mesh.begin();
  double undamped = 0, lowest_undamped = 0;
  bool started = false;
  ParasiticGrowth growth;
  for (int i = 0; i < mesh.intervals(); i += stride) {
    const double h = mesh.step(i), t = mesh.node(i) + 0.5 * h;
    problem.evaluate(&t, 1, batch);
    const ConstraintPivots pivots = bases.find(batch.B(0), batch.C(0), unused);
    if (relative_pivot(pivots, scan.reference) < 1e-4) continue;
    if (started) {
      carried = bases.WV().partialPivLu().solve(MatX(bases.W() * V)) * carried;
      const double size = carried.norm();
      const double step = std::log(std::max(size, 1e-300));
      carried /= std::max(size, 1e-300);
      const double damping = std::min(damping_numerator * epsilon / (h * h), 1 / epsilon);
      undamped += step;
      logarithm += step - damping * (t - last_time);
      if (logarithm - lowest > growth.logarithm) {
        growth.logarithm = logarithm - lowest;
        growth.rate = std::max(growth.rate, (undamped - lowest_undamped) / (t - lowest_time));
      }
      if (logarithm < lowest) {
        lowest = logarithm;
        lowest_undamped = undamped;
        lowest_time = t;
      }
    } else {
      carried /= carried.norm();
      lowest_time = t;
    }
    started = true;
    V = bases.V();
    last_time = t;
  }
  return growth;
}

double epsilon_against_growth(double rate, double h, double damping_numerator) {
  return rate * h * h / damping_numerator;
}

}  // namespace daewave::bvp
