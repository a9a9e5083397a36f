#include "core/start/algebraic_rank.hpp"

#include <Eigen/QR>
#include <algorithm>

namespace daewave {

int rank_of_algebraic(const DaeProblem& problem, const VecX& z, const VecX& near, double t,
                      double tolerance) {
  constexpr int most_iterations = 30;
  constexpr double solved = 1e-12;
  const int nw = problem.sizes().nw;
  if (nw == 0) return 0;
  const auto evaluation = problem.evaluation();
  VecX w = near, r(nw);
  MatX r_w(nw, nw);
  Eigen::ColPivHouseholderQR<MatX> factors(nw, nw);
  factors.setThreshold(tolerance);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Terms& terms =
        evaluation->evaluate(Ask::r | Ask::r_w, {.t = &t, .q = z.data(), .w = w.data()});
    const auto at = [&](const double* of, int k) {
      return of[static_cast<long>(k) * terms.stride];
    };
    for (int i = 0; i < nw; ++i) r[i] = at(terms.r, i);
    for (int k = 0; k < nw * nw; ++k) r_w.data()[k] = at(terms.r_w, k);
    if (!r.allFinite() || !r_w.allFinite()) return 0;
    factors.compute(r_w);
    if (factors.rank() < nw || r.cwiseAbs().maxCoeff() <= solved) break;
    const VecX change = factors.solve(r);
    w -= change;
    if (change.norm() <= solved * (1 + w.norm())) break;
  }
  return static_cast<int>(factors.rank());
}

}  // namespace daewave
