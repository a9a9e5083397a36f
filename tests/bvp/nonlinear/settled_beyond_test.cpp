// How far beyond an end of a curve the line from there is off its equations.

#include "bvp/nonlinear/settled_beyond.hpp"

#include "core/adapt/problem_of.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x' = -decay x, and 1 more between two times.
struct PushedBetween {
  using State = Vec<1>;
  double from, to, decay = 0;
  Interval interval() const { return {-1, 1}; }
  State f(const State& x, double t) const {
    return State(-decay * x[0] + (t > from && t < to ? 1 : 0));
  }
};

/// On the lines x = 0 beyond the ends of [-1, 1], with the length 1.
double beyond(const PushedBetween& problem, bool at_end, double tolerance = 0.1) {
  CollocationValues values;
  values.x.setZero(1, 5);
  values.slopes.setZero(1, 4);
  values.carried.resize(0, 4);
  const CollocationCurve curve(uniform_mesh(-1, 1, 4), collocation(Scheme::gauss, 1), values);
  return unsettled_beyond(*problem_of(problem), curve, at_end, VecX::Zero(1), 1, {},
                          MatX::Zero(1, 1), tolerance);
}

}  // namespace

TEST_CASE("what is off beyond an end is seen there, as far as it goes, and not at the other end",
          "[infinite]") {
  // Close to an end the line is looked at every 32nd part of the length; far away where distances
  // grow by a part of it.
  const auto is_seen_to = [](double seen, double distance, double apart) {
    CHECK(seen <= distance);
    CHECK(seen >= distance - apart);
  };
  for (const double distance : {0.5, 1.25, 1.9}) {
    CAPTURE(distance);
    const PushedBetween after{1 + 0.5 * distance, 1 + distance},
        before{-1 - distance, -1 - 0.5 * distance};
    is_seen_to(beyond(after, true), distance, 1.0 / 30);
    is_seen_to(beyond(before, false), distance, 1.0 / 30);
    CHECK(beyond(after, false) == 0);
    CHECK(beyond(before, true) == 0);
  }
  is_seen_to(beyond({11, 21}, true), 20, 2);
  is_seen_to(beyond({-21, -11}, false), 20, 2);
  // Thirty lengths away nobody looks.
  CHECK(beyond({32, 50}, true) == 0);
  CHECK(beyond({-50, -32}, false) == 0);
}

TEST_CASE("what a solution beyond an end soon forgets counts for less there", "[infinite]") {
  // A push of 1 moves x by the length, 1, or by no more than 1 / decay.
  for (const bool at_end : {false, true}) {
    const double from = at_end ? 1.5 : -2.5, to = from + 1;
    CAPTURE(at_end);
    CHECK(beyond({from, to, 0}, at_end, 0.9) > 0);
    CHECK(beyond({from, to, 0}, at_end, 1.1) == 0);
    CHECK(beyond({from, to, 99}, at_end, 1.1 / 98) == 0);
    CHECK(beyond({from, to, 99}, at_end, 0.9 / 100) > 0);
  }
}

}  // namespace daewave::bvp
