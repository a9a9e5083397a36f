// Steps of a sequential regularization ask for no memory, for fixed and for bounded sizes.

#include "tests/memory/counted_allocations.hpp"

#include "core/regularize/regularize.hpp"
#include "ivp/srm/srm_step.hpp"
#include "problems/al2.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/srm_problems.hpp"

using namespace daewave;

namespace {

/// Example 6.4 with sizes known at run time only.
struct BoundedArm {
  using Position = SmallVec;
  using Multiplier = SmallVec;
  problems::Al2Example64 arm{};

  SmallMat M(const Position& q) const { return arm.M(q); }
  Position f(const Position& q, const Position& v, double t) const { return arm.f(q, v, t); }
  Multiplier g(const Position& q, double t) const { return arm.g(q, t); }
  SmallMat G(const Position& q, double t) const { return arm.G(q, t); }
  Multiplier g_t(const Position& q, double t) const { return arm.g_t(q, t); }
  Multiplier curvature(const Position& q, const Position& v, double t) const {
    return arm.curvature(q, v, t);
  }
};

Regularization form_of(Variant variant, Weight weight) {
  Regularization form;
  form.variant = variant;
  form.weight = weight;
  form.epsilon = 0.02;
  return form;
}

template <class P, class Start>
bool steps_ask_for_memory(const P& problem, const Regularization& form, const Start& start,
                          const ivp::ExplicitTableau& formula) {
  ivp::Options options;
  const ivp::Tolerance tolerance(options, static_cast<int>(start.size()));
  ivp::SrmStep step(regularize(problem, form, start), formula, 3, {}, tolerance, true);
  REQUIRE(step.start(0, start));
  VecX x = start;
  return testing::asks_for_memory([&] {
    for (int i = 0; i < 5; ++i) {
      step.attempt(0.01);
      step.attempt(0.005);
      step.accept();
      step.interpolate(0.5, x);
      step.drift();
    }
  });
}

template <class P, class Start>
void check_no_memory(const P& problem, const std::vector<Variant>& variants, const Start& start) {
  for (Variant variant : variants) {
    for (Weight weight : {Weight::inverse, Weight::identity, Weight::transpose}) {
      if (carries_By(variant) && weight != Weight::inverse) continue;
      for (const ivp::ExplicitTableau& formula : ivp::all_tableaux()) {
        CAPTURE(name_of(variant), name_of(weight), ivp::name_of(formula.stepper));
        CHECK_FALSE(steps_ask_for_memory(problem, form_of(variant, weight), start, formula));
      }
    }
  }
}

}  // namespace

TEST_CASE("memory is counted", "[srm]") { CHECK(testing::memory_is_watched()); }

TEST_CASE("steps of every variant, weight and formula need no memory", "[srm]") {
  const problems::Al2Example61 index_2;
  check_no_memory(index_2, variants_of_index_2(), index_2.start());
  check_no_memory(MovingCircle(), variants_of_index_3(), MovingCircle().z_exact(0));
  const problems::SliderCrank crank;
  const problems::Al2Example64 arm;
  check_no_memory(arm, variants_of_index_3(), arm.start());
  check_no_memory(crank, {Variant::singular, Variant::invariant}, crank.start());
}

TEST_CASE("steps of bounded sizes need no memory", "[srm]") {
  check_no_memory(BoundedArm(), variants_of_index_3(),
                  StateOf<BoundedArm>(BoundedArm().arm.start()));
}
