// Which forms and numbers there are for a problem of each index.

#include "core/regularize/regularization.hpp"

#include <cmath>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave {

namespace {

Regularization form_of(Variant variant, Weight weight = Weight::inverse) {
  Regularization form;
  form.variant = variant;
  form.weight = weight;
  return form;
}

template <class Check>
std::string refused(const Check& check) {
  try {
    check();
  } catch (const InvalidOption& error) {
    return error.what();
  }
  return "";
}

std::string of_index_2(const Regularization& form) {
  return refused([&] { check_index_2(form); });
}

std::string of_index_3(const Regularization& form, bool reducible = true) {
  return refused([&] { check_index_3(form, reducible); });
}

}  // namespace

TEST_CASE("each index has variants of its own, those that carry B y with E = (GB)^-1",
          "[regularize]") {
  struct Row {
    Variant variant;
    bool index_2, index_3, any_weight;
  };
  const Row rows[] = {{Variant::direct, true, false, true},
                      {Variant::singular, true, true, false},
                      {Variant::singular_linear, true, false, false},
                      {Variant::baumgarte_form, false, true, true},
                      {Variant::invariant_reduced, false, true, true},
                      {Variant::invariant, false, true, true}};
  CHECK(std::size(rows) == all_variants().size());
  for (const Row& row : rows) {
    CAPTURE(name_of(row.variant));
    CHECK(carries_By(row.variant) == !row.any_weight);
    CHECK(of_index_2(form_of(row.variant)).empty() == row.index_2);
    CHECK(of_index_3(form_of(row.variant)).empty() == row.index_3);
    for (const Weight weight : {Weight::identity, Weight::transpose}) {
      CHECK(of_index_2(form_of(row.variant, weight)).empty() == (row.index_2 && row.any_weight));
      CHECK(of_index_3(form_of(row.variant, weight)).empty() == (row.index_3 && row.any_weight));
    }
  }
  CHECK_THAT(of_index_2(form_of(Variant::invariant)),
             contains_text("a DAE of index 2 has ") && contains_text(name_of(Variant::direct)));
  CHECK_THAT(of_index_3(form_of(Variant::direct)),
             contains_text("a DAE of index 3 has ") && contains_text(name_of(Variant::invariant)));
  CHECK_THAT(of_index_2(form_of(Variant::direct, Weight::shifted)),
             contains_text("weight = shifted: for linear problems only"));
}

TEST_CASE("numbers of a form are finite, and not below zero", "[regularize]") {
  struct Row {
    double Regularization::*member;
    const char* name;
    bool zero;
  };
  const Row rows[] = {{&Regularization::epsilon, "epsilon", false},
                      {&Regularization::alpha1, "alpha1", true},
                      {&Regularization::alpha2, "alpha2", false},
                      {&Regularization::alpha3, "alpha3", true},
                      {&Regularization::rank_tolerance, "rank_tolerance", true}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto refusal = [&row](Variant variant, double value) {
      Regularization form = form_of(variant);
      form.*row.member = value;
      return variant == Variant::direct ? of_index_2(form) : of_index_3(form);
    };
    for (const Variant variant : {Variant::direct, Variant::baumgarte_form}) {
      CHECK(refusal(variant, 0).empty() == row.zero);
      CHECK(refusal(variant, 1e-300).empty());
      for (const double bad : {-1.0, static_cast<double>(INFINITY), std::nan("")}) {
        CHECK_THAT(refusal(variant, bad), contains_text(std::string(row.name) + " = ") &&
                                              contains_text(row.zero ? "must be >= 0 and finite"
                                                                     : "must be > 0 and finite"));
      }
    }
  }
}

TEST_CASE("alpha1 is of the form that has it alone, and needs a curvature with index 3",
          "[regularize]") {
  for (const Variant variant : all_variants()) {
    CAPTURE(name_of(variant));
    Regularization form = form_of(variant);
    form.alpha1 = 0.5;
    CHECK(of_index_2(form).empty() == (variant == Variant::direct));
    CHECK(of_index_3(form).empty() == (variant == Variant::baumgarte_form));
    CHECK_FALSE(of_index_3(form, false).empty());
  }
  Regularization singular = form_of(Variant::singular);
  singular.alpha1 = 0.5;
  CHECK(of_index_2(singular) == "alpha1 = 0.5 with variant = singular: must be 0 there");
  CHECK(of_index_3(form_of(Variant::baumgarte_form), false).empty());
  CHECK(of_index_3(form_of(Variant::invariant), false).empty());
  CHECK_THAT(of_index_3(form_of(Variant::invariant_reduced), false),
             contains_text("needs curvature(q, v, t)") && contains_text("variant = invariant"));
}

}  // namespace daewave
