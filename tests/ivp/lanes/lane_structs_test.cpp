// Any struct whose functions are templates in lanes: the order lanes against step-local, with every
// instruction set this machine has.

#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "ivp/lanes/lane_feed.hpp"
#include "ivp/lanes/lane_methods.hpp"
#include "ivp/solve_lanes.hpp"
#include "ivp/srm/srm_step.hpp"
#include "problems/truck.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/lanes/mechanism_lanes.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave {
namespace {

using testing::MechanismLanes;

std::vector<Simd> supported_sets() {
  std::vector<Simd> all;
  for (Simd simd : all_simd()) {
    if (supported(simd)) all.push_back(simd);
  }
  return all;
}

MechanismLanes lanes_for(Simd simd) {
  return best_of([](auto set) { return testing::mechanism_lanes(set); }, simd);
}

Regularization form_of(Variant variant, double epsilon) {
  Regularization form;
  form.variant = variant;
  form.epsilon = epsilon;
  return form;
}

constexpr int steps = 200;

/// x of all iterates after the last step, and what the last of them carries.
std::vector<double> in_lanes(const DaeProblem& problem, Simd simd, const VecX& start, double h,
                             const Regularization& form, int iterates) {
  const ivp::LaneFormula formula = ivp::lane_formula(ivp::tableau(ivp::Stepper::heun));
  auto lanes = ivp::skewed_iterates(problem, simd, form, formula, iterates, {});
  REQUIRE(lanes);
  const ivp::LaneShape shape = lanes->shape();
  ivp::LaneFeed feed(std::move(lanes), formula, iterates, ivp::FixedSteps({0, steps * h}, h), {},
                     true);
  REQUIRE(feed.start(start.data()));
  for (int i = 0; i < steps; ++i) REQUIRE(feed.next());
  std::vector<double> end, x(static_cast<std::size_t>(shape.nz)),
      carried(static_cast<std::size_t>(shape.nc));
  for (int s = 1; s <= iterates; ++s) {
    feed.lanes().iterate(s, x.data(), carried.data());
    end.insert(end.end(), x.begin(), x.end());
  }
  end.insert(end.end(), carried.begin(), carried.end());
  return end;
}

std::vector<double> step_local(const DaeProblem& problem, const VecX& start, double h,
                               const Regularization& form, int iterates) {
  ivp::SrmStep step(regularize(problem, form), ivp::tableau(ivp::Stepper::heun), iterates);
  REQUIRE(step.start(0, start));
  for (int i = 0; i < steps; ++i) {
    REQUIRE_FALSE(std::isnan(step.attempt((i + 1) * h - step.t())));
    REQUIRE(step.accept());
  }
  std::vector<double> end;
  for (int s = 1; s <= iterates; ++s) {
    const VecX& x = step.iterate(s).x;
    end.insert(end.end(), x.data(), x.data() + x.size());
  }
  VecX carried;
  step.multiplier(carried);
  end.insert(end.end(), carried.data(), carried.data() + carried.size());
  return end;
}

using WithLanes = std::function<DaeProblemPtr(Simd)>;

/// @param with_lanes  the problem with the lanes of a set.
void compare(const WithLanes& with_lanes, const VecX& start, double h,
             const std::vector<Regularization>& forms) {
  const DaeProblemPtr problem = with_lanes(Simd::sse2);
  for (const Regularization& form : forms) {
    for (int iterates : {1, 3, 6}) {
      const std::vector<double> expected = step_local(*problem, start, h, form, iterates);
      double size = 1;
      for (double x : expected) size = std::max(size, std::abs(x));
      std::vector<double> first;
      for (Simd simd : supported_sets()) {
        INFO(name_of(form.variant) << ", " << iterates << " iterates, " << name_of(simd));
        const DaeProblemPtr erased = with_lanes(simd);
        REQUIRE(erased->lanes() > 1);
        const std::vector<double> end = in_lanes(*erased, simd, start, h, form, iterates);
        REQUIRE(end.size() == expected.size());
        double gap = 0;
        for (std::size_t i = 0; i < end.size(); ++i) {
          gap = std::max(gap, std::abs(end[i] - expected[i]));
        }
        // Roundings of x divided by epsilon are carried, and 200 steps long.
        CHECK(gap < 1e-14 * size / form.epsilon);
        if (first.empty()) first = end;
        CHECK(std::memcmp(first.data(), end.data(), end.size() * sizeof(double)) == 0);
      }
    }
  }
}

/// @param lanes  member of MechanismLanes.
template <class P>
void compare(const P& problem, StructLanes<P> MechanismLanes::*lanes, const VecX& start, double h,
             const std::vector<Regularization>& forms) {
  const auto own = std::make_shared<const P>(problem);
  compare(
      [&](Simd simd) {
        return std::make_shared<ProblemOf<P>>(own, lanes_for(simd).*lanes, &start);
      },
      start, h, forms);
}

TEST_CASE("any struct of templates in lanes is what it is step by step", "[lanes][AL2]") {
  const std::vector<Regularization> both{form_of(Variant::singular, 1e-3),
                                         form_of(Variant::invariant, 1e-3)};
  SECTION("pendulum") {
    compare(with_autodiff(testing::HeavyPendulum{}), &MechanismLanes::pendulum,
            testing::HeavyPendulum().start(), 1e-3, both);
  }
  SECTION("arm, led") {
    compare(with_autodiff(testing::LedArm{}), &MechanismLanes::arm, testing::LedArm().start(), 1e-3,
            both);
  }
  SECTION("arm, led, every form") {
    Regularization second = form_of(Variant::baumgarte_form, 1e-3);
    second.alpha1 = 0.01;
    compare(testing::LedArmByHand{}, &MechanismLanes::arm_by_hand, testing::LedArm().start(), 1e-3,
            {form_of(Variant::invariant_reduced, 1e-3), form_of(Variant::baumgarte_form, 1e-3),
             second});
  }
  SECTION("seven bodies") {
    compare(with_autodiff(testing::SevenBodies{}), &MechanismLanes::seven,
            testing::SevenBodies().start(), 1e-6, {form_of(Variant::singular, 1e-6)});
  }
  SECTION("a skate") {
    VecX start = VecX::Zero(8);
    start << 0.4, 0.2, std::sin(0.4) * 0.2, 0, 0.5, 0, std::cos(0.4) * 0.2 * 0.5, 0.3;
    compare(with_autodiff(testing::LaneSkate{}), &MechanismLanes::skate, start, 1e-3, both);
  }
  SECTION("a string, sizes at run time") {
    for (int n : {2, 5}) {
      const testing::LooseString string{n};
      compare(with_autodiff(string), &MechanismLanes::string, string.start(), 1e-3, both);
    }
  }
  SECTION("index 2") {
    compare(with_autodiff(testing::Turning{}), &MechanismLanes::turning, testing::Turning().start(),
            1e-3, {form_of(Variant::direct, 5e-3), form_of(Variant::singular, 5e-3)});
  }
}

TEST_CASE("the front door takes any problem that has lanes", "[lanes]") {
  const DaeProblemPtr problem =
      problem_of(with_autodiff(testing::LedArm{}), lanes_for(best_simd()).arm);
  CHECK(ivp::has_lanes(*problem));
  const ivp::Options options{.method = ivp::Srm{.variant = Variant::singular,
                                                .epsilon = 1e-3,
                                                .iterates = 3,
                                                .loops = ivp::InLanes{},
                                                .formula = {ivp::Stepper::heun}},
                             .h = 1e-3};
  const VecX start = testing::LedArm().start();
  const ivp::Solution motion =
      ivp::solve_in_lanes(*problem, start, {0, steps * options.h.value()}, options);
  CHECK(motion.report.usable());
  CHECK(motion.report.integration.drift_position < 1e-5);
  const std::vector<double> end =
      in_lanes(*problem, best_simd(), start, 1e-3, form_of(Variant::singular, 1e-3), 3);
  for (int i = 0; i < 4; ++i) CHECK(motion.end()[i] == end[static_cast<std::size_t>(8 + i)]);
}

TEST_CASE("derivatives that contradict the constraint are refused in lanes too",
          "[lanes][bad-input]") {
  const auto arm_with = [](double mistake) {
    testing::LedArmByHand arm;
    arm.mistake = mistake;
    return problem_of(arm, lanes_for(best_simd()).arm_by_hand);
  };
  const DaeProblemPtr right = arm_with(0), wrong = arm_with(0.5);
  const VecX start = testing::LedArm().start();
  const Interval span{0, 0.1};
  const ivp::Options options{
      .method = ivp::Srm{.epsilon = 1e-3, .loops = ivp::InLanes{}}, .h = 1e-3, .every = 0};
  CHECK(ivp::solve_in_lanes(*right, start, span, options).report.usable());
  const char* const why = "derivatives contradict the constraint: G row 1, column 2";
  CHECK_THROWS_WITH(ivp::solve_in_lanes(*wrong, start, span, options), contains_text(why));
  CHECK_THROWS_WITH(
      ivp::solve_members_in_lanes({right.get(), wrong.get()}, {start, start}, span, options),
      contains_text(why));
  CHECK_THROWS_AS(ivp::solve_in_lanes(*right, VecX::Zero(3), span, options), InvalidProblem);
}

TEST_CASE("what has no lanes is refused with the reason", "[lanes]") {
  ivp::Options options{.method = ivp::Srm{.loops = ivp::InLanes{}}, .h = 1e-3};
  const auto refused = [&](const DaeProblemPtr& problem, const VecX& start, const char* why) {
    CHECK_FALSE(ivp::has_lanes(*problem));
    CHECK_THROWS_WITH(ivp::solve_in_lanes(*problem, start, {0, 1}, options), contains_text(why));
  };
  refused(problem_of(problems::Truck{}), problems::Truck().start(),
          "have f, g, M and B as templates");
  refused(problem_of(with_autodiff(testing::BentBead{})), VecX::Zero(6), "not second order");
  const DaeProblemPtr pendulum = problem_of(with_autodiff(testing::HeavyPendulum{}));
  options.h = {};
  CHECK_THROWS_WITH(
      ivp::solve_in_lanes(*pendulum, testing::HeavyPendulum().start(), {0, 1}, options),
      contains_text("fixed h"));
  CHECK_THROWS_WITH(ivp::solve_in_lanes(*pendulum, testing::HeavyPendulum().start(), {0, 1},
                                        {.method = ivp::SBoth2{}, .h = 1e-3}),
                    contains_text("method = s-both2: lanes are of srm"));
}

}  // namespace
}  // namespace daewave
