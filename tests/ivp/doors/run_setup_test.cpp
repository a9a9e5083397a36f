// What a run begins with: tolerances that were left open, what is watched, a start on the
// constraints.

#include "ivp/doors/run_setup.hpp"

#include <cmath>

#include "core/error.hpp"
#include "ivp/variation/end_difference.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {

namespace {

struct Opened {
  Options options;
  std::string told;
};

Opened opened(const Options& options, const VecX& z, bool second_order, double length = 10) {
  std::vector<Choice> choices{{"rtol", "as it was", false, ""}, {"atol", "open", false, ""}};
  Opened all;
  all.options = with_atol(options, z, second_order, {1, 1 - length}, choices);
  CHECK(choices[0].value == "as it was");
  all.told = choices[1].value;
  return all;
}

}  // namespace

TEST_CASE("open absolute tolerances follow the size of each entry beside others of its kind",
          "[options]") {
  const Options options{.rtol = 1e-9};
  const Opened both = opened(options, VecX{{2, 0.001, 30, 0}}, true);
  REQUIRE(both.options.atol_each.size() == 4);
  CHECK_FALSE(both.options.atol);
  CHECK(both.options.atol_each[0] == Approx(2e-10));
  CHECK(both.options.atol_each[1] == Approx(2e-12));  // A hundredth of the other position.
  CHECK(both.options.atol_each[2] == Approx(1e-9));   // No more than that.
  CHECK(both.options.atol_each[3] == Approx(3e-11));
  CHECK(both.told == "2e-12 to 1e-09");
  // Of the first order all are of one kind.
  CHECK(opened(options, VecX{{2, 0.001, 5, 0}}, false).options.atol_each[1] == Approx(5e-12));
}

TEST_CASE("velocities at rest are as large as the state, and no smaller than what moves it",
          "[options]") {
  const Options options{.rtol = 1e-9};
  const Opened rest = opened(options, VecX{{2, 2, 0, 0}}, true);
  CHECK(rest.options.atol == Approx(2e-10));
  CHECK(rest.options.atol_each.empty());
  CHECK(rest.told == "2e-10");
  // A hundredth of 2 in a time of 10 is 2e-3.
  CHECK(opened(options, VecX{{2, 2, 1e-12, 0}}, true).options.atol_each[3] == Approx(2e-13));
  CHECK(opened(options, VecX{{2, 2, 1e-12, 0}}, true, 5).options.atol_each[3] == Approx(4e-13));
  CHECK(opened(options, VecX::Zero(4), true).options.atol == Approx(1e-10));
}

TEST_CASE("tolerances that were given, and a fixed step, leave nothing open", "[options]") {
  const VecX z{{2, 3}};
  CHECK(opened({.atol = 1e-3}, z, false).options.atol == 1e-3);
  CHECK(opened({.atol_each = {1e-3, 1e-4}}, z, false).options.atol_each ==
        std::vector<double>{1e-3, 1e-4});
  CHECK_FALSE(opened({.h = 0.1}, z, false).options.atol);
  CHECK(opened({.h = 0.1}, z, false).told == "open");
}

TEST_CASE("drift and energy are watched where options ask for it, and there is energy",
          "[options]") {
  const problems::Pendulum pendulum;
  const DaeProblemPtr problem = problem_of(pendulum);
  const Monitors all = monitors_of(*problem, {});
  CHECK(all.drift);
  CHECK(all.second_order);
  REQUIRE(all.energy);
  const VecX z = pendulum.start();
  CHECK(all.energy(0, z) == problem->energy(z.data(), z.data() + 2));
  const Monitors none = monitors_of(*problem, {.monitor = false});
  CHECK_FALSE(none.drift);
  CHECK_FALSE(none.energy);
  CHECK(none.second_order);
  const DaeProblemPtr first = problem_of(problems::Al2Example61{});
  CHECK_FALSE(monitors_of(*first, {}).second_order);
  CHECK_FALSE(monitors_of(*first, {}).energy);
  CHECK(is_reducible(*problem));
  CHECK(is_reducible(*first));
}

TEST_CASE("a start off the constraints is refused, or moved where that is asked for", "[start]") {
  const problems::Pendulum pendulum;
  const DaeProblemPtr problem = problem_of(pendulum);
  VecX start = pendulum.start();
  std::vector<std::string> warnings;
  const VecX exact = start;
  CHECK(consistent(*problem, start, 0, {}, warnings).ok(1e-8));
  CHECK(start == exact);
  start.head(2) *= 1.25;
  CHECK_THROWS_WITH(consistent(*problem, start, 0, {}, warnings),
                    contains_text(", or by repair_start = true"));
  CHECK(warnings.empty());
  const VecX off = start;
  CHECK(consistent(*problem, start, 0, {.repair_start = true}, warnings).ok(1e-8));
  CHECK((start.head(2) - exact.head(2)).norm() < 1e-7);
  REQUIRE(warnings.size() == 1);
  const double moved = (start.head(2) - off.head(2)).cwiseAbs().maxCoeff();
  CHECK_THAT(warnings[0], contains_text("the start was moved to the constraints: position by " +
                                        std::to_string(moved)));
  start[0] = NAN;
  CHECK_THROWS_WITH(consistent(*problem, start, 0, {.repair_start = true}, warnings),
                    contains_text("start: "));
}

TEST_CASE("how an end moves is told by differences of fourth order, to rounding",
          "[sensitivities]") {
  const VecX unit{{1, 2}};
  std::vector<double> asked;
  const auto end = [&asked](double d) -> std::optional<VecX> {
    asked.push_back(d);
    return VecX{{std::sin(d), 5 + 3 * d}};
  };
  const EndDifference found = end_difference(end, 1, unit, 1e-9);
  CHECK(found.value[0] == Approx(1).epsilon(1e-9));
  CHECK(found.value[1] == Approx(3).epsilon(1e-9));
  CHECK(found.apart < 1e-9);
  // The farthest two first, at twice 1/100; then a quarter of it.
  CHECK(asked.size() % 4 == 0);
  CHECK(asked[0] == Approx(-0.02));
  CHECK(asked[1] == Approx(0.02));
  CHECK(asked[2] == Approx(-0.01));
  CHECK(asked[3] == Approx(0.01));
  CHECK(asked[4] == Approx(-0.005));
  asked.clear();
  // d^4/30 of the fifth derivative is 3e-10 at 1/100: two agree at once to what is enough.
  CHECK(end_difference(end, 1, unit, 1e-3).apart < 1e-3);
  CHECK(asked.size() == 8);
  asked.clear();
  end_difference(end, 10, unit, 1e-3);
  CHECK(asked[0] == Approx(-0.2));
}

TEST_CASE("where runs do not come through no difference is taken, and shorter ones are tried",
          "[sensitivities]") {
  int calls = 0;
  const auto never = [&calls](double) -> std::optional<VecX> {
    ++calls;
    return {};
  };
  CHECK(end_difference(never, 1, VecX{{1}}, 1e-9).value.size() == 0);
  CHECK(std::isinf(end_difference(never, 1, VecX{{1}}, 1e-9).apart));
  CHECK(calls == 24);  // Twelve lengths, each given up at once; twice.
  const auto near_alone = [](double d) -> std::optional<VecX> {
    if (std::abs(d) > 1e-3) return {};
    return VecX{{std::exp(d)}};
  };
  CHECK(end_difference(near_alone, 1, VecX{{1}}, 1e-9).value[0] == Approx(1).epsilon(1e-8));
}

TEST_CASE("a difference that is nothing beside a unit is measured by a thousandth of it",
          "[sensitivities]") {
  CHECK(largest_of(VecX{{3, -8}}, VecX{{1, 2}}) == 4);
  // It jumps between 1e-6 and 2e-6: apart by 1e-6 of 1e-3.
  int calls = 0;
  const auto small = [&calls](double d) -> std::optional<VecX> {
    return VecX{{(calls++ / 4 % 2 == 0 ? 1e-6 : 2e-6) * d}};
  };
  CHECK(end_difference(small, 1, VecX{{1}}, 0.01).apart == Approx(1e-3));
}

}  // namespace daewave::ivp
