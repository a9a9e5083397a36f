// Events of model files: they change states, stop runs, turn velocities at impacts.

#include <cmath>

#include "core/start/problem_start.hpp"
#include "models/unit_check.hpp"
#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;

namespace {

ivp::Solution solved(const Model& model, double t_end, double rtol = 1e-11) {
  ivp::Options options{.rtol = rtol, .atol = rtol, .events = events_as<ivp::Event>(model.events)};
  ivp::Solution solution =
      ivp::solve(*model.problem, model.start, {model.interval.begin, t_end}, options);
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  return solution;
}

void check_refused(const std::string& text, const std::string& part) {
  std::string found = "nothing";
  try {
    model_of(text, "mine.toml");
  } catch (const ModelError& error) {
    found = error.what();
  }
  INFO(found);
  CHECK(found.find(part) != std::string::npos);
}

/// A ball on a vertical guide.
const std::string ball = R"(
gravity = [0, -10]
parameters = { e = 0.8 }
[[body]]
name = "ball"
mass = 2
inertia = 1
position = [0, 5]
[[joint]]
type = "prismatic"
between = ["ground", "ball"]
axis = [0, 1]
angle = 0
)";

const std::string floor_below = R"([[event]]
name = "floor"
when = "ball.y"
direction = "falling"
)";

/// Two rods that hang from each other, beside a wall on the left of the lower end.
const std::string rods_at_wall = R"(
gravity = [0, -9.81]
[[body]]
name = "rod"
repeat = 2
mass = "i"
inertia = "i/12"
angle = "-pi/2 + 0.5*i"
[[joint]]
type = "revolute"
repeat = 2
between = ["rod{i-1}", "rod{i}"]
at = [["i == 1 ? 0 : 0.5", 0], [-0.5, 0]]
[[event]]
name = "wall"
when = "rod2.x + 0.5*cos(rod2.phi) + 0.3"
direction = "falling"
)";

/// A mass on a spring that is met by a wall, as the angle of a wheel: index 3.
const std::string circle = R"(
[dae]
order = 2
[dae.differential]
x = "-2*x*l"
y = "-2*y*l - 9.81"
[dae.algebraic]
l = "x^2 + y^2 - 1"
[dae.start]
x = 1
y = 0
"x'" = 0
"y'" = 0
)";

}  // namespace

TEST_CASE("a ball of a file bounces as its closed form says", "[models][event]") {
  const Model model = model_of(ball + floor_below + "set = { \"ball.y'\" = \"-e*ball.y'\" }\n", "");
  const ivp::Solution solution = solved(model, 4);
  REQUIRE(solution.occurrences.size() == 3);
  double t = 1, speed = 10;  // sqrt(2 5 / 10)
  for (const ivp::Occurrence& one : solution.occurrences) {
    CHECK(std::abs(one.t - t) < 1e-9);
    CHECK(std::abs(entry(model, one.state, "ball.y'") + speed) < 1e-8);
    speed *= 0.8;
    CHECK(std::abs(entry(model, one.after, "ball.y'") - speed) < 1e-8);
    t += 2 * speed / 10;
  }
}

TEST_CASE("restitution is what `set` says where a body is free to turn back", "[models][event]") {
  const Model one = model_of(ball + floor_below + "set = { \"ball.y'\" = \"-e*ball.y'\" }\n", "");
  const Model other = model_of(ball + floor_below + "restitution = \"e\"\n", "");
  CHECK((solved(one, 4).end() - solved(other, 4).end()).lpNorm<Eigen::Infinity>() < 1e-9);
}

TEST_CASE("an impact without a loss keeps the energy and turns the rate of the distance",
          "[models][event]") {
  const Model model = model_of(rods_at_wall + "restitution = 1\n", "");
  const ivp::Solution solution = solved(model, 3);
  REQUIRE(solution.occurrences.size() >= 2);
  const double all = energy(model, model.start);
  for (const ivp::Occurrence& one : solution.occurrences) {
    CHECK(std::abs(energy(model, one.after) - energy(model, one.state)) < 1e-12 * std::abs(all));
    const auto rate = [&](const VecX& z) {
      return entry(model, z, "rod2.x'") -
             0.5 * std::sin(entry(model, z, "rod2.phi")) * entry(model, z, "rod2.phi'");
    };
    CHECK(std::abs(rate(one.after) + rate(one.state)) < 1e-12);
    CHECK(std::abs(rate(one.state)) > 0.1);
    // The upper rod is hit through the joint.
    CHECK(std::abs(entry(model, one.after, "rod1.phi'") - entry(model, one.state, "rod1.phi'")) >
          1e-3);
  }
  CHECK(std::abs(energy(model, solution.end()) - all) < 1e-8 * std::abs(all));
}

TEST_CASE("a moving wall gives its rate to what it hits", "[models][event]") {
  const Model model = model_of(ball +
                                   "[[event]]\nname = \"lift\"\nwhen = \"ball.y - t\"\n"
                                   "direction = \"falling\"\nrestitution = 0.5\n",
                               "");
  const ivp::Solution solution = solved(model, 1.5);
  REQUIRE(!solution.occurrences.empty());
  const ivp::Occurrence& first = solution.occurrences.front();
  const double before = entry(model, first.state, "ball.y'") - 1;
  CHECK(std::abs(entry(model, first.after, "ball.y'") - 1 + 0.5 * before) < 1e-10);
}

TEST_CASE("a run of a file ends at a terminal event", "[models][event]") {
  const Model model = model_of(ball + floor_below + "terminal = true\n", "");
  const ivp::Solution solution = solved(model, 4);
  CHECK(std::abs(solution.t.back() - 1) < 1e-9);
}

TEST_CASE("states that an event sets are brought back to the constraints", "[models][event]") {
  // Half of the velocity is along the rod: it goes.
  const Model model = model_of(circle + R"([[event]]
when = "y + 0.5"
direction = "falling"
set = { "x'" = 1, "y'" = 0 }
)",
                               "");
  const ivp::Solution solution = solved(model, 1);
  REQUIRE(!solution.occurrences.empty());
  const VecX after = solution.occurrences.front().after;
  const double x = std::sqrt(0.75), y = -0.5, along = -y;  // of (1, 0) on the tangent (-y, x)
  CHECK(std::abs(after[2] - along * -y) < 1e-9);
  CHECK(std::abs(after[3] - along * x) < 1e-9);
}

TEST_CASE("a state that stands still is a mode that events switch", "[models][event]") {
  // A heater of two points: index 1, as the power is an algebraic unknown.
  const Model model = model_of(R"(
parameters = { low = 1, high = 2 }
[dae.differential]
heat = "-heat + power"
on = 0
[dae.algebraic]
power = "power - 3*on"
[dae.start]
heat = 0.5
on = 1
[[event]]
name = "warm"
when = "heat - high"
direction = "rising"
set = { on = 0 }
[[event]]
name = "cold"
when = "heat - low"
direction = "falling"
set = { on = 1 }
)",
                               "");
  const ivp::Solution solution = solved(model, 5);
  REQUIRE(solution.occurrences.size() >= 4);
  const double first = std::log(2.5), down = std::log(2.0), up = std::log(2.0);
  CHECK(std::abs(solution.occurrences[0].t - first) < 1e-8);
  CHECK(std::abs(solution.occurrences[1].t - first - down) < 1e-8);
  CHECK(std::abs(solution.occurrences[2].t - first - down - up) < 1e-8);
}

TEST_CASE(
    "an event turns the spin of a body in space, and its Euler parameters stay of unit length",
    "[models][event]") {
  std::string text = read_model_text(example_folder + "heavy-top.toml");
  text += "[[event]]\nwhen = \"t - 0.1\"\nset = { \"top.w2\" = \"-top.w2\" }\n";
  const Model turned = model_of(text, "top.toml");
  const ivp::Solution solution = solved(turned, 0.2, 1e-9);
  REQUIRE(solution.occurrences.size() == 1);
  const auto spin = [&](const VecX& z) {
    const auto e = [&](int k) { return z[3 + k]; };
    const auto d = [&](int k) { return z[10 + k]; };
    // 2 e* e', its y.
    return 2 * (e(0) * d(2) - e(2) * d(0) - (e(3) * d(1) - e(1) * d(3)));
  };
  const ivp::Occurrence& one = solution.occurrences.front();
  CHECK(std::abs(spin(one.state)) > 100);
  CHECK(std::abs(spin(one.after) + spin(one.state)) < 1e-9 * 150);
  CHECK(std::abs(one.after.segment<4>(3).norm() - 1) < 1e-13);
  CHECK(std::abs(one.after.segment<4>(3).dot(one.after.segment<4>(10))) < 1e-10);
}

TEST_CASE("repeated events without a name are told apart by their index", "[models][event]") {
  const Model model =
      model_of(ball + "[[event]]\nwhen = \"ball.y - i\"\nrepeat = 3\n", "mine.toml");
  REQUIRE(model.events.size() == 3);
  CHECK(model.events[0].name == "ball.y - i, i = 1");
  CHECK(model.events[2].name == "ball.y - i, i = 3");
  const Model written =
      model_of(ball + "[[event]]\nwhen = \"ball.y - {i}\"\nrepeat = 2\n", "mine.toml");
  CHECK(written.events[1].name == "ball.y - 2");
  check_refused(ball + "[[event]]\nwhen = \"ball.y\"\nrepeat = 2\n",
                "when = 'ball.y': there is an event of this already");
}

TEST_CASE("repeated events have names and indices of their own", "[models][event]") {
  const Model model = model_of(ball + R"([[event]]
name = "height"
repeat = 3
when = "ball.y - i"
direction = "falling"
)",
                               "");
  REQUIRE(model.events.size() == 3);
  CHECK(model.events[1].name == "height2");
  const ivp::Solution solution = solved(model, 0.95);
  REQUIRE(solution.occurrences.size() == 3);
  for (const ivp::Occurrence& one : solution.occurrences) {
    CHECK(std::abs(one.t - std::sqrt(0.2 * (5 - (one.event + 1)))) < 1e-9);
  }
}

TEST_CASE("wrong events are told with their place and the way out", "[models][event]") {
  const auto with = [](const std::string& lines) { return ball + "[[event]]\n" + lines; };
  check_refused(with("name = \"a\"\n"), "when is missing");
  check_refused(with("when = \"ball.y > 1\"\n"), "is a comparison: write what passes through 0");
  check_refused(with("when = \"ball.z\"\n"), "unknown name 'ball.z' (did you mean ball.x");
  check_refused(with("when = \"e\"\n"), "neither t nor a state");
  check_refused(with("when = \"t - 1\"\ndirection = \"down\"\n"), "must be rising, falling or any");
  check_refused(with("when = \"t - 1\"\nset = { \"ball.q\" = 1 }\n"), "sets 'ball.q'");
  check_refused(with("when = \"t - 1\"\nset = { e = 1 }\n"), "no entry of the state");
  check_refused(with("when = \"t - 1\"\nset = { \"ball.y\" = 1 }\nterminal = true\n"),
                "ends the run");
  check_refused(with("when = \"ball.y\"\nrestitution = 2\n"), "from 0, no rebound, to 1");
  check_refused(with("when = \"ball.y'\"\nrestitution = 1\n"), "is a distance");
  check_refused(with("when = \"t - 1\"\nrestitution = 1\n"), "is a distance");
  check_refused(with("when = \"t - 1\"\nset = {}\n"), "must be a table of what changes");
  check_refused(with("when = \"t - 1\"\nsets = { \"ball.y\" = 1 }\n"), "did you mean set?");
  check_refused(with("when = \"t - 1\"\n[[event]]\nwhen = \"t - 1\"\n"),
                "there is an event of this");
  check_refused(circle + "[[event]]\nwhen = \"l\"\n", "no algebraic unknowns");
  check_refused(circle + "[[event]]\nwhen = \"y\"\nset = { l = 1 }\n", "no entry of the state");
  check_refused(circle + "[[event]]\nwhen = \"y\"\nrestitution = 1\n", "for mechanisms of bodies");
  check_refused(R"([dae]
boundary = ["x(0) - 1"]
[dae.differential]
x = "-x"
[[event]]
when = "x"
[solve]
t = [0, 1]
)",
                "is for initial values");
}

TEST_CASE("an event that turns a body sets angular velocities of it as it is behind", "[models]") {
  const auto after = [](const std::string& set) {
    const Model model = model_of(R"(space = "spatial"
[[body]]
name = "b"
mass = 1
inertia = [0.1, 0.2, 0.25]
orientation = { axis = [1, 2, 3], angle = 0.7 }
angular_velocity = [0.3, -0.4, 1]
[[joint]]
type = "spherical"
between = ["ground", "b"]
[[event]]
name = "kick"
when = "t - 0.5"
set = { )" + set + " }\n",
                                 "mine.toml");
    // Brought back, as it is in a run: nothing of it may be lost so.
    VecX state = model.events[0].change(0.5, model.start);
    REQUIRE(repair_start(*model.problem, state, 0.5, 1e-13).ok);
    const Eigen::Quaterniond e(state[3], state[4], state[5], state[6]),
        rate(state[10], state[11], state[12], state[13]);
    const Vec<3> in_ground = 2 * (rate * e.conjugate()).vec(),
                 in_body = 2 * (e.conjugate() * rate).vec();
    return std::pair{in_ground, in_body};
  };
  const std::string turn =
      "\"b.e0\" = \"cos(0.6)\", \"b.e1\" = \"sin(0.6)\", \"b.e2\" = 0, \"b.e3\" = 0";
  const std::string longer = "\"b.e0\" = 3, \"b.e1\" = 0, \"b.e2\" = 4, \"b.e3\" = 0";
  for (const std::string& e : {turn, longer}) {
    CHECK((after(e + ", \"b.wx\" = 0, \"b.wy\" = 2, \"b.wz\" = 0.5").first - Vec<3>(0, 2, 0.5))
              .norm() < 1e-12);
    CHECK((after(e + ", \"b.w1\" = 0.2, \"b.w2\" = 2, \"b.w3\" = 0").second - Vec<3>(0.2, 2, 0))
              .norm() < 1e-12);
    // What is not named stays.
    CHECK((after(e + ", \"b.wy\" = 2").first - Vec<3>(0.3, 2, 1)).norm() < 1e-12);
    CHECK((after(e).first - Vec<3>(0.3, -0.4, 1)).norm() < 1e-12);
  }
  // Rates that are set are those.
  const std::string rates = "\"b.e0'\" = 0, \"b.e1'\" = 0, \"b.e2'\" = 0.8, \"b.e3'\" = -0.6";
  const Vec<3> by_rates = 2 * (Eigen::Quaterniond(0, 0, 0.8, -0.6) *
                               Eigen::Quaterniond(std::cos(0.6), std::sin(0.6), 0, 0).conjugate())
                                  .vec();
  CHECK((after(turn + ", " + rates).first - by_rates).norm() < 1e-12);
}

TEST_CASE("an event that is repeated sets the state of its own body", "[models]") {
  const std::string balls = R"(gravity = [0, -9.81]
[[body]]
name = "ball"
repeat = 2
mass = 1
inertia = 0.1
position = ["i", "i"]
[[joint]]
type = "prismatic"
repeat = 2
between = ["ground", "ball{i}"]
at = [["i", 0], [0, 0]]
axis = [0, 1]
angle = 0
)";
  const auto floor = [](const std::string& set) {
    return "[[event]]\nrepeat = 2\nname = \"floor\"\nwhen = \"ball{i}.y\"\nset = { " + set + " }\n";
  };
  const Model model = model_of(balls + floor("\"ball{i}.y'\" = \"-0.5*ball{i}.y'\""), "mine.toml");
  VecX state = model.start;
  state.tail(6) << 0, -3, 0, 0, -4, 0;
  VecX first = state, second = state;
  first[7] = 1.5;
  second[10] = 2;
  CHECK(model.events[0].change(0, state) == first);
  CHECK(model.events[1].change(0, state) == second);
  CHECK(check_units(balls + floor("\"ball{i}.y'\" = \"-0.5*ball{i}.y'\""), model).wrong.empty());
  check_refused(balls + floor("\"ball{i + 2}.y'\" = 0"), "sets 'ball3.y'', which is no entry");
  check_refused(balls + floor("\"ball{i.y'\" = 0"), "a { without its }");
  check_refused(balls + floor("\"ball{i/2}.y'\" = 0"), "{i/2} is 0.5: must be whole");
  check_refused(balls + floor("\"ball{i}.y'\" = 0, \"ball2.y'\" = 1"),
                "'ball2.y'' is said twice where i = 2: say it once");
}
