#include "ivp/trains/late_multipliers.hpp"

#include <limits>

#include "ivp/run/thrown.hpp"
#include "ivp/trains/motion_at_point.hpp"

namespace daewave::ivp {

void fill_multipliers_at_once(const DaeProblem& problem, double rank_tolerance,
                              Solution& solution) {
  const Sizes& n = problem.sizes();
  const int count = solution.count(), nz = solution.nz;
  solution.ny = n.nl();
  solution.multipliers.assign(static_cast<std::size_t>(count * n.nl()),
                              std::numeric_limits<double>::quiet_NaN());
  if (count == 0) return;
  std::vector<double> state(static_cast<std::size_t>(count * nz));
  for (int p = 0; p < count; ++p) {
    for (int i = 0; i < nz; ++i) state[i * count + p] = solution.states[p * nz + i];
  }
  const Points at{count,
                  count,
                  solution.t.data(),
                  state.data(),
                  state.data() + static_cast<long>(n.nq) * count,
                  nullptr};
  const auto evaluation = problem.evaluation();
  constexpr Ask what = Ask::f | Ask::M | Ask::G | Ask::curvature;
  const Terms* all = nullptr;
  // A run that what was thrown has ended keeps its states.
  if (thrown_in([&] { all = &evaluation->evaluate(what, at); })) {
    return;
  }
  const Terms& terms = *all;
  MotionAtPoint motion;
  KnownTerms here(n, problem.structure().mass, 1);
  VecX lambda;
  for (int p = 0; p < count; ++p) {
    here.take(what, terms, at, p);
    if (!here.finite() || !motion.factorize(here, rank_tolerance)) continue;
    motion.multiplier(here, lambda);
    for (int i = 0; i < n.nl(); ++i) solution.multipliers[p * n.nl() + i] = lambda[i];
  }
}

}  // namespace daewave::ivp
