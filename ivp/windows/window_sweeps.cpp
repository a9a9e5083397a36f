#include "ivp/windows/window_sweeps.hpp"

#include "core/machine/simd.hpp"
#include "ivp/windows/compiled_windows.hpp"

namespace daewave::ivp {
namespace {

/// Memory of a body is 3 kB; where there are more, batches of 8 points do not stay near the
/// processor.
constexpr int most_bodies = 100'000;

bool is_chain(const DaeProblem& problem) {
  return problem.structure().constraints == Structure::Constraints::chain;
}

bool in_lanes(const DaeProblem& problem) {
  const Sizes& n = problem.sizes();
  const Structure& structure = problem.structure();
  if (problem.kind() != Kind::multibody || !structure.has_jacobian || !structure.has_curvature) {
    return false;
  }
  if (is_chain(problem)) {
    return structure.mass == Structure::Mass::diagonal && n.nk == 0 && n.nq <= 3 * most_bodies;
  }
  return structure.constraints == Structure::Constraints::dense &&
         structure.mass != Structure::Mass::bodies && n.nq <= most_on_stack && n.nl() >= 1 &&
         n.nl() <= n.nq;
}

}  // namespace

WindowSweeps::~WindowSweeps() = default;

bool WindowSweeps::look(WindowCheck&, WindowPoint&, WindowPoint&) { return false; }
void WindowSweeps::bring_back(double*) {}

std::string WindowSweeps::failure() const { return {}; }

void WindowSweeps::extend(const double* series, const double* next, int nq, double begin,
                          double ratio, double* a) const {
  constexpr int nodes = WindowFormula::nodes;
  for (int p = 0; p < nodes; ++p) {
    const double theta = begin + ratio * window_formula().c[p];
    const LegendreAt legendre(theta);
    const WindowFormula::Row& P = legendre.value;
    for (int i = 0; i < nq; ++i) {
      double sum = legendre.next * next[i];
      for (int k = nodes; k-- > 0;) sum += P[k] * series[i * nodes + k];
      a[i * nodes + p] = sum;
    }
  }
}

void WindowSweeps::expand(const double* a, int nq, double* series) const {
  constexpr int nodes = WindowFormula::nodes;
  const WindowFormula& formula = window_formula();
  for (int i = 0; i < nq * nodes; i += nodes) {
    for (int k = 0; k < nodes; ++k) {
      double sum = formula.coefficient[0][k] * a[i];
      for (int j = 1; j < nodes; ++j) sum += formula.coefficient[j][k] * a[i + j];
      series[i + k] = sum;
    }
  }
}

bool has_sweeps_in_lanes(const DaeProblem& problem) {
  return in_lanes(problem) && supported(best_simd());
}

std::unique_ptr<WindowSweeps> sweeps_in_lanes(const DaeProblem& problem, double rank_tolerance,
                                              double least_pivot) {
  const Simd simd = best_simd();
  if (!has_sweeps_in_lanes(problem)) return {};
  const WindowTask task{problem.sizes(),
                        problem.structure().mass == Structure::Mass::diagonal,
                        problem.structure().mass_constant,
                        is_chain(problem),
                        rank_tolerance,
                        least_pivot,
                        problem.lanes() > 1};
  Evaluation* const evaluation = problem.evaluation().release();
  return std::unique_ptr<WindowSweeps>(
      best_of([&](auto set) { return compiled_windows(set, evaluation, task); }, simd));
}

}  // namespace daewave::ivp
