#include "ivp/doors/state_multipliers.hpp"

#include <limits>
#include <memory>

#include "ivp/reduced/reduce.hpp"

namespace daewave::ivp {

MultiplierOfState multiplier_of_state(const DaeProblem& problem, const Regularization& form,
                                      const Options& options) {
  if (form.variant != Variant::invariant_reduced || !options.multipliers) return {};
  Reduction how;
  how.rank_tolerance = form.rank_tolerance;
  const std::shared_ptr<ReducedOde> system = reduce(problem, how);
  const int count = problem.multipliers();
  return [system, count](double t, const VecX& z, VecX& y) {
    if (!system->multiplier(t, z, y)) {
      y.setConstant(count, std::numeric_limits<double>::quiet_NaN());
    }
  };
}

Options without_zeta(const MultiplierOfState& multiplier, int nz, const Options& options) {
  Options changed = options;
  changed.multipliers = false;
  if (!options.sink) return changed;
  changed.sink = [&multiplier, &options, nz, z = VecX(), y = VecX()](Output output) mutable {
    z = Eigen::Map<const VecX>(output.state, nz);
    multiplier(output.t, z, y);
    output.multiplier = y.data();
    output.ny = static_cast<int>(y.size());
    output.carries_By = false;
    return options.sink(output);
  };
  return changed;
}

void fill_multipliers(const MultiplierOfState& multiplier, Solution& solution) {
  solution.multipliers.clear();
  VecX y;
  for (int i = 0; i < solution.count(); ++i) {
    multiplier(solution.t[static_cast<std::size_t>(i)], solution.state(i), y);
    solution.ny = static_cast<int>(y.size());
    solution.multipliers.insert(solution.multipliers.end(), y.data(), y.data() + y.size());
  }
}

}  // namespace daewave::ivp
