#include "core/regularize/variant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"

namespace daewave {

const char* name_of(Variant variant) {
  switch (variant) {
    case Variant::direct:
      return "direct";
    case Variant::singular:
      return "singular";
    case Variant::singular_linear:
      return "singular-linear";
    case Variant::baumgarte_form:
      return "baumgarte-form";
    case Variant::invariant_reduced:
      return "invariant-reduced";
    case Variant::invariant:
      return "invariant";
  }
  return "unknown";
}

std::string names_of(const std::vector<Variant>& variants) {
  std::vector<std::string> names;
  for (Variant variant : variants) names.emplace_back(name_of(variant));
  return fmt::format("{}", fmt::join(names, ", "));
}

const std::vector<Variant>& all_variants() {
  static const std::vector<Variant> variants{
      Variant::direct,         Variant::singular,          Variant::singular_linear,
      Variant::baumgarte_form, Variant::invariant_reduced, Variant::invariant};
  return variants;
}

const std::vector<Variant>& variants_of_index_2() {
  static const std::vector<Variant> variants{Variant::direct, Variant::singular,
                                             Variant::singular_linear};
  return variants;
}

const std::vector<Variant>& variants_of_index_3() {
  static const std::vector<Variant> variants{Variant::singular, Variant::baumgarte_form,
                                             Variant::invariant_reduced, Variant::invariant};
  return variants;
}

Variant variant_named(const std::string& name) {
  for (Variant variant : all_variants()) {
    if (name == name_of(variant)) return variant;
  }
  throw InvalidOption(fmt::format("variant = \"{}\"; known: {}", name, names_of(all_variants())));
}

bool carries_By(Variant variant) {
  return variant == Variant::singular || variant == Variant::singular_linear;
}

}  // namespace daewave
