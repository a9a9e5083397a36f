#include "ivp/windows/window_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/machine/simd.hpp"
#include "ivp/windows/compiled_windows.hpp"

namespace daewave::ivp {
namespace {

bool in_lanes(const DaeProblem& problem) {
  const Sizes& n = problem.sizes();
  const Structure& structure = problem.structure();
  return problem.kind() == Kind::multibody &&
         structure.constraints == Structure::Constraints::dense &&
         structure.mass != Structure::Mass::bodies && structure.has_jacobian &&
         structure.has_curvature && n.nq <= most_on_stack && n.nl() >= 1 && n.nl() <= n.nq;
}

}  // namespace

WindowSweeps::~WindowSweeps() = default;

void WindowSweeps::extend(const double* series, int nq, double begin, double ratio,
                          double* a) const {
  constexpr int nodes = WindowFormula::nodes;
  for (int p = 0; p < nodes; ++p) {
    const LegendreAt legendre(begin + ratio * window_formula().c[p]);
    for (int i = 0; i < nq; ++i) {
      double sum = 0;
      for (int k = nodes; k-- > 0;) sum += legendre.value[k] * series[i * nodes + k];
      a[i * nodes + p] = sum;
    }
  }
}

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
      double once = 0, twice = 0;
      for (int j = 0; j < nodes; ++j) {
        once += formula.once[j][p] * a[i * nodes + j];
        twice += formula.twice[j][p] * a[i * nodes + j];
      }
      z_[i] = from.q[i] + formula.c[p] * (h * from.v[i]) + (h * h) * twice;
      z_[nq + i] = from.v[i] + h * once;
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
    if (!(change <= result.change)) result.change = change;
    a[i] = new_[i];
  }
  return result;
}

std::unique_ptr<WindowSweeps> sweeps_in_lanes(const DaeProblem& problem, double rank_tolerance) {
  const Simd simd = best_simd();
  if (!in_lanes(problem) || !supported(simd)) return {};
  const WindowTask task{problem.sizes(), problem.structure().mass == Structure::Mass::diagonal,
                        rank_tolerance};
  Evaluation* const evaluation = problem.evaluation().release();
  return std::unique_ptr<WindowSweeps>(
      best_of([&](auto set) { return compiled_windows(set, evaluation, task); }, simd));
}

}  // namespace daewave::ivp
