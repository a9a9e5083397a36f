#include "core/regularize/weight.hpp"

#include <fmt/format.h>

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

}  // namespace daewave
