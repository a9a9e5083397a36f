// Mechanisms from text against the same ones as compiled structs, and against what is known of
// them otherwise.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include "core/adapt/problem_of.hpp"
#include "core/start/problem_start.hpp"
#include "problems/chain.hpp"
#include "problems/slider_crank.hpp"
#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;

namespace {

std::string body_with(const std::string& name, const std::string& more) {
  return "[[body]]\nmass = 1\ninertia = 0.1\nname = \"" + name + "\"\n" + more;
}

Model planar_pendulum(const std::string& more) {
  return model_of(R"(gravity = [0, -9.81]
[[body]]
name = "bob"
mass = 2
inertia = 0.5
angle = 0.4
[[joint]]
type = "revolute"
between = ["ground", "bob"]
at = [[0, 0], [-0.5, 0]]
)" + more,
                  "pendulum.toml");
}

}  // namespace

TEST_CASE("the slider-crank from text is the compiled one", "[models]") {
  const Model model = read_model(example_folder + "slider-crank.toml");
  const problems::SliderCrank compiled;
  const VecX start = compiled.start();
  CHECK_THAT((model.start - start).norm(), WithinAbs(0, 1e-14));
  REQUIRE(model.problem->sizes() == problem_of(compiled)->sizes());
  CHECK(model.problem->structure().mass == Structure::Mass::diagonal);
  CHECK(model.problem->structure().mass_constant);
  for (const ivp::Method& method : {ivp::Method(), ivp::Method(ivp::GaussWindows())}) {
    const VecX text = end_of(*model.problem, model.start, {0, 2}, method, 1e-9);
    const VecX code = end_of(*problem_of(compiled), model.start, {0, 2}, method, 1e-9);
    CHECK_THAT((text - code).norm(), WithinAbs(0, 1e-7));
  }
  const int nq = model.problem->sizes().nq;
  CHECK_THAT(model.problem->energy(start.data(), start.data() + nq),
             WithinAbs(problem_of(compiled)->energy(start.data(), start.data() + nq), 1e-14));
}

TEST_CASE("a chain from text is the compiled one, and its structure is seen", "[models]") {
  for (const int rods : {3, 16, 64}) {
    const Model model =
        read_model(example_folder + "chain.toml", {{"n", static_cast<double>(rods)}});
    CHECK(model.problem->structure().constraints == Structure::Constraints::chain);
    problems::Chain compiled;
    compiled.rods = rods;
    const VecX start = compiled.start();
    CHECK_THAT((model.start - start).lpNorm<Eigen::Infinity>(), WithinAbs(0, 1e-13));
    const VecX text = end_of(*model.problem, start, {0, 0.5}, {}, 1e-9);
    const VecX code = end_of(*problem_of(compiled), start, {0, 0.5}, {}, 1e-9);
    CHECK_THAT((text - code).lpNorm<Eigen::Infinity>(), WithinAbs(0, 1e-9));
  }
  CHECK(read_model(example_folder + "chain.toml").discrete == std::vector<std::string>{"n"});
}

TEST_CASE("every model of the examples is consistent, and its derivatives are exact", "[models]") {
  int models = 0;
  for (const auto& file : std::filesystem::directory_iterator(example_folder)) {
    if (file.path().extension() != ".toml") continue;
    INFO(file.path());
    ++models;
    const Model model = read_model(file.path().string());
    const double t = model.interval.begin;
    REQUIRE(static_cast<int>(model.state_names.size()) == model.start.size());
    if (model.boundary) continue;  // Has no start.
    CHECK(check_start(*model.problem, model.start, t).ok(1e-10));
    const DerivativeReport derivatives = check_derivatives(*model.problem, model.start, t);
    INFO(derivatives.text());
    CHECK(derivatives.ok());
  }
  CHECK(models >= 4);
}

TEST_CASE("a rod on a hinge swings with the frequency of a physical pendulum", "[models]") {
  // Small swings: omega^2 = m g l / (J + m l^2), here about the lowest position.
  Model model = planar_pendulum("");
  const double omega = std::sqrt(2 * 9.81 * 0.5 / (0.5 + 2 * 0.25));
  const double amplitude = 1e-4, phi = -std::acos(-1.0) / 2 + amplitude;
  VecX z = VecX::Zero(6);
  z << 0.5 * std::cos(phi), 0.5 * std::sin(phi), phi, 0, 0, 0;
  const double period = 2 * std::acos(-1.0) / omega;
  const VecX end = end_of(*model.problem, z, {0, period}, {}, 1e-12);
  CHECK_THAT((end - z).norm(), WithinAbs(0, 1e-3 * amplitude));
}

TEST_CASE("bodies without an angle are turned as fixed joints say", "[models]") {
  const auto body = [](const std::string& name) {
    return "[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = 0.1\n";
  };
  const auto fixed = [](const std::string& first, const std::string& second, const char* angle) {
    return "[[joint]]\ntype = \"fixed\"\nbetween = [\"" + first + "\", \"" + second +
           "\"]\nat = [[0.5, 0], [-0.5, 0]]\nangle = " + angle + "\n";
  };
  // Along joints, against them, and in any order.
  const Model model =
      planar_pendulum(body("a") + body("b") + body("c") + fixed("b", "a", "\"pi\"") +
                      fixed("bob", "b", "2.5") + fixed("c", "bob", "-1"));
  CHECK(model.start_moved < 1e-13);
  const std::map<std::string, double> angles = {
      {"bob", 0.4}, {"b", 2.9}, {"a", 2.9 + std::acos(-1)}, {"c", 1.4}};
  for (const auto& [name, angle] : angles) {
    const auto at = std::find(model.state_names.begin(), model.state_names.end(), name + ".phi");
    CHECK_THAT(model.start[at - model.state_names.begin()], WithinAbs(angle, 1e-13));
  }
  // What is given stays a guess, from which all are moved to the nearest.
  CHECK(planar_pendulum(body("a") + "angle = 1\n" + fixed("bob", "a", "2.5")).start_moved > 0.1);
}

TEST_CASE("the order of joints that say angles changes nothing", "[models]") {
  std::string bodies;
  for (const char* name : {"a", "b", "c"}) {
    bodies += std::string("[[body]]\nname = \"") + name + "\"\nmass = 1\ninertia = 0.1\n";
  }
  const auto fixed = [](const char* first, const char* second, const char* angle) {
    return std::string("[[joint]]\ntype = \"fixed\"\nbetween = [\"") + first + "\", \"" + second +
           "\"]\nangle = " + angle + "\n";
  };
  const std::string hinge = "[[joint]]\ntype = \"revolute\"\nbetween = [\"bob\", \"b\"]\n";
  // None of a, b and c is turned by another body: the first of the file stays as it is.
  std::vector<std::string> joints = {fixed("a", "b", "0.5"), fixed("c", "b", "0.2"), hinge};
  const VecX start = planar_pendulum(bodies + joints[0] + joints[1] + joints[2]).start;
  CHECK_THAT(start[3 * 1 + 2], WithinAbs(0, 1e-13));
  CHECK_THAT(start[3 * 3 + 2], WithinAbs(0.3, 1e-13));
  std::sort(joints.begin(), joints.end());
  do {
    const VecX other = planar_pendulum(bodies + joints[0] + joints[1] + joints[2]).start;
    CHECK_THAT((other - start).norm(), WithinAbs(0, 1e-13));
  } while (std::next_permutation(joints.begin(), joints.end()));
}

TEST_CASE("velocities that are not given follow those that are along the joints", "[models]") {
  const auto body = [](const std::string& name, const std::string& more) {
    return "[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = 0.1\n" + more;
  };
  const auto joint = [](const std::string& type, const std::string& first,
                        const std::string& second, const std::string& more) {
    return "[[joint]]\ntype = \"" + type + "\"\nbetween = [\"" + first + "\", \"" + second +
           "\"]\n" + more;
  };
  const std::string at = "at = [[0.5, 0], [-0.5, 0]]\n", line = "axis = [0.6, 0.8]\n";
  // A hinge, what is fixed to its body, a slider on that, which rests there, and what hangs from
  // it.
  const std::vector<std::string> joints = {
      joint("revolute", "ground", "turning", at), joint("fixed", "turning", "held", at),
      joint("prismatic", "held", "sliding", line), joint("revolute", "sliding", "last", at)};
  std::string text = body("turning", "angle = 0.3\nangular_velocity = 3\n") + body("held", "") +
                     body("sliding", "") + body("last", "angular_velocity = -1\n");
  for (const std::string& one : joints) text += one;
  const Model model = model_of(text, "mine.toml");
  const auto rate = [&](const std::string& name) { return entry(model, model.start, name + "'"); };
  for (const char* name : {"turning.phi", "held.phi", "sliding.phi"}) {
    CHECK_THAT(rate(name), WithinAbs(3, 1e-12));
  }
  CHECK_THAT(rate("last.phi"), WithinAbs(-1, 1e-12));
  // About the hinge at (0.5, 0).
  for (const std::string name : {"turning", "held", "sliding"}) {
    CHECK_THAT(rate(name + ".x"), WithinAbs(-3 * entry(model, model.start, name + ".y"), 1e-12));
    CHECK_THAT(rate(name + ".y"),
               WithinAbs(3 * (entry(model, model.start, name + ".x") - 0.5), 1e-12));
  }
}

TEST_CASE("velocities that a file states are kept where the joints allow them", "[models]") {
  const auto crank = [](const std::string& of_crank, const std::string& of_rod,
                        const std::string& of_hinge = "") {
    const std::string body = "[[body]]\nmass = 1\ninertia = 0.1\n";
    const std::string hinge = "[[joint]]\ntype = \"revolute\"\n";
    return model_of(body + "name = \"crank\"\nangle = -0.6\n" + of_crank + body +
                        "name = \"rod\"\nangle = 0.5\n" + of_rod + hinge + of_hinge +
                        "between = [\"ground\", \"crank\"]\nat = [[0, 0], [-0.5, 0]]\n" + hinge +
                        "between = [\"crank\", \"rod\"]\nat = [[0.5, 0], [-0.6, 0]]\n"
                        "[[joint]]\ntype = \"point_on_line\"\nbetween = [\"ground\", \"rod\"]\n"
                        "at = [[0, 0], [0.6, 0]]\naxis = [1, 0]\n",
                    "mine.toml");
  };
  const auto rate = [](const Model& model, const std::string& name) {
    return entry(model, model.start, name + "'");
  };
  // Of a loop, whose other velocities follow from one.
  const Model by_crank = crank("angular_velocity = 3\n", "");
  CHECK_THAT(rate(by_crank, "crank.phi"), WithinAbs(3, 1e-13));
  CHECK(by_crank.velocity_moved < 1e-13);
  CHECK(check_start(*by_crank.problem, by_crank.start, 0).ok(1e-12));
  const Model by_rod = crank("", "angular_velocity = -2\n");
  CHECK_THAT(rate(by_rod, "rod.phi"), WithinAbs(-2, 1e-13));
  // Of a centre of mass, by which its body turns.
  const Model by_centre = model_of(R"([[body]]
name = "bob"
mass = 2
inertia = 0.5
velocity = [0, 1.5]
[[joint]]
type = "revolute"
between = ["ground", "bob"]
at = [[0, 0], [-0.5, 0]]
)",
                                   "mine.toml");
  CHECK_THAT(rate(by_centre, "bob.y"), WithinAbs(1.5, 1e-13));
  CHECK_THAT(rate(by_centre, "bob.phi"), WithinAbs(3, 1e-13));
  CHECK(by_centre.start_moved < 1e-13);
  // What contradicts is moved to the nearest, and told.
  const Model two = crank("angular_velocity = 3\n", "angular_velocity = 3\n");
  CHECK(two.velocity_moved > 0.1);
  REQUIRE(start_warnings(two).size() == 1);
  CHECK_THAT(start_warnings(two)[0], Contains("the joints do not allow all that are stated"));
  CHECK(start_warnings(by_crank).empty());
  CHECK(check_start(*two.problem, two.start, 0).ok(1e-12));
  CHECK(crank("angular_velocity = 3\n", "", "driven = \"-0.6 + t\"\n").velocity_moved > 1);
}

TEST_CASE("velocities that a file states are kept however fast or slow they are", "[models]") {
  const auto crank = [](double angle, double rate) {
    const auto number = [](double x) { return fmt::format("{:.17g}", x); };
    const std::string hinge = "[[joint]]\ntype = \"revolute\"\n";
    return model_of(body_with("crank", "angle = \"" + number(angle) + "\"\nangular_velocity = \"" +
                                           number(rate) + "\"\n") +
                        body_with("rod", "angle = -0.3\n") + body_with("slider", "") + hinge +
                        "between = [\"ground\", \"crank\"]\nat = [[0, 0], [-0.2, 0]]\n" + hinge +
                        "between = [\"crank\", \"rod\"]\nat = [[0.2, 0], [-0.5, 0]]\n" + hinge +
                        "between = [\"rod\", \"slider\"]\nat = [[0.5, 0], [0, 0]]\n"
                        "[[joint]]\ntype = \"prismatic\"\nbetween = [\"ground\", \"slider\"]\n"
                        "at = [[0, 0.1], [0, 0]]\naxis = [1, 0]\nangle = 0\n",
                    "mine.toml");
  };
  for (const double rate : {1e-9, 1.0, 5e3, 1e5, 1e8}) {
    for (int i = 0; i < 10; ++i) {
      const Model model = crank(0.05 + 0.3 * i, rate);
      CHECK(std::abs(entry(model, model.start, "crank.phi'") / rate - 1) < 1e-9);
      CHECK(start_warnings(model).empty());
      CHECK(check_start(*model.problem, model.start, 0, 1e-12, 1e-12).ok(1e-12));
    }
  }
}

TEST_CASE("springs, torques and forces do the work that they should", "[models]") {
  SECTION("a spring keeps the energy") {
    const Model model = planar_pendulum(R"([[force]]
type = "spring_damper"
between = ["ground", "bob"]
at = [[1, 1], [0.5, 0]]
k = 30
length = 0.4
[[force]]
type = "torsion_spring"
between = ["ground", "bob"]
k = 3
angle = 0.1
)");
    REQUIRE(model.problem->structure().has_energy);
    const VecX end = end_of(*model.problem, model.start, {0, 3}, {}, 1e-11);
    const auto energy = [&](const VecX& z) {
      return model.problem->energy(z.data(), z.data() + 3);
    };
    CHECK_THAT(energy(end), WithinAbs(energy(model.start), 1e-7));
  }
  SECTION("a spring force is what a force by expression says") {
    const Model spring = planar_pendulum(
        "[[force]]\ntype = \"spring_damper\"\nbetween = [\"ground\", \"bob\"]\n"
        "at = [[1, 1], [0.5, 0]]\nk = 30\nc = 2\n");
    const Model written = planar_pendulum(
        "[[force]]\ntype = \"force\"\non = \"bob\"\nat = [0.5, 0]\n"
        "value = [\"-30*(bob.x + 0.5*cos(bob.phi) - 1) - 2*s*(bob.x + 0.5*cos(bob.phi) - 1)\","
        " \"0\"]\n"
        "[parameters]\ns = 0\n");
    CHECK(!spring.problem->structure().has_energy);
    const auto force = [](const Model& model) {
      const auto evaluation = model.problem->evaluation();
      const double t = 0;
      const Points at{1, 1, &t, model.start.data(), model.start.data() + 3, nullptr};
      const double* f = evaluation->evaluate(Ask::f, at).f;
      return VecX(Eigen::Map<const VecX>(f, 3));
    };
    // At rest the damper is still; along x both are the same.
    CHECK_THAT(force(spring)[0], WithinAbs(force(written)[0], 1e-12));
  }
  SECTION("a torque between two bodies turns them against each other") {
    const Model model = model_of(R"([[body]]
name = "a"
mass = 1
inertia = 2
[[body]]
name = "b"
mass = 1
inertia = 4
[[force]]
type = "torque"
on = "b"
reaction = "a"
value = "3*t"
[[joint]]
type = "revolute"
between = ["ground", "a"]
[[joint]]
type = "revolute"
between = ["ground", "b"]
)",
                                 "turning.toml");
    const VecX end = end_of(*model.problem, model.start, {0, 2}, {}, 1e-10);
    CHECK_THAT(end[2], WithinAbs(-3.0 * 8 / 6 / 2, 1e-8));
    CHECK_THAT(end[5], WithinAbs(3.0 * 8 / 6 / 4, 1e-8));
  }
}

TEST_CASE("a driven joint follows its expression", "[models]") {
  const Model model = read_model(example_folder + "driven-crank.toml");
  CHECK(!model.problem->structure().has_energy);
  const VecX end = end_of(*model.problem, model.start, {0, 1.5}, {}, 1e-10);
  const auto phi = std::find(model.state_names.begin(), model.state_names.end(), "crank.phi");
  REQUIRE(phi != model.state_names.end());
  CHECK_THAT(end[phi - model.state_names.begin()], WithinAbs(0.5 + 2 * 1.5, 1e-8));
}

TEST_CASE("a disk rolls without slipping, as a constraint on positions or on velocities",
          "[models]") {
  const std::string disk = R"toml(gravity = ["9.81*sin(0.1)", "-9.81*cos(0.1)"]
[[body]]
name = "disk"
mass = 3
inertia = 1.5
position = [0, 1]
)toml";
  const Model rolling = model_of(disk +
                                     "[[joint]]\ntype = \"rolling\"\nbetween = [\"ground\", "
                                     "\"disk\"]\nradius = 1\naxis = [1, 0]\n",
                                 "rolling.toml");
  const Model slipless =
      model_of(disk +
                   "[[joint]]\ntype = \"constraint\"\ng = \"disk.y - 1\"\n"
                   "[[joint]]\ntype = \"velocity\"\nw = \"disk.x' + disk.phi'\"\n",
               "velocity.toml");
  CHECK(slipless.problem->sizes().nk == 1);
  for (const Model* model : {&rolling, &slipless}) {
    const VecX end = end_of(*model->problem, model->start, {0, 2}, {}, 1e-10);
    // x'' = g sin(a) / (1 + J / (m R^2))
    CHECK_THAT(end[0], WithinAbs(0.5 * 9.81 * std::sin(0.1) / 1.5 * 4, 1e-8));
    CHECK_THAT(end[2], WithinAbs(-end[0], 1e-9));
  }
}

TEST_CASE("the end of the interval can be said where the file says nothing of it", "[models]") {
  CHECK(planar_pendulum("").interval.end == 10);
  std::string text =
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\n[[joint]]\n"
      "type = \"revolute\"\nbetween = [\"ground\", \"b\"]\n";
  CHECK(model_of(text, "b.toml", {{"t-end", 3}}).interval.end == 3);
}

TEST_CASE("what a model takes to be read grows with its bodies, far from the origin too",
          "[models]") {
  // Every pair of a constraint and a coordinate would be 1.5e8 of them.
  const Model model = read_model(example_folder + "chain.toml", {{"n", 5000}});
  CHECK(model.problem->sizes().nl() == 10000);
  CHECK(model.problem->structure().constraints == Structure::Constraints::chain);
  CHECK(model.start.head(15000).lpNorm<Eigen::Infinity>() > 1000);
  CHECK(model.start_moved < 1e-9);
}

TEST_CASE("equal models are told from others, whatever the command line is to do with them",
          "[models]") {
  const Model model = planar_pendulum("");
  CHECK(planar_pendulum("[solve]\nt = [0, 3]\n").statement == model.statement);
  CHECK(planar_pendulum("# a remark\n").statement == model.statement);
  CHECK(planar_pendulum("[[force]]\ntype = \"torque\"\non = \"bob\"\nvalue = 1\n").statement !=
        model.statement);
}

TEST_CASE("joints of many bodies and sparse constraints are seen in the expressions", "[models]") {
  // A row of nine crosses, each on the ground and, by rods, on the next.
  std::string net =
      "[[body]]\nname = \"node\"\nrepeat = 9\nmass = 1\ninertia = 1\n"
      "position = [\"i\", 0]\n";
  const std::string rods =
      "[[joint]]\ntype = \"distance\"\nrepeat = 8\n"
      "between = [\"node{i}\", \"node{i+1}\"]\nlength = 1\n";
  const Model joints = model_of(net + rods, "net.toml");
  CHECK(joints.problem->structure().constraints == Structure::Constraints::joints);
  const Model sparse = model_of(
      net + rods + "[[joint]]\ntype = \"constraint\"\ng = \"node1.y + node5.y + node9.y\"\n",
      "net.toml");
  CHECK(sparse.problem->structure().constraints == Structure::Constraints::sparse);
  const Model dense = model_of(
      net + rods + "[[joint]]\ntype = \"velocity\"\nw = \"node1.x' + node1.y'\"\n", "net.toml");
  CHECK(dense.problem->structure().constraints == Structure::Constraints::dense);
  for (const Model* model : {&joints, &sparse, &dense}) {
    const DerivativeReport derivatives = check_derivatives(*model->problem, model->start, 0);
    INFO(derivatives.text());
    CHECK(derivatives.ok());
  }
}

TEST_CASE("parameters and the end of the interval can be others than the file's", "[models]") {
  const Model model = read_model(example_folder + "slider-crank.toml", {{"l", 2}, {"t-end", 3}});
  CHECK(model.interval.end == 3);
  CHECK_THAT(model.start[0], WithinAbs(std::cos(7 * std::acos(-1.0) / 4), 1e-14));
}
