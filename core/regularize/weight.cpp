#include "core/regularize/weight.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace daewave {

const char* name_of(Weight weight) {
  switch (weight) {
    case Weight::inverse:
      return "inverse";
    case Weight::transpose:
      return "transpose";
    case Weight::identity:
      return "identity";
    case Weight::shifted:
      return "shifted";
  }
  return "unknown";
}

const std::vector<Weight>& all_weights() {
  static const std::vector<Weight> weights{Weight::inverse, Weight::transpose, Weight::identity,
                                           Weight::shifted};
  return weights;
}

Weight weight_named(const std::string& name) {
  for (Weight weight : all_weights()) {
    if (name == name_of(weight)) return weight;
  }
  throw InvalidOption(
      fmt::format("weight = \"{}\"; known: inverse, transpose, identity, shifted", name));
}

void check(const Regularization& regularization) {
  const auto positive = [](const char* name, double value) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw InvalidOption(fmt::format("{} = {}: must be > 0 and finite", name, value));
    }
  };
  positive("epsilon", regularization.epsilon);
  positive("alpha2", regularization.alpha2);
  positive("delta", regularization.delta);
  if (!(regularization.alpha1 >= 0) || !std::isfinite(regularization.alpha1)) {
    throw InvalidOption(fmt::format("alpha1 = {}: must be >= 0 and finite", regularization.alpha1));
  }
}

}  // namespace daewave
