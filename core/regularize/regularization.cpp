#include "core/regularize/regularization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.hpp"

namespace daewave {
namespace {

void check_variant(Variant variant, const std::vector<Variant>& allowed, const char* of) {
  if (std::find(allowed.begin(), allowed.end(), variant) != allowed.end()) return;
  throw InvalidOption(
      fmt::format("variant = {}: {} has {}", name_of(variant), of, names_of(allowed)));
}

void check_numbers(const Regularization& form) {
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

void check_alpha1(const Regularization& form, bool used) {
  if (form.alpha1 == 0 || used) return;
  throw InvalidOption(fmt::format("alpha1 = {} with variant = {}: must be 0 there", form.alpha1,
                                  name_of(form.variant)));
}

}  // namespace

void check_linear(const Regularization& regularization) {
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

void check_index_2(const Regularization& form) {
  check_variant(form.variant, variants_of_index_2(), "a DAE of index 2");
  check_numbers(form);
  check_alpha1(form, form.variant == Variant::direct);
}

void check_index_3(const Regularization& form, bool reducible) {
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
