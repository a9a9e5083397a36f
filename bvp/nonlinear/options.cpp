#include "bvp/nonlinear/options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/blocks/linear_solver.hpp"
#include "core/error.hpp"

namespace daewave::bvp {

void check(const NonlinearOptions& options) {
  const auto require = [](bool good, const char* name, double value, const char* rule) {
    if (!good) throw InvalidOption(fmt::format("{} = {:g}: must be {}", name, value, rule));
  };
  if (options.tolerance) {
    require(*options.tolerance >= 1e-13 && *options.tolerance < 1, "tolerance", *options.tolerance,
            "within [1e-13, 1)");
  }
  for (const auto& [name, value] :
       {std::pair{"intervals", options.intervals}, std::pair{"iterates", options.iterates}}) {
    if (value) require(*value >= 1, name, *value, ">= 1");
  }
  require(options.newton_iterations >= 1, "newton_iterations", options.newton_iterations, ">= 1");
  require(options.max_intervals >= 1, "max_intervals", options.max_intervals, ">= 1");
  if (options.mesh && options.intervals) {
    throw InvalidOption("mesh and intervals are both given: give one of them");
  }
  if (options.stages) collocation(options.scheme.value_or(Scheme::gauss), *options.stages);
  const auto positive = [&](const char* name, const std::optional<double>& value) {
    if (value) require(*value > 0 && std::isfinite(*value), name, *value, "> 0 and finite");
  };
  positive("epsilon", options.epsilon);
  positive("alpha2", options.alpha2);
  if (options.alpha1) {
    require(*options.alpha1 >= 0 && std::isfinite(*options.alpha1), "alpha1", *options.alpha1,
            ">= 0 and finite");
  }
  check_linear_solver_name(options.linear_solver);
}

}  // namespace daewave::bvp
