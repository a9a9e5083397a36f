#include "ivp/doors/state_multipliers.hpp"

namespace daewave::ivp {

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
