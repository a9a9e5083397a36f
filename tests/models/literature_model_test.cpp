// Mechanisms of the literature from text against the compiled ones, which have other coordinates.

#include <string>

#include "core/adapt/problem_of.hpp"
#include "problems/andrews.hpp"
#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;
using Catch::Matchers::WithinAbs;

namespace {

Model example(const std::string& name) { return read_model(example_folder + name + ".toml"); }

}  // namespace

TEST_CASE("seven bodies from text move as those of the paper", "[models]") {
  const Model model = example("andrews");
  CHECK(model.start_moved < 1e-9);
  const problems::Andrews compiled;
  const DaeProblemPtr problem = problem_of(compiled);
  const VecX text = end_of(model, 0.03);
  const VecX code = end_of(*problem, compiled.start(), {0, 0.03}, {}, 1e-12);
  const auto angle = [&](int body) { return text[3 * body + 2]; };
  // beta, theta, gamma, Phi, delta, Omega, epsilon.
  CHECK_THAT(angle(0), WithinAbs(code[0], 1e-9));
  CHECK_THAT(angle(1), WithinAbs(code[0] + code[1], 1e-9));
  CHECK_THAT(angle(2), WithinAbs(code[2], 1e-9));
  CHECK_THAT(angle(3), WithinAbs(code[4], 1e-9));
  CHECK_THAT(angle(4), WithinAbs(code[3] + code[4], 1e-9));
  CHECK_THAT(angle(5), WithinAbs(code[6], 1e-9));
  CHECK_THAT(angle(6), WithinAbs(code[5] + code[6], 1e-9));
}

TEST_CASE("a double four-bar from text moves as a pendulum through its singular configurations",
          "[models]") {
  const Model model = example("double-four-bar");
  CHECK(model.start_moved < 1e-12);
  constexpr double end = 2;
  const VecX text = end_of(model, end);
  // phi'' = -(7/6) g cos phi, as a rod on a hinge of length 2/3 of g/phi'' does: x = cos, y = sin.
  const Model pendulum = model_of(
      "[dae]\norder = 2\n[dae.differential]\nx = \"-2*x*l\"\ny = \"-7/6*9.81 - 2*y*l\"\n"
      "[dae.algebraic]\nl = \"x^2 + y^2 - 1\"\n[dae.start]\nx = 0\ny = 1\n\"x'\" = -1\n\"y'\" = "
      "0\n",
      "pendulum.toml");
  const VecX point = end_of(pendulum, end);
  for (int crank = 0; crank < 3; ++crank) {
    CHECK_THAT(std::cos(text[3 * crank + 2]), WithinAbs(point[0], 1e-9));
    CHECK_THAT(std::sin(text[3 * crank + 2]), WithinAbs(point[1], 1e-9));
  }
}

TEST_CASE("the car axis from text ends as the test set for initial value problems says",
          "[models]") {
  const Model model = example("car-axis");
  const VecX end = end_of(model, 3);
  // The test set gives these digits at t = 3, computed in quadruple precision.
  const double known[] = {0.493455784275402809122e-1,  0.496989460230171153861,
                          0.104174252488542151681e1,   0.373911027265361256927,
                          -0.770583684040972357970e-1, 0.744686658723778553466e-2,
                          0.175568157537232222276e-1,  0.770341043779251976443};
  for (int i = 0; i < 8; ++i) CHECK_THAT(end[i], WithinAbs(known[i], 1e-9));
}

TEST_CASE("a heavy top in Euler parameters turns as in Euler angles", "[models]") {
  const Model model = model_of(R"=(space = "spatial"
gravity = [0, 0, -9.81]
[[body]]
name = "top"
mass = 2
inertia = [0.3, 0.3, 0.5]
position = [0, "0.8*sin(0.4)", "0.8*cos(0.4)"]
orientation = { axis = [1, 0, 0], angle = -0.4 }
angular_velocity = [0, "20*sin(0.4)", "20*cos(0.4)"]
[[joint]]
type = "spherical"
between = ["ground", "top"]
at = [[0, 0, 0], [0, 0, -0.8]]
)=",
                               "top.toml");
  CHECK(model.start_moved < 1e-12);
  // Of the tilt a and the turn p about the vertical, with the spin w about the axis that stays; I
  // is about the point at rest. The constraint on d is there for the methods, which want one.
  const Model angles = model_of(R"=([parameters]
I = "0.3 + 2*0.8^2"
S = "0.5*20"
[dae]
order = 2
[dae.differential]
a = "p'^2*sin(a)*cos(a) - S*p'*sin(a)/I + 2*9.81*0.8*sin(a)/I"
p = "(S*a' - 2*I*p'*a'*cos(a))/(I*sin(a))"
d = "-l"
[dae.algebraic]
l = "d"
[dae.start]
a = 0.4
p = 0
d = 0
"a'" = 0
"p'" = 0
"d'" = 0
)=",
                                "angles.toml");
  constexpr double end = 1;
  const VecX top = end_of(model, end);
  const VecX known = end_of(angles, end);
  // At the start it leans to y.
  CHECK_THAT(top[0], WithinAbs(-0.8 * std::sin(known[0]) * std::sin(known[1]), 1e-9));
  CHECK_THAT(top[1], WithinAbs(0.8 * std::sin(known[0]) * std::cos(known[1]), 1e-9));
  CHECK_THAT(top[2], WithinAbs(0.8 * std::cos(known[0]), 1e-9));
  CHECK(std::abs(known[1]) > 0.3);
}
