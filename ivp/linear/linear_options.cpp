#include "ivp/linear/linear_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/regularize/regularization.hpp"

namespace daewave::ivp {

void check(const LinearOptions& options) {
  if (options.steps && options.mesh) {
    throw InvalidOption("steps and mesh: give one of them, as each says where the steps are");
  }
  if (!options.steps && !options.mesh) {
    throw InvalidOption("steps: give a number of steps, or a mesh, as the error is not estimated");
  }
  const auto positive = [](const char* name, const std::optional<int>& value) {
    if (value && *value < 1)
      throw InvalidOption(fmt::format("{} = {}: must be >= 1", name, *value));
  };
  positive("steps", options.steps);
  positive("iterates", options.iterates);
  if (options.explicit_euler && (options.scheme || options.stages)) {
    throw InvalidOption(
        "explicit_euler and scheme or stages: give one of them, as each is a formula");
  }
  if (options.exact_start && !options.By_0.is_zero()) {
    throw InvalidOption("exact_start and By_0: give one of them, as each is an initial iterate");
  }
  Regularization regularization;
  regularization.epsilon = options.epsilon.value_or(regularization.epsilon);
  regularization.alpha1 = options.alpha1.value_or(regularization.alpha1);
  regularization.alpha2 = options.alpha2.value_or(regularization.alpha2);
  regularization.delta = options.delta;
  check_linear(regularization);
}

}  // namespace daewave::ivp
