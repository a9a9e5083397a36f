#include "ivp/lanes/lane_formula.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "ivp/lanes/lane_methods.hpp"
#include "ivp/lanes/lane_options.hpp"
#include "ivp/one_step/tableaux.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {

namespace {

void check_row(const LaneFormula::Row& row, const Combination& from) {
  REQUIRE(row.count == from.count);
  for (int i = 0; i < row.count; ++i) {
    CHECK(row.stage[i] == from.stage[static_cast<std::size_t>(i)]);
    CHECK(row.coefficient[i] == from.coefficient[static_cast<std::size_t>(i)]);
  }
}

}  // namespace

TEST_CASE("a formula in lanes has the numbers of its tableau, and each stage its point",
          "[lanes]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    const LaneFormula lanes = lane_formula(formula);
    CHECK(lanes.stages == formula.stages);
    CHECK(lanes.end_stage == formula.end_stage());
    REQUIRE(lanes.rows == static_cast<int>(formula.c.size()));
    for (std::size_t i = 0; i < formula.a.size(); ++i) check_row(lanes.a[i], formula.a[i]);
    check_row(lanes.b, formula.b);
    REQUIRE(lanes.dense_rows == static_cast<int>(formula.dense.size()));
    for (std::size_t i = 0; i < formula.dense.size(); ++i) {
      check_row(lanes.dense[i], formula.dense[i]);
    }
    CHECK(lanes.point[0] == 1);
    for (int p = 1; p < lanes.points; ++p) {
      CHECK(lanes.point[p] > 0);
      CHECK(lanes.point[p] < 1);
      CHECK(std::count(lanes.point, lanes.point + lanes.points, lanes.point[p]) == 1);
    }
    for (std::size_t i = 0; i < formula.c.size(); ++i) {
      CHECK(lanes.c[i] == formula.c[i]);
      // That of the begin is not used.
      if (formula.c[i] > 0) CHECK(lanes.point[lanes.slot[i]] == formula.c[i]);
    }
    const long inside = lanes.points - 1;
    const long behind_end = lanes.rows - lanes.stages - 1;
    CHECK(evaluations_of_step(lanes) == lanes.stages + inside + (inside > 0 ? behind_end : 0));
  }
}

TEST_CASE("lanes are refused for a set that this machine or this build lacks", "[lanes]") {
  const DaeProblemPtr pendulum = problem_of(problems::Pendulum{});
  const LaneFormula formula = lane_formula(tableau(Stepper::heun));
  std::vector<Simd> lacking{static_cast<Simd>(7)};
  for (const Simd simd : all_simd()) {
    if (!supported(simd)) lacking.push_back(simd);
  }
  for (const Simd simd : lacking) {
    CHECK_THROWS_AS(skewed_iterates(*pendulum, simd, {}, formula, 2, {}), InvalidOption);
    CHECK_THROWS_AS(members_in_lanes({pendulum.get()}, simd, {}, formula, 2, {}, {}),
                    InvalidOption);
    CHECK_THROWS_AS(chosen_simd({.loops = InLanes{simd}}), InvalidOption);
  }
  CHECK(chosen_simd({.loops = InLanes{}}) == best_simd());
  CHECK(chosen_simd({.loops = InLanes{best_simd()}}) == best_simd());
  for (const Simd simd : all_simd()) {
    const int numbers = simd == Simd::sse2 ? 2 : simd == Simd::avx2 ? 4 : 8;
    CHECK(members_in(simd) == (compiled(simd) ? numbers : 0));
  }
}

TEST_CASE("runs in lanes are asked for by the loops of a regularization alone", "[lanes]") {
  CHECK(asked_in_lanes({}) == nullptr);
  CHECK(asked_in_lanes({.method = Srm{}}) == nullptr);
  const Options options{.method = Srm{.loops = InLanes{}}};
  CHECK(asked_in_lanes(options) == &std::get<Srm>(options.method));
  CHECK_FALSE(lanes_choice({.loops = InLanes{}}, "4 of 4").by_user);
  CHECK(lanes_choice({.loops = InLanes{best_simd()}}, "4 of 4").by_user);
  CHECK(lanes_choice({.loops = InLanes{}}, "4 of 4").value == "4 of 4");
}

TEST_CASE("what lanes cannot do is refused with the way out", "[lanes]") {
  const auto refusal = [](const Options& options, Stepper stepper, int iterates) -> std::string {
    try {
      check_lanes(options, stepper, iterates, 8);
    } catch (const InvalidOption& refused) {
      return refused.what();
    }
    return "";
  };
  const Options fixed{.h = 0.1};
  CHECK(refusal(fixed, Stepper::heun, 8).empty());
  CHECK(refusal(fixed, Stepper::dopri5, 1).empty());
  CHECK_THAT(refusal(fixed, Stepper::radau, 3), contains_text("radau is implicit"));
  CHECK_THAT(refusal({}, Stepper::heun, 3), contains_text("needs a fixed h"));
  CHECK_THAT(refusal(fixed, Stepper::heun, 9), contains_text("has 8 iterates at most, not 9"));
  const std::vector<Options> between{
      {.h = 0.1, .times = {0.5}}, {.h = 0.1, .dense = true}, {.h = 0.1, .events = {Event{}}}};
  for (const Options& options : between) {
    CHECK_THAT(refusal(options, Stepper::dopri5, 2),
               contains_text("gives out the ends of steps of dopri5 only"));
    CHECK(refusal(options, Stepper::heun, 2).empty());
  }
}

}  // namespace daewave::ivp
