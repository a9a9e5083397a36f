#include "core/stages/singular_limit.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <vector>

#include "core/stages/regularize_linear.hpp"

namespace daewave {

namespace {

/// Points and weights of the limit at t with distance d.
struct LimitFormula {
  std::vector<double> points, weights;
};

LimitFormula formula_at(const Interval& interval, double t, double d) {
  LimitFormula formula;
  if (t - 3 * d >= interval.begin && t + 3 * d <= interval.end) {
    const double weights[] = {15.0 / 20, -6.0 / 20, 1.0 / 20};
    for (int k = 1; k <= 3; ++k) {
      for (double side : {-d, d}) {
        formula.points.push_back(t + k * side);
        formula.weights.push_back(weights[k - 1]);
      }
    }
    return formula;
  }
  const double inward = t - 3 * d < interval.begin ? d : -d;
  const double weights[] = {6, -15, 20, -15, 6, -1};
  for (int k = 1; k <= 6; ++k) {
    formula.points.push_back(t + k * inward);
    formula.weights.push_back(weights[k - 1]);
  }
  return formula;
}

ProjectorLimit limit_with(const LinearDae& problem, double t, double d) {
  const int nx = problem.nx(), ny = problem.ny();
  const LimitFormula formula = formula_at(problem.interval(), t, d);
  const int count = static_cast<int>(formula.points.size());
  CoefficientBatch batch(nx, ny, false);
  problem.evaluate(formula.points.data(), count, batch);
  ConstraintBases bases(nx, ny);
  ProjectorLimit limit{MatX::Zero(nx, nx), VecX::Zero(nx), false, d, 0};
  for (int i = 0; i < count; ++i) {
    MatX r = batch.r(i);
    bases.find(batch.B(i), batch.C(i), r);
    const Eigen::FullPivLU<MatX> lu(bases.WV());
    limit.P += formula.weights[i] * bases.V() * lu.solve(bases.W());
    limit.BEr += formula.weights[i] * (bases.V() * lu.solve(r)).col(0);
  }
  limit.finite = limit.P.allFinite() && limit.BEr.allFinite();
  return limit;
}

}  // namespace

ProjectorLimit projector_limit(const LinearDae& problem, double t) {
  // So much worse than the best so far, what follows does not see what is narrower than d.
  constexpr double lost = 30;
  const double unit = std::min(1.0, problem.interval().length());
  ProjectorLimit best, previous = limit_with(problem, t, 1e-6 * unit);
  for (double d : {5e-6, 2e-5, 1e-4, 5e-4, 2e-3, 4e-3, 8e-3, 1.6e-2}) {
    ProjectorLimit current = limit_with(problem, t, d * unit);
    const double gap = std::max((current.P - previous.P).cwiseAbs().maxCoeff(),
                                (current.BEr - previous.BEr).cwiseAbs().maxCoeff());
    if (current.finite && previous.finite) {
      if (best.finite && gap > lost * best.uncertainty) break;
      if (!best.finite || gap < best.uncertainty) {
        best = previous;
        best.uncertainty = gap;
      }
    }
    previous = std::move(current);
  }
  return best;
}

}  // namespace daewave
