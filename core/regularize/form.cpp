#include "core/regularize/form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace daewave {
namespace {

std::string names_of(const std::vector<Variant>& variants) {
  std::vector<std::string> names;
  for (Variant variant : variants) names.emplace_back(name_of(variant));
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_variant(Variant variant, const std::vector<Variant>& allowed, const char* of) {
  if (std::find(allowed.begin(), allowed.end(), variant) != allowed.end()) return;
  throw InvalidOption(
      fmt::format("variant = {}: {} has {}", name_of(variant), of, names_of(allowed)));
}

void check_numbers(const RegularizedForm& form) {
  const auto finite_from = [](const char* name, double value, bool zero_too) {
    const bool good = zero_too ? value >= 0 : value > 0;
    if (!good || !std::isfinite(value)) {
      throw InvalidOption(
          fmt::format("{} = {}: must be {} 0 and finite", name, value, zero_too ? ">=" : ">"));
    }
  };
  finite_from("epsilon", form.epsilon, false);
  finite_from("alpha1", form.alpha1, true);
  finite_from("alpha2", form.alpha2, false);
  finite_from("alpha3", form.alpha3, true);
  finite_from("rank_tolerance", form.rank_tolerance, true);
  if (form.weight == Weight::shifted) {
    throw InvalidOption(
        "weight = shifted: for linear problems only; take inverse, transpose or identity");
  }
  if (carries_By(form.variant) && form.weight != Weight::inverse) {
    throw InvalidOption(fmt::format(
        "weight = {} with variant = {}: where B y is carried E is (GB)^-1; take weight = inverse",
        name_of(form.weight), name_of(form.variant)));
  }
}

void check_alpha1(const RegularizedForm& form, bool used) {
  if (form.alpha1 == 0 || used) return;
  throw InvalidOption(fmt::format("alpha1 = {} with variant = {}: must be 0 there", form.alpha1,
                                  name_of(form.variant)));
}

}  // namespace

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

void check_index_2(const RegularizedForm& form) {
  check_variant(form.variant, variants_of_index_2(), "a DAE of index 2");
  check_numbers(form);
  check_alpha1(form, form.variant == Variant::direct);
}

void check_index_3(const RegularizedForm& form, bool reducible) {
  check_variant(form.variant, variants_of_index_3(), "a DAE of index 3");
  check_numbers(form);
  check_alpha1(form, form.variant == Variant::baumgarte_form);
  const bool differentiates = form.variant == Variant::invariant_reduced ||
                              (form.variant == Variant::baumgarte_form && form.alpha1 != 0);
  if (differentiates && !reducible) {
    throw InvalidOption(fmt::format(
        "variant = {}: needs curvature(q, v, t), which the problem does not give; take variant = "
        "invariant, or with_autodiff(problem)",
        name_of(form.variant)));
  }
}

}  // namespace daewave
