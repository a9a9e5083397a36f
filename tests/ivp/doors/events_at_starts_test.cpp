// Events whose functions are zero where a run, or a piece behind a change, begins: bodies that
// touch.

#include <cmath>
#include <utility>
#include <vector>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using ivp::Event;
using ivp::Options;
using ivp::Solution;
using Direction = Event::Direction;

namespace {

/// Masses on one line, with a rail beside them that is a constraint.
struct Balls {
  using Position = Vec<5>;
  using Multiplier = Vec<1>;
  double weight = 0;
  Mat<5, 5> M(const Position&) const { return Mat<5, 5>::Identity(); }
  Position f(const Position&, const Position&, double) const {
    Position force = Position::Constant(-weight);
    force[4] = 0;
    return force;
  }
  Vec<1> g(const Position& q, double) const { return Vec<1>(q[4]); }
  Mat<1, 5> G(const Position&, double) const { return Mat<1, 5>(0, 0, 0, 0, 1); }
  Vec<1> g_t(const Position&, double) const { return Vec<1>::Zero(); }
  Vec<1> curvature(const Position&, const Position&, double) const { return Vec<1>::Zero(); }
};

/// Of masses m_i and m_j = 1, with restitution e, where they are `apart` from each other.
Event hit(int i, double e = 1, double m_i = 1, double m_j = 1, double apart = 1) {
  return {.name = "hit",
          .function = [=](double, const VecX& z) { return z[i + 1] - z[i] - apart; },
          .direction = Direction::falling,
          .change =
              [=](double, VecX z) {
                const double closing = z[5 + i] - z[6 + i],
                             impulse = (1 + e) * closing / (1 / m_i + 1 / m_j);
                z[5 + i] -= impulse / m_i;
                z[6 + i] += impulse / m_j;
                return z;
              }};
}

Event ground(double e) {
  return {.name = "ground",
          .function = [](double, const VecX& z) { return z[0]; },
          .direction = Direction::falling,
          .change =
              [e](double, VecX z) {
                z[5] = -e * z[5];
                return z;
              }};
}

Solution moved(const Vec<4>& x, const Vec<4>& v, double end, std::vector<Event> events,
               double weight = 0, Options options = {}) {
  VecX start(10);
  start << x, 0, v, 0;
  options.seek_way_out = false;
  options.events = std::move(events);
  return ivp::solve(Balls{weight}, start, {0, end}, options);
}

}  // namespace

TEST_CASE("balls that touch hand on what meets the first of them, at once", "[restarts]") {
  for (const double gap : {0.0, 1e-9}) {
    for (const double at : {0.0, 0.1, -7.3}) {
      const Vec<4> x(at, at + 2, at + 3 + gap, at + 4 + 2 * gap);
      const Solution solution = moved(x, Vec<4>(1, 0, 0, 0), 3, {hit(0), hit(1), hit(2)});
      CAPTURE(gap, at, solution.report.full());
      REQUIRE(solution.report.usable());
      REQUIRE(solution.occurrences.size() == 3);
      for (int i = 0; i < 3; ++i) {
        CHECK(solution.occurrences[i].event == i);
        CHECK(std::abs(solution.occurrences[i].t - 1) < 1e-8);
      }
      CHECK((solution.end().head(4) - (Vec<4>(1, 2, 3, 6) + Vec<4>::Constant(at))).norm() < 1e-7);
    }
  }
}

TEST_CASE("what moves off an event's zero its way, where the run starts, meets it there",
          "[restarts]") {
  for (const double speed : {-1.0, -1e-3, 1.0}) {
    const Solution solution = moved(Vec<4>(0, 5, 10, 15), Vec<4>(speed, 0, 0, 0), 1, {ground(0.5)});
    CAPTURE(speed, solution.report.full());
    REQUIRE(solution.report.usable());
    REQUIRE(solution.occurrences.size() == (speed < 0 ? 1 : 0));
    CHECK(solution.end()[0] == Approx(speed < 0 ? -0.5 * speed : speed));
    if (speed > 0) continue;
    CHECK(solution.occurrences[0].t == 0);
    CHECK(solution.t[0] == 0);
    CHECK(solution.t[1] == 0);
    CHECK(solution.state(0)[5] == speed);
    CHECK(solution.state(1)[5] == -0.5 * speed);
  }
  // Neither where nothing changes, nor where it looks both ways.
  for (const bool change : {true, false}) {
    Event other = ground(0.5);
    if (change) other.direction = Direction::any;
    if (!change) other.change = nullptr;
    CHECK(moved(Vec<4>(0, 5, 10, 15), Vec<4>(-1, 0, 0, 0), 1, {other}).occurrences.empty());
  }
}

TEST_CASE("a ball between two heavier ones that it touches is thrown to and fro at once",
          "[restarts]") {
  // 1 onto 2, of mass 1, which 3, of mass 3, throws back onto 1.
  const Solution solution =
      moved(Vec<4>(0, 2, 3, 9), Vec<4>(1, 0, 0, 0), 2, {hit(0), hit(1, 1, 1, 3)});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  REQUIRE(solution.occurrences.size() == 3);
  CHECK(solution.occurrences[2].event == 0);
  // (1, 0, 0), (0, 1, 0), (0, -1/2, 1/2), (-1/2, 0, 1/2).
  CHECK((solution.end().segment(5, 3) - Vec<3>(-0.5, 0, 0.5)).norm() < 1e-9);
}

TEST_CASE("what rests at an event ends the run where it is pushed through", "[restarts]") {
  const Solution rests = moved(Vec<4>(0, 5, 10, 15), Vec<4>::Zero(), 1, {ground(0.5)}, 10);
  INFO(rests.report.full());
  CHECK_FALSE(rests.report.usable());
  CHECK(rests.report.termination == Termination::step_too_small);
  CHECK_THAT(rests.report.message, contains_text("event \"ground\" at t = 0: what is at rest"));
  CHECK(rests.report.integration.reached == 0);
  // Nothing pushes.
  CHECK(moved(Vec<4>(0, 5, 10, 15), Vec<4>::Zero(), 1, {ground(0.5)}).report.usable());
  // A change that throws it up is none that leaves it at rest.
  Event thrown = ground(0.5);
  thrown.change = [](double, VecX z) {
    z[5] = 6;
    return z;
  };
  const Solution up = moved(Vec<4>(0, 50, 100, 150), Vec<4>::Zero(), 1, {thrown}, 10);
  CHECK(up.report.usable());
  CHECK(up.occurrences.size() == 1);
  CHECK(up.end()[0] == Approx(1));
}

TEST_CASE("events that start each other without end, at one time, end the run", "[restarts]") {
  // Between two walls, with no room.
  Event back = ground(1);
  back.name = "ceiling";
  back.direction = Direction::rising;
  const Solution solution = moved(Vec<4>(0, 5, 10, 15), Vec<4>(-1, 0, 0, 0), 1, {ground(1), back});
  INFO(solution.report.full());
  CHECK_FALSE(solution.report.usable());
  CHECK_THAT(solution.report.message, contains_text("accumulate"));
  CHECK(solution.report.integration.reached == 0);
}

TEST_CASE("what a kick at the same time starts does not kick once more", "[restarts]") {
  // The kick is of t alone; it moves 1, which touches 2.
  const Event kick{.name = "kick",
                   .function = [](double t, const VecX&) { return t - 0.5; },
                   .direction = Direction::rising,
                   .change =
                       [](double, VecX z) {
                         z[5] += 1;
                         return z;
                       }};
  const Solution solution = moved(Vec<4>(0, 1, 5, 9), Vec<4>::Zero(), 1, {kick, hit(0)});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  REQUIRE(solution.occurrences.size() == 2);
  CHECK((solution.end().head(2) - Vec<2>(0, 1.5)).norm() < 1e-9);
}

TEST_CASE("a state of first order that starts at a level is switched there", "[restarts]") {
  struct Cools {
    using State = Vec<2>;
    State f(const State& x, double) const { return {x[1] - 1, 0}; }
  };
  Options options;
  options.events = {{.name = "cold",
                     .function = [](double, const VecX& x) { return x[0] - 20; },
                     .direction = Direction::falling,
                     .change =
                         [](double, VecX x) {
                           x[1] = 2;
                           return x;
                         }}};
  const Solution solution = ivp::solve(Cools{}, Vec<2>(20, 0), {0, 1}, options);
  REQUIRE(solution.report.usable());
  CHECK(solution.occurrences.size() == 1);
  CHECK(solution.end()[0] == Approx(21));
}
