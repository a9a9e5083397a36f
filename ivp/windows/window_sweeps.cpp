#include "ivp/windows/window_sweeps.hpp"

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

std::string WindowSweeps::failure() const { return {}; }

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
