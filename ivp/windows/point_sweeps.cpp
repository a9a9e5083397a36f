#include "ivp/windows/point_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/not_finite.hpp"

namespace daewave::ivp {

Sweep PointSweeps::sweep(const WindowBegin& from, const double* weight, double* a) {
  constexpr int nodes = WindowFormula::nodes;
  const WindowFormula& formula = window_formula();
  const int nq = from.nq;
  const double h = from.h;
  z_.resize(2 * nq);
  slope_.resize(2 * nq);
  new_.resize(nodes * nq);
  PivotWatch& pivots = system_.pivots();
  Sweep result{.pivot = std::numeric_limits<double>::infinity()};
  for (int p = 0; p < nodes; ++p) {
    for (int i = 0; i < nq; ++i) {
      // As lanes sum.
      double once[2]{}, twice[2]{};
      for (int j = 0; j < nodes; ++j) {
        once[j % 2] += formula.once[j][p] * a[i * nodes + j];
        twice[j % 2] += formula.twice[j][p] * a[i * nodes + j];
      }
      z_[i] = from.q[i] + formula.c[p] * (h * from.v[i]) + (h * h) * (twice[0] + twice[1]);
      z_[nq + i] = from.v[i] + h * (once[0] + once[1]);
    }
    if (!system_.rhs(from.t + formula.c[p] * h, z_, slope_)) {
      result.evaluated = false;
      return result;
    }
    result.pivot = std::min(result.pivot, pivots.last());
    for (int i = 0; i < nq; ++i) new_[i * nodes + p] = slope_[nq + i];
  }
  for (int i = 0; i < nodes * nq; ++i) {
    const double change = std::abs(weight[i / nodes] * (new_[i] - a[i]));
    result.change = larger(result.change, change);
    a[i] = new_[i];
  }
  return result;
}

}  // namespace daewave::ivp
