// Joints in space: what each of them lets go.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;
using Catch::Matchers::WithinAbs;

namespace {

const double half_turn = std::acos(-1.0);

std::string body(const std::string& name, const std::string& more = "") {
  return "[[body]]\nname = \"" + name + "\"\nmass = 2\ninertia = [0.3, 0.4, 0.5]\n" + more;
}
std::string joint(const std::string& type, const std::string& first, const std::string& second,
                  const std::string& more = "") {
  return "[[joint]]\ntype = \"" + type + "\"\nbetween = [\"" + first + "\", \"" + second + "\"]\n" +
         more;
}
Model spatial(const std::string& text) {
  return model_of("space = \"spatial\"\ngravity = [0, 0, -9.81]\n" + text, "mine.toml");
}
int freedom(const Model& model) { return model.problem->sizes().nq - model.problem->sizes().nl(); }

/// The four-bar of the examples, in the plane or, with three rows too many, in space.
std::string four_bar_in_space(const VecX& start) {
  const auto number = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", x);
    return std::string(text);
  };
  const auto bar = [&](const std::string& name, const std::string& mass, const std::string& J,
                       int of) {
    return "[[body]]\nname = \"" + name + "\"\nmass = " + mass + "\ninertia = [" + J + ", " + J +
           ", " + J + "]\nposition = [\"" + number(start[3 * of]) + "\", \"" +
           number(start[3 * of + 1]) + "\", 0]\norientation = { axis = [0, 0, 1], angle = \"" +
           number(start[3 * of + 2]) + "\" }\n";
  };
  const auto hinge = [](const std::string& a, const std::string& b, const std::string& at) {
    return joint("revolute", a, b, "axis = [[0, 0, 1], [0, 0, 1]]\nat = " + at + "\n");
  };
  return "space = \"spatial\"\ngravity = [0, -9.81, 0]\n" + bar("crank", "1", "0.1", 0) +
         bar("coupler", "2", "0.7", 1) + bar("rocker", "1.5", "0.3", 2) +
         hinge("ground", "crank", "[[0, 0, 0], [-0.5, 0, 0]]") +
         hinge("crank", "coupler", "[[0.5, 0, 0], [-1, 0, 0]]") +
         hinge("coupler", "rocker", "[[1, 0, 0], [0.75, 0, 0]]") +
         hinge("rocker", "ground", "[[-0.75, 0, 0], [2.5, 0, 0]]") +
         "[[force]]\ntype = \"spring_damper\"\nbetween = [\"ground\", \"coupler\"]\n"
         "at = [[1, 3, 0], [0, 0, 0]]\nk = 20\nc = 0.5\nlength = 1\n";
}

}  // namespace

TEST_CASE("a four-bar in space moves as that in the plane, without its redundant rows",
          "[models]") {
  const Model plane = read_model(example_folder + "four-bar.toml");
  const Model space = model_of(four_bar_in_space(plane.start), "space.toml");
  CHECK(freedom(space) == 1);
  int redundant = 0;
  for (const JointRows& one : space.joints) redundant += one.redundant;
  CHECK(redundant == 3);
  CHECK(left_out(space) == std::vector<std::string>{"3 of 5 rows of revolute rocker-ground"});
  const VecX flat = end_of(plane, 2), round = end_of(space, 2);
  for (const char* name : {"crank.x", "coupler.y", "rocker.x", "rocker.y'"}) {
    CHECK_THAT(entry(space, round, name), WithinAbs(entry(plane, flat, name), 1e-9));
  }
  const double half = entry(plane, flat, "coupler.phi") / 2;
  CHECK_THAT(std::abs(entry(space, round, "coupler.e3")),
             WithinAbs(std::abs(std::sin(half)), 1e-9));
}

TEST_CASE("each joint takes the freedom that it should", "[models]") {
  const std::string axis = "axis = [0, 1, 1]\n";
  const auto left = [&](const std::string& type, const std::string& more) {
    const Model model = spatial(body("a", "position = [0, 0, 0.5]\n") +
                                body("b",
                                     "position = [0.2, 0.1, 1]\norientation = { axis = [1, 1, "
                                     "0], angle = 0.4 }\n") +
                                joint(type, "a", "b", more));
    return freedom(model) - 6;
  };
  CHECK(left("spherical", "") == 3);
  CHECK(left("revolute", axis) == 1);
  CHECK(left("universal", "axis = [[1, 0, 0], [0, 1, 0]]\n") == 2);
  CHECK(left("cylindrical", axis) == 2);
  CHECK(left("prismatic", axis) == 1);
  CHECK(left("fixed", "") == 0);
  CHECK(left("distance", "length = 0.5\n") == 5);
  CHECK(left("point_on_line", axis) == 4);
  CHECK(left("point_on_plane", "normal = [1, 2, 3]\n") == 5);
  CHECK(left("rolling", "normal = [0, 0, 1]\naxis = [0, 1, 0]\nradius = 0.3\n") == 3);
}

TEST_CASE("a universal joint turns its shafts unevenly", "[models]") {
  // tan(out) = tan(in) / cos(bend), both from where the arm of the first is normal to the bend.
  const double bend = 0.5;
  const Model model = spatial(
      body("in") +
      body("out", "orientation = { axis = [0, 1, 0], angle = " + std::to_string(bend) + " }\n") +
      joint("revolute", "ground", "in", "axis = [[0, 0, 1], [0, 0, 1]]\ndriven = \"2*t\"\n") +
      joint("universal", "in", "out", "axis = [[0, 1, 0], [1, 0, 0]]\n") +
      joint("cylindrical", "ground", "out",
            "axis = [[\"sin(0.5)\", 0, \"cos(0.5)\"], [0, 0, 1]]\n"));
  CHECK(freedom(model) == 0);
  for (const double t : {0.3, 0.7, 2.0}) {
    const VecX end = end_of(model, t);
    const Eigen::Quaterniond out(entry(model, end, "out.e0"), entry(model, end, "out.e1"),
                                 entry(model, end, "out.e2"), entry(model, end, "out.e3"));
    const Eigen::Quaterniond bent(Eigen::AngleAxisd(bend, Eigen::Vector3d::UnitY()));
    const Eigen::Quaterniond turn = bent.conjugate() * out;
    const double angle = 2 * std::atan2(turn.z(), turn.w());
    CHECK_THAT(std::sin(angle) * std::cos(2 * t) * 1.0,
               WithinAbs(std::cos(angle) * std::sin(2 * t) * std::cos(bend), 1e-9));
  }
}

TEST_CASE("a torsion spring turns its body about the axis, by more than half a turn", "[models]") {
  const Model model = spatial(
      body("a", "angular_velocity = [0, 0, 9]\n") +
      joint("revolute", "ground", "a", "axis = [0, 0, 1]\n") +
      "[[force]]\ntype = \"torsion_spring\"\nbetween = [\"ground\", \"a\"]\naxis = [0, 0, 1]\n"
      "k = 2\nangle = 0.4\n");
  const double omega = std::sqrt(2 / 0.5);  // Swings from 0.4 by 4.5 to either side.
  for (const double t : {0.7, 1.3, 2.5}) {
    const VecX end = end_of(model, t);
    const double angle = 0.4 - 0.4 * std::cos(omega * t) + 9 / omega * std::sin(omega * t);
    CHECK_THAT(entry(model, end, "a.e0"), WithinAbs(std::cos(angle / 2), 1e-9));
    CHECK_THAT(entry(model, end, "a.e3"), WithinAbs(std::sin(angle / 2), 1e-9));
    CHECK_THAT(energy(model, end), WithinAbs(energy(model, model.start), 1e-9));
  }
}

TEST_CASE("a run ends where a torsion spring comes to a turn, whichever way and how fast it does",
          "[models]") {
  const double most = 2 * std::acos(-1.0) - 0.2;
  for (const double rate : {8.3, 15.0, 60.0, 400.0}) {
    for (const double way : {1.0, -1.0}) {
      const Model model =
          spatial(body("a", fmt::format("angular_velocity = [0, 0, {}]\n", way * rate)) +
                  joint("revolute", "ground", "a", "axis = [0, 0, 1]\n") +
                  "[[force]]\ntype = \"torsion_spring\"\nbetween = [\"ground\", \"a\"]\n"
                  "axis = [0, 0, 1]\nk = 0.5\n");
      for (const ivp::Options& options :
           {ivp::Options{}, ivp::Options{.method = ivp::SBoth2{}},
            ivp::Options{.method = ivp::BdfProjection{}}, ivp::Options{.rtol = 1e-3}}) {
        ivp::Options watched = options;
        watched.events = events_as<ivp::Event>(model.events);
        const ivp::Solution solution = ivp::solve(*model.problem, model.start, {0, 8}, watched);
        CAPTURE(rate, way, solution.report.message);
        CHECK_THAT(solution.report.message,
                   contains_text("torsion_spring ground-a wound by 6.083 rad, beyond a turn"));
        CHECK(solution.report.termination == Termination::refused);
        CHECK_THAT(solution.report.advice, contains_text("two springs of twice k"));
        // s'' = -omega^2 s from s' = rate.
        const double omega = std::sqrt(0.5 / 0.5);
        const double end = solution.report.integration.reached;
        CHECK_THAT(rate / omega * std::sin(omega * end), WithinAbs(most, 0.02));
      }
    }
  }
}

TEST_CASE("what is driven is where it is driven to, after any number of turns", "[models]") {
  const Model model = spatial(
      body("a") + body("slide", "position = [0, 0.5, 0]\n") +
      joint("revolute", "ground", "a", "axis = [0, 0, 1]\ndriven = \"3*t^2\"\n") +
      joint("prismatic", "a", "slide", "axis = [0, 1, 0]\ndriven = \"0.5 + 0.2*sin(t)\"\n"));
  CHECK(freedom(model) == 0);
  const double t = 2.5, angle = 3 * t * t, way = 0.5 + 0.2 * std::sin(t);
  const VecX end = end_of(model, t);
  CHECK_THAT(entry(model, end, "slide.x"), WithinAbs(-way * std::sin(angle), 1e-9));
  CHECK_THAT(entry(model, end, "slide.y"), WithinAbs(way * std::cos(angle), 1e-9));
}

TEST_CASE("along a line and a plane bodies fall as far as these let them", "[models]") {
  // The line leans by 30 degrees: half of gravity along it, a quarter downwards.
  const std::string line = "axis = [\"cos(pi/6)\", 0, \"-sin(pi/6)\"]\n";
  for (const std::string type : {"cylindrical", "prismatic", "point_on_line"}) {
    const Model model = spatial(body("a") + joint(type, "ground", "a", line));
    CHECK_THAT(entry(model, end_of(model, 1), "a.z"), WithinAbs(-9.81 / 8, 1e-9));
  }
  const Model plane = spatial(body("a") + joint("point_on_plane", "ground", "a",
                                                "normal = [\"sin(pi/6)\", 0, \"cos(pi/6)\"]\n"));
  CHECK_THAT(entry(plane, end_of(plane, 1), "a.z"), WithinAbs(-9.81 / 8, 1e-9));
}

TEST_CASE("two bodies that are fixed to each other swing as one", "[models]") {
  // About x: omega^2 = M g s / J.
  const Model model =
      spatial(body("a", "position = [0, 0, -1]\n") +
              body("b", "orientation = { axis = [1, 2, 3], angle = 1 }\n") +
              joint("revolute", "ground", "a", "axis = [1, 0, 0]\nat = [[0, 0, 0], [0, 0, 1]]\n") +
              joint("fixed", "a", "b", "at = [[0, 0, -1], [0, 0, 0]]\n"));
  CHECK(freedom(model) == 1);
  const Eigen::Quaterniond e(Eigen::AngleAxisd(1, Eigen::Vector3d(1, 2, 3).normalized()));
  const Eigen::Vector3d x = e.conjugate() * Eigen::Vector3d::UnitX();
  const double J = 0.3 + 2 * 1 + 2 * 4 + x.dot(x.cwiseProduct(Eigen::Vector3d(0.3, 0.4, 0.5)));
  const double omega = std::sqrt(9.81 * (2 * 1 + 2 * 2) / J), tiny = 1e-5;
  VecX start = model.start;
  for (int b : {0, 1}) {
    const double down = b == 0 ? 1 : 2;
    start[14 + 7 * b + 1] = down * tiny;
    const Eigen::Quaterniond at(start[7 * b + 3], start[7 * b + 4], start[7 * b + 5],
                                start[7 * b + 6]);
    const Eigen::Quaterniond rate = Eigen::Quaterniond(0, tiny / 2, 0, 0) * at;
    start.segment<4>(14 + 7 * b + 3) << rate.w(), rate.x(), rate.y(), rate.z();
  }
  const VecX end = end_of(*model.problem, start, {0, half_turn / omega}, {}, 1e-13);
  CHECK_THAT(end[7 + 7 + 8], WithinAbs(-2 * tiny, 1e-3 * tiny));
}

TEST_CASE("bodies without an orientation are turned as fixed joints say", "[models]") {
  const std::string turn = "orientation = { axis = [1, 2, 3], angle = 2.5 }\n";
  const Model along =
      spatial(body("a", "orientation = { axis = [0, 1, 0], angle = 0.3 }\n") +
              body("b", "angular_velocity = [0, 0, 1]\nangular_velocity_frame = \"body\"\n") +
              joint("spherical", "ground", "a", "at = [[0, 0, 0], [-0.5, 0, 0]]\n") +
              joint("fixed", "a", "b", turn + "at = [[0.5, 0, 0], [-0.5, 0, 0]]\n"));
  const Eigen::Quaterniond a(Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitY())),
      by(Eigen::AngleAxisd(2.5, Eigen::Vector3d(1, 2, 3).normalized())), b = a * by;
  CHECK_THAT((along.start.segment<4>(10) - Vec<4>(b.w(), b.x(), b.y(), b.z())).norm(),
             WithinAbs(0, 1e-13));
  const Vec<4> of_a(a.w(), a.x(), a.y(), a.z());
  CHECK_THAT((along.start.segment<4>(3) - of_a).norm(), WithinAbs(0, 1e-13));
  // The other body, and the hinge behind it, whose axis is of the frame that has been turned.
  const Model against =
      spatial(body("a", "orientation = { axis = [0, 1, 0], angle = 0.3 }\n") + body("b") +
              body("c") + joint("spherical", "ground", "a", "at = [[0, 0, 0], [-0.5, 0, 0]]\n") +
              joint("fixed", "b", "a", turn + "at = [[0.5, 0, 0], [-0.5, 0, 0]]\n") +
              joint("revolute", "b", "c", "axis = [0, 0, 1]\nat = [[0, 1, 0], [0, 0, 0]]\n"));
  const Eigen::Quaterniond other = a * by.conjugate();
  const Vec<4> turned(other.w(), other.x(), other.y(), other.z());
  CHECK_THAT((against.start.segment<4>(10) - turned).norm(), WithinAbs(0, 1e-13));
  CHECK_THAT((against.start.segment<4>(17) - Vec<4>(1, 0, 0, 0)).norm(), WithinAbs(0, 1e-13));
  CHECK(against.start_moved < 1e-13);
}

TEST_CASE("bodies in space that are fixed to each other turn alike at the start", "[models]") {
  const std::string at = "at = [[0.5, 0, 0], [-0.5, 0, 0]]\n";
  const Model model = spatial(
      body("a",
           "orientation = { axis = [1, 2, 3], angle = 1 }\nangular_velocity = [1, 2, 3]\n"
           "angular_velocity_frame = \"body\"\n") +
      body("b") + body("c") + joint("spherical", "ground", "a", at) +
      joint("prismatic", "b", "c", at + "axis = [0, 1, 0]\n") + joint("fixed", "a", "b", at));
  const Eigen::Quaterniond a(Eigen::AngleAxisd(1, Eigen::Vector3d(1, 2, 3).normalized()));
  for (int b = 0; b < 3; ++b) {
    const VecX e = model.start.segment<4>(7 * b + 3),
               rate = model.start.segment<4>(7 * (3 + b) + 3);
    const Eigen::Quaterniond turned(e[0], e[1], e[2], e[3]), of(rate[0], rate[1], rate[2], rate[3]);
    const Eigen::Vector3d w = 2 * (of * turned.conjugate()).vec();
    CHECK_THAT((w - a * Eigen::Vector3d(1, 2, 3)).norm(), WithinAbs(0, 1e-12));
  }
}

TEST_CASE("an angular velocity in space is kept though joints turn the body, and through a loop",
          "[models]") {
  // The hinge is about z; the body leans a little, and is brought back.
  const Model leaning = spatial(
      body("a", "orientation = { axis = [1, 0, 0], angle = 0.3 }\nangular_velocity = [0, 0, 3]\n") +
      joint("revolute", "ground", "a",
            "axis = [[0, 0, 1], [0, 0, 1]]\nat = [[0, 0, 0], [-0.5, 0, 0]]\n"));
  CHECK(leaning.start_moved > 0.1);
  const VecX& z = leaning.start;
  const Eigen::Quaterniond e(z[3], z[4], z[5], z[6]), rate(z[10], z[11], z[12], z[13]);
  CHECK_THAT((2 * (rate * e.conjugate()).vec() - Eigen::Vector3d(0, 0, 3)).norm(),
             WithinAbs(0, 1e-12));
  // Three of the rows are too many.
  std::string text = four_bar_in_space(read_model(example_folder + "four-bar.toml").start);
  text.insert(text.find("[[body]]", text.find("[[body]]") + 1), "angular_velocity = [0, 0, 2]\n");
  const Model loop = model_of(text, "space.toml");
  CHECK(loop.velocity_moved < 1e-12);
  CHECK_THAT(loop.start.segment<4>(7 * 3 + 3).norm(), WithinAbs(1, 1e-12));
  CHECK(loop.start.segment<4>(7 * 4 + 3).norm() > 0.01);
}

TEST_CASE("angular velocities in space are kept however fast they are", "[models]") {
  for (const char* rate : {"1", "3e4", "1e7"}) {
    for (const char* angle : {"0.1", "0.7", "1.9", "2.6", "4"}) {
      const Model model =
          spatial(body("a", std::string("orientation = { axis = [3, 1, 2], angle = ") + angle +
                                " }\nangular_velocity = [" + rate + ", 0, 0]\n") +
                  joint("spherical", "ground", "a", "at = [[0.1, 0.2, 0.3], [-0.5, 0.3, 0.2]]\n"));
      CHECK(start_warnings(model).empty());
      const VecX& z = model.start;
      const Eigen::Quaterniond e(z[3], z[4], z[5], z[6]), turn(z[10], z[11], z[12], z[13]);
      const double w = std::stod(rate);
      const Eigen::Vector3d off = 2 * (turn * e.conjugate()).vec() - Eigen::Vector3d(w, 0, 0);
      CHECK(off.norm() < 1e-12 * w);
    }
  }
}

TEST_CASE("bodies in space are assembled alike in any unit of length", "[models]") {
  VecX turned;
  for (const double L : {1.0, 1e-3, 1e3, 1e4}) {
    const auto number = [](double x) { return fmt::format("\"{:.17g}\"", x); };
    const std::string inertia = number(0.1 * L * L);
    const Model model = spatial("[[body]]\nname = \"door\"\nmass = 1\ninertia = [" + inertia +
                                ", " + inertia + ", " + inertia + "]\n" +
                                joint("revolute", "ground", "door",
                                      "at = [[0, 0, 0], [0, " + number(0.3 * L) +
                                          ", 0]]\naxis = [[1, 0, 0], [0, 0, 1]]\n"));
    const VecX e = model.start.segment<4>(3);
    if (turned.size() == 0) turned = e;
    CHECK((e - turned).norm() < 1e-6);
  }
}

TEST_CASE("the order of joints in space changes nothing", "[models]") {
  const std::string turn = "orientation = { axis = [0, 0, 1], angle = 1.2 }\n";
  std::vector<std::string> joints = {
      joint("fixed", "ground", "base", turn),
      joint("revolute", "base", "arm", "axis = [1, 0, 0]\nat = [[0, 0, 0], [0, -0.5, 0]]\n"),
      // Its turn is that of the start, which the next one says.
      joint("prismatic", "arm", "slider", "axis = [0, 1, 0]\n"),
      joint("fixed", "slider", "load", turn), joint("fixed", "load", "tip", turn)};
  const std::string bodies =
      body("base") + body("arm", turn) + body("slider") + body("load") + body("tip");
  const auto model = [&] {
    std::string all = bodies;
    for (const std::string& one : joints) all += one;
    return spatial(all);
  };
  const Model forward = model();
  CHECK(forward.start_moved < 1e-13);
  // About the axis of the base, which is turned with it, and not once more.
  CHECK_THAT(entry(forward, forward.start, "arm.e3"), WithinAbs(std::sin(0.6), 1e-13));
  const VecX end = end_of(forward, 0.3, 1e-10);
  std::sort(joints.begin(), joints.end());
  do {
    const Model other = model();
    CHECK_THAT((other.start - forward.start).norm(), WithinAbs(0, 1e-13));
  } while (std::next_permutation(joints.begin(), joints.end()));
  std::reverse(joints.begin(), joints.end());
  CHECK_THAT((end_of(model(), 0.3, 1e-10) - end).norm(), WithinAbs(0, 1e-8));
}

TEST_CASE("balls and disks roll down as their inertia lets them", "[models]") {
  const std::string slope = "normal = [\"sin(0.3)\", 0, \"cos(0.3)\"]\nradius = 0.5\n";
  const std::string on_it = "position = [\"0.5*sin(0.3)\", 0, \"0.5*cos(0.3)\"]\n";
  const auto rolled = [](const Model& model) {
    const VecX end = end_of(model, 1);
    CHECK_THAT(energy(model, end), WithinAbs(energy(model, model.start), 1e-9));
    return std::hypot(end[0] - model.start[0], end[2] - model.start[2]);
  };
  const Model ball = spatial("[[body]]\nname = \"a\"\nmass = 2\ninertia = \"2/5*2*0.5^2\"\n" +
                             on_it + joint("rolling", "ground", "a", slope));
  CHECK_THAT(rolled(ball), WithinAbs(5.0 / 14 * 9.81 * std::sin(0.3), 1e-9));
  const Model disk = spatial("[[body]]\nname = \"a\"\nmass = 2\ninertia = [0.125, 0.25, 0.125]\n" +
                             on_it + joint("rolling", "ground", "a", slope + "axis = [0, 1, 0]\n"));
  CHECK_THAT(rolled(disk), WithinAbs(1.0 / 3 * 9.81 * std::sin(0.3), 1e-9));
}

TEST_CASE("a disk that leans rolls in circles", "[models]") {
  const Model model = read_model(example_folder + "rolling-disk.toml");
  const VecX end = end_of(model, 2);
  CHECK_THAT(energy(model, end), WithinAbs(energy(model, model.start), 1e-9));
  CHECK(std::abs(entry(model, end, "disk.y")) > 0.1);
}

TEST_CASE("expressions know coordinates and angular velocities", "[models]") {
  // A velocity constraint: the body turns about z as fast as it moves along x.
  const Model model =
      spatial(body("a", "velocity = [1, 0, 0]\n") +
              "[[joint]]\ntype = \"constraint\"\ng = \"a.z - a.x*a.y\"\n"
              "[[joint]]\ntype = \"velocity\"\nw = [\"a.wz - a.x'\", \"a.w3 - 2*a.w1 - a.wz\"]\n");
  CHECK(model.problem->sizes().nk == 2);
  const VecX end = end_of(model, 0.5);
  CHECK_THAT(entry(model, end, "a.z"),
             WithinAbs(entry(model, end, "a.x") * entry(model, end, "a.y"), 1e-12));
  CHECK_THAT(energy(model, end), WithinAbs(energy(model, model.start), 1e-9));
}
