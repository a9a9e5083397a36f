// More joints than a mechanism needs.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/adapt/problem_of.hpp"
#include "core/start/redundant_rows.hpp"
#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;

namespace {

/// Cranks side by side on one beam: a parallelogram, and more of them.
std::string parallel_cranks(int n) {
  return "gravity = [0, -9.81]\n[parameters]\nn = " + std::to_string(n) + R"(
[[body]]
name = "crank"
repeat = "n"
mass = 1
inertia = 0.1
angle = 0.7
[[body]]
name = "beam"
mass = 5
inertia = 10
position = [0.7648, 0.6442]
[[joint]]
type = "revolute"
repeat = "n"
between = ["ground", "crank{i}"]
at = [["i - 1", 0], [-0.5, 0]]
[[joint]]
type = "revolute"
repeat = "n"
between = ["crank{i}", "beam"]
at = [[0.5, 0], ["i - 1", 0]]
)";
}

/// A crank whose angle two drives say, one of them t.
Model driven_twice(const std::string& value) {
  return model_of(R"([[body]]
name = "crank"
mass = 1
inertia = 0.1
[[joint]]
type = "revolute"
between = ["ground", "crank"]
at = [[0, 0], [-0.5, 0]]
driven = "t"
[[joint]]
type = "angle"
between = ["ground", "crank"]
value = ")" + value + "\"\n[solve]\nt = [0, 2]\n",
                  "drives.toml");
}

std::string vector(const Eigen::Vector3d& v) {
  return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
}

/// A four-bar of hinges, moving in a plane in space; gravity is in the plane.
/// @param turned  the plane's own axes, the third of them its normal.
std::string four_bar_in_space(const Eigen::Quaterniond& turned) {
  const std::array<Eigen::Vector3d, 4> pins = {
      Eigen::Vector3d(0, 0, 0), {0.24, 0.32, 0}, {1, 0.8, 0}, {1.2, 0, 0}};
  std::string text =
      "space = \"spatial\"\ngravity = " + vector(turned * Eigen::Vector3d(0, -9.81, 0)) + "\n";
  std::string joints;
  for (int i = 0; i < 4; ++i) {
    std::string at_before = vector(turned * pins[i]), at_after = at_before;
    const auto along = [&](int k) {
      const Eigen::Vector3d d = pins[k + 1] - pins[k];
      return std::pair(d.norm(), std::atan2(d[1], d[0]));
    };
    if (i < 3) {
      const auto [length, angle] = along(i);
      const Eigen::Quaterniond q = turned * Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ());
      text += fmt::format(
          "[[body]]\nname = \"b{}\"\nmass = 1\ninertia = [0.01, 0.1, 0.1]\nposition = {}\n"
          "orientation = {{ quaternion = [{}, {}, {}, {}] }}\n",
          i + 1, vector(turned * (0.5 * (pins[i] + pins[i + 1]))), q.w(), q.x(), q.y(), q.z());
      at_after = vector({-length / 2, 0, 0});
    }
    if (i > 0) at_before = vector({along(i - 1).first / 2, 0, 0});
    joints += fmt::format(
        "[[joint]]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = [{}, {}]\naxis = {}\n",
        i == 0 ? "ground" : fmt::format("b{}", i), i == 3 ? "ground" : fmt::format("b{}", i + 1),
        at_before, at_after,
        vector(i == 0 ? turned * Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitZ()));
  }
  return text + joints;
}

}  // namespace

TEST_CASE("a four-bar moves alike in all planes, those close to the axes too", "[models]") {
  // Of the rows of its last hinge those left out are dependent, not those nearly so.
  const auto middle = [](const Eigen::Quaterniond& turned) {
    const Model model = model_of(four_bar_in_space(turned), "four-bar.toml");
    CHECK(left_out(model) == std::vector<std::string>{"3 of 5 rows of revolute b3-ground"});
    const VecX end = end_of(model, 1);
    const Eigen::Vector3d at(entry(model, end, "b2.x"), entry(model, end, "b2.y"),
                             entry(model, end, "b2.z"));
    return Eigen::Vector3d(turned.conjugate() * at);
  };
  const Eigen::Vector3d known = middle(Eigen::Quaterniond::Identity());
  CHECK(std::abs(known[0]) > 0.1);
  for (const double tilt : {1.0, 1e-4, 1e-6}) {
    for (const Eigen::Vector3d& about : {Eigen::Vector3d(1, 2, 0), {0, 1, 0}}) {
      for (const double quarter : {0.0, 0.5}) {
        CAPTURE(tilt, about.transpose(), quarter);
        const Eigen::Quaterniond onto(Eigen::AngleAxisd(2 * std::numbers::pi * quarter,
                                                        Eigen::Vector3d(1, 1, 0).normalized()));
        const Eigen::Quaterniond turned(Eigen::AngleAxisd(tilt, about.normalized()));
        CHECK_THAT((middle(turned * onto) - known).norm(), WithinAbs(0, 1e-7));
      }
    }
  }
}

TEST_CASE("Bricard's loop moves without the row that depends on others", "[models]") {
  const Model model = read_model(example_folder + "bricard.toml");
  CHECK(left_out(model) == std::vector<std::string>{"1 of 5 rows of revolute bar5-ground"});
  CHECK(model.problem->sizes().nq - model.problem->sizes().nl() == 1);
  const VecX end = end_of(model, 1.5);
  CHECK_THAT(energy(model, end), WithinAbs(energy(model, model.start), 1e-9));
  // The hinge that lost a row still closes: its point on bar5 is that of the ground, its axis too.
  const Eigen::Quaterniond e(entry(model, end, "bar5.e0"), entry(model, end, "bar5.e1"),
                             entry(model, end, "bar5.e2"), entry(model, end, "bar5.e3"));
  const Eigen::Vector3d centre(entry(model, end, "bar5.x"), entry(model, end, "bar5.y"),
                               entry(model, end, "bar5.z"));
  CHECK_THAT((centre + e * Eigen::Vector3d(0, 0.5, 0) - Eigen::Vector3d(0, 0, 1)).norm(),
             WithinAbs(0, 1e-9));
  CHECK_THAT((e * Eigen::Vector3d::UnitX() - Eigen::Vector3d::UnitX()).norm(), WithinAbs(0, 1e-9));
  CHECK(entry(model, end, "bar1.z") < -0.4);
  // Regular methods of other kinds take it.
  const VecX windows = end_of(*model.problem, model.start, {0, 1.5}, ivp::GaussWindows(), 1e-11);
  CHECK_THAT((windows - end).lpNorm<Eigen::Infinity>(), WithinAbs(0, 1e-7));
}

TEST_CASE("a loop with a row too many is assembled from a rough guess", "[models]") {
  const std::string path = example_folder + "bricard.toml";
  std::string text = read_model_text(path);
  const std::string place = "position = [\"l/2\", \"-l\", \"l\"]";
  REQUIRE(text.find(place) != std::string::npos);
  text.replace(text.find(place), place.size(), "position = [0.6, -0.9, 1.05]");
  const Model model = model_of(text, path);
  CHECK(model.start_moved > 0.05);
  CHECK(left_out(model).size() == 1);
  CHECK_THAT(energy(model, end_of(model, 0.5)), WithinAbs(energy(model, model.start), 1e-9));
}

TEST_CASE("cranks that are too many are left out, in any structure of the constraints",
          "[models]") {
  const Model two = model_of(parallel_cranks(2), "two.toml");
  CHECK(left_out(two).empty());
  for (const int n : {3, 12}) {
    const Model many = model_of(parallel_cranks(n), "many.toml");
    CHECK(static_cast<int>(left_out(many).size()) == n - 2);
    CHECK(many.problem->sizes().nq - many.problem->sizes().nl() == 1);
    const VecX end = end_of(many, 1);
    const auto crank = [&](int i) {
      return entry(many, end, "crank" + std::to_string(i) + ".phi");
    };
    for (int i = 2; i <= n; ++i) CHECK_THAT(crank(i), WithinAbs(crank(1), 1e-9));
    CHECK_THAT(energy(many, end), WithinAbs(energy(many, many.start), 1e-8));
  }
}

TEST_CASE("rows that contradict each other later are not taken for redundant", "[models]") {
  CHECK(left_out(driven_twice("t")) ==
        std::vector<std::string>{"1 of 1 row of angle ground-crank"});
  CHECK(left_out(driven_twice("t + t^3")).empty());
}

TEST_CASE("drives that contradict each other late are not redundant, however little at first",
          "[models]") {
  for (const char* const value :
       {"t < 1 ? t : 2*t - 1", "t - 0.01*t^6", "t + 1e-4*(1 - cos(3*t))"}) {
    CAPTURE(value);
    const Model model = driven_twice(value);
    CHECK(left_out(model).empty());
    const ivp::Solution run = ivp::solve(*model.problem, model.start, {0, 2}, {.rtol = 1e-8});
    CHECK((!run.report.usable() || !run.report.warnings.empty()));
  }
}

/// A rod whose ends slide along two axes, and its middle on a circle: each of these follows from
/// the other two, but two of them with the circle do not imply the third everywhere.
std::string ellipse_trammel(const std::vector<std::string>& order, double phi, double rate) {
  std::string text = fmt::format(R"(gravity = [-2, 0]
[[body]]
name = "rod"
mass = 1
inertia = "1/3"
position = [{0}, {1}]
angle = {2}
velocity = [{3}, {4}]
angular_velocity = {5}
)",
                                 std::cos(phi), std::sin(phi), -phi, -rate * std::sin(phi),
                                 rate * std::cos(phi), -rate);
  for (const std::string& one : order) {
    text += "[[joint]]\nname = \"" + one + "\"\nbetween = [\"ground\", \"rod\"]\n";
    text += one == "link" ? "type = \"distance\"\nlength = 1\n"
            : one == "A"  ? "type = \"point_on_line\"\nat = [[0, 0], [1, 0]]\naxis = [1, 0]\n"
                          : "type = \"point_on_line\"\nat = [[0, 0], [-1, 0]]\naxis = [0, 1]\n";
  }
  return text;
}

TEST_CASE("rows are left out that the others imply wherever the mechanism goes", "[models]") {
  for (const double phi : {1.2, 1.57, 1.572}) {
    std::optional<double> known;
    for (const std::vector<std::string>& order :
         {std::vector<std::string>{"A", "B", "link"}, {"link", "A", "B"}, {"B", "link", "A"}}) {
      CAPTURE(phi, order);
      const Model model = model_of(ellipse_trammel(order, phi, -0.5), "trammel.toml");
      CHECK(left_out(model) == std::vector<std::string>{"1 of 1 row of link"});
      const double end = entry(model, end_of(model, 5, 1e-10), "rod.phi");
      if (!known) known = end;
      CHECK_THAT(end, WithinAbs(*known, 1e-6));
    }
  }
}

TEST_CASE("a run tells where rows that were left out follow from the others no more", "[models]") {
  expression::Equations two;
  two.nq = 2;
  const expression::Variables of = two.variables();
  auto& graph = two.graph;
  const auto q = [&](int i) { return graph.variable(of.q(i)); };
  const auto zero = graph.number(0), one = graph.number(1);
  two.f = {zero, one};
  two.M = {one, one};
  two.g = {q(0)};
  // 0 at the start, and where y moves no more.
  two.implied = {q(1)};
  two.implied_names = "joint of the test";
  const DaeProblemPtr problem = expression::problem_of(std::move(two));
  const ivp::Solution run = ivp::solve(*problem, VecX::Zero(4), {0, 2}, {.rtol = 1e-8});
  CHECK(run.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(run.report.message, Contains("left out"));
  CHECK_THAT(run.report.message, Contains("joint of the test"));
}

TEST_CASE("a singular configuration is not taken for redundant rows", "[models]") {
  // The slider-crank upright: its rows depend on each other there alone.
  const Model model = model_of(R"(gravity = [0, -9.81]
[[body]]
name = "crank"
mass = 1
inertia = "1/12"
angle = "pi/2"
[[body]]
name = "rod"
mass = 1
inertia = "1/12"
angle = "-pi/2"
[[joint]]
type = "revolute"
between = ["ground", "crank"]
at = [[0, 0], [-0.5, 0]]
[[joint]]
type = "revolute"
between = ["crank", "rod"]
at = [[0.5, 0], [-0.5, 0]]
[[joint]]
type = "point_on_line"
between = ["ground", "rod"]
at = [[0, 0], [0.5, 0]]
axis = [1, 0]
)",
                               "upright.toml");
  CHECK(left_out(model).empty());
  CHECK(model.problem->sizes().nl() == 5);
  const RedundantRows found = redundant_rows(*model.problem, model.start, 0);
  CHECK(found.here.size() == 1);
  CHECK(found.everywhere.empty());
}
