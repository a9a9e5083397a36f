// Mechanisms of any size, and in any unit of length: what G mixes then says nothing of dependent
// constraints. And those that start beside where they are dependent.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/start/pose_scan.hpp"
#include "core/start/problem_start.hpp"
#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;

namespace {

/// By default, against projection to a tighter tolerance; of positions, in parts of the largest of
/// their kind.
void check_by_default(const Model& model, double end, double size) {
  const Interval span{0, end};
  const ivp::Solution found =
      ivp::solve(*model.problem, model.start, span, {.rtol = 1e-8, .every = 0});
  CAPTURE(end, size, found.report.full());
  REQUIRE(found.report.usable());
  const ivp::Solution exact = ivp::solve(
      *model.problem, model.start, span,
      {.method = ivp::ProjectEachStep{}, .rtol = 1e-11, .atol = 1e-11 * size, .every = 0});
  REQUIRE(exact.report.usable());
  const int n = model.problem->sizes().nq;
  const VecX off = (found.end() - exact.end()).head(n).cwiseAbs();
  for (int i = 0; i < n; ++i) {
    const std::string& name = model.state_names[static_cast<std::size_t>(i)];
    const bool is_length = name.ends_with(".x") || name.ends_with(".y") || name.ends_with(".z");
    CAPTURE(name);
    CHECK(off[i] < 1e-6 * (is_length ? size : 1));
  }
}

ivp::Solution run_to(const Model& model, double end) {
  return ivp::solve(*model.problem, model.start, {0, end}, {.every = 0});
}

/// Two bars of 1 m nearly on each other, at `angle` from it.
Model nearly_folded(double angle, double rate) {
  return model_of(fmt::format(R"(
[[body]]
name = "crank"
mass = 1
inertia = "1/12"
angle = "pi/2 + {0}"
angular_velocity = {1}
[[body]]
name = "rod"
mass = 1
inertia = "1/12"
angle = "-pi/2 - {0}"
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
                              angle, rate),
                  "folded.toml");
}

/// A crank that turns at 6 rad/s, a coupler and a rocker, in units of which a metre has `unit`.
Model crank_rocker(double unit) {
  const auto body = [unit](const char* name, double mass, double length, double x, double y,
                           double angle) {
    return fmt::format(
        "[[body]]\nname = \"{}\"\nmass = {}\ninertia = {}\nposition = [{}, {}]\nangle = {}\n", name,
        mass, mass * std::pow(unit * length, 2) / 12, unit * x, unit * y, angle);
  };
  const auto joint = [unit](const char* one, const char* other, double at_one, double at_other) {
    return fmt::format(
        "[[joint]]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = [[{}, 0], [{}, 0]]\n",
        one, other, unit * at_one, unit * at_other);
  };
  return model_of(
      fmt::format("gravity = [0, {}]\n", -9.81 * unit) + body("crank", 1, 0.7, 0.19, 0.29, 1) +
          fmt::format("angular_velocity = 6\nvelocity = [{}, {}]\n", -6 * 0.35 * std::sin(1) * unit,
                      6 * 0.35 * std::cos(1) * unit) +
          body("coupler", 2, 2.2, 1.4, 1.1, 0.45) + body("rocker", 1.5, 1.6, 2.2, 0.8, 1.35) +
          joint("ground", "crank", 0, -0.35) + joint("crank", "coupler", 0.35, -1.1) +
          joint("coupler", "rocker", 1.1, 0.8) + joint("ground", "rocker", 2, -0.8),
      "crank-rocker.toml");
}

/// phi at t, of phi'^2 (2/3 + 2 sin^2 phi) that is constant.
double angle_at(double phi, double rate, double t) {
  const auto inertia = [](double at) { return 2.0 / 3 + 2 * std::pow(std::sin(at), 2); };
  const auto slope = [&](const VecX& z, double) {
    return VecX(VecX{{z[1], -2 * std::sin(z[0]) * std::cos(z[0]) * z[1] * z[1] / inertia(z[0])}});
  };
  return runge_kutta(slope, VecX{{phi, rate}}, t, 2000)[0];
}

}  // namespace

TEST_CASE("a pendulum of 67 m moves by default, as one of any length, and is not called singular",
          "[models][passing]") {
  for (const double length : {1e-3, 1e-2, 1.0, 67.0}) {
    const Model model =
        read_model(example_folder + "spherical-pendulum.toml", {{"length", length}});
    const double end = 2 * std::sqrt(length);
    check_by_default(model, end, length);
    CHECK(run_to(model, end).report.singular_points.empty());
  }
}

TEST_CASE("bars of a tenth of a millimetre, and of kilometres, pass where they lie on each other",
          "[models][passing]") {
  for (const double l : {1e-4, 1e-2, 1.0, 1e2, 1e4}) {
    const Model model = read_model(example_folder + "slider-crank.toml", {{"l", l}});
    const double end = 2 * std::sqrt(l);
    check_by_default(model, end, l);
    CHECK(run_to(model, end).report.singular_points.size() == 1);
  }
}

TEST_CASE("a four-bar takes about as many evaluations in any unit of length", "[models]") {
  const Model in_metres = crank_rocker(1);
  for (const ivp::Method& method : {ivp::Method(ivp::GaussWindows{}), ivp::Method(ivp::SBoth2{})}) {
    const auto run = [&](const Model& model, double unit) {
      return ivp::solve(*model.problem, model.start, {0, 5},
                        {.method = method, .rtol = 1e-6, .atol = 1e-6 * unit, .every = 0});
    };
    const ivp::Solution usual = run(in_metres, 1);
    REQUIRE(usual.report.usable());
    const double angle = entry(in_metres, usual.end(), "crank.phi");
    const auto most = static_cast<double>(usual.report.integration.evaluations) * 1.6;
    for (const double unit : {1e-3, 1e2, 1e3, 1e5}) {
      const Model model = crank_rocker(unit);
      const ivp::Solution found = run(model, unit);
      CAPTURE(name_of(method), unit, found.report.full());
      REQUIRE(found.report.usable());
      CHECK(entry(model, found.end(), "crank.phi") == Approx(angle).epsilon(1e-3));
      CHECK(static_cast<double>(found.report.integration.evaluations) < most);
      CHECK(found.report.integration.rejected < 2 * usual.report.integration.rejected + 10);
    }
  }
}

TEST_CASE("bars that start beside where they lie on each other go on by windows",
          "[models][passing]") {
  const double upright = std::acos(0);
  for (const double angle : {1e-7, 1e-6, 1e-5, 9e-5, 1e-3}) {
    for (const double rate : {1.0, -1.0}) {
      CAPTURE(angle, rate);
      const Model model = nearly_folded(angle, rate);
      const ivp::Solution found =
          ivp::solve(*model.problem, model.start, {0, 2}, {.rtol = 1e-8, .every = 0});
      INFO(found.report.full());
      REQUIRE(found.report.usable());
      const double exact = angle_at(upright + angle, rate, 2);
      CHECK(entry(model, found.end(), "crank.phi") == Approx(exact).margin(1e-6));
    }
  }
}

TEST_CASE("the rate of a crank that is stated is kept however near its dead point is",
          "[models][passing]") {
  const double upright = std::acos(0);
  for (const double angle : {1e-12, 1e-11, 1e-10, 1e-9, 1e-8, -1e-8}) {
    for (const double rate : {1.0, -1e-3, 1e3}) {
      CAPTURE(angle, rate);
      const Model model = nearly_folded(angle, rate);
      CHECK(entry(model, model.start, "crank.phi") == Approx(upright + angle).epsilon(1e-15));
      CHECK(entry(model, model.start, "crank.phi'") == rate);
      CHECK(model.velocity_moved == 0);
      CHECK(check_start(*model.problem, model.start, 0).ok(1e-13 * std::max(1.0, std::abs(rate))));
    }
  }
}

TEST_CASE("a disk of any radius rolls by projection", "[models]") {
  const auto rolled = [](double size) {
    const Model model = read_model(example_folder + "rolling-disk.toml",
                                   {{"r", 0.3 * size}, {"speed", 2 * std::sqrt(size)}});
    const ivp::Solution found =
        ivp::solve(*model.problem, model.start, {0, std::sqrt(size)},
                   {.method = ivp::ProjectEachStep{}, .rtol = 1e-8, .every = 0});
    INFO(found.report.full());
    REQUIRE(found.report.usable());
    return VecX(found.end().head(3) / size);
  };
  const VecX usual = rolled(1);
  for (const double size : {1e-3, 1e2, 1e4, 1e6}) {
    CAPTURE(size);
    CHECK((rolled(size) - usual).norm() < 1e-6);
  }
}

TEST_CASE("poses in which bars lie on each other are found in any unit of length",
          "[models][poses]") {
  for (const double l : {1e-4, 1e-2, 1e2, 1e4}) {
    const Model model = read_model(example_folder + "slider-crank.toml", {{"l", l}});
    const PoseScan scan = scan_poses(*model.problem, model.start, 0);
    CAPTURE(l);
    REQUIRE(scan.poses.size() == 2);
    for (const SingularPose& pose : scan.poses) {
      CHECK(pose.rank == 4);
      CHECK(std::abs(std::cos(entry(model, pose.q, "crank.phi"))) < 1e-6);
    }
    const Model swings = read_model(example_folder + "spherical-pendulum.toml", {{"length", l}});
    CHECK(scan_poses(*swings.problem, swings.start, 0).poses.empty());
  }
}
