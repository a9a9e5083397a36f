// DAEs that a file states by equations: what is made of them, and what is said of wrong ones.

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "core/start/problem_start.hpp"
#include "ivp/solve.hpp"
#include "models/model.hpp"
#include "tests/catch.hpp"
#include "tests/source_folder.hpp"

using namespace daewave;
using namespace daewave::models;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;

namespace {

const std::string pendulum = R"([parameters]
m = 2
[dae]
order = 2
[dae.differential]
x = "-2*x*l"
y = "-9.81*m - 2*y*l"
[dae.mass]
x = "m"
y = "m"
[dae.algebraic]
l = "x^2 + y^2 - 1"
[dae.start]
x = 0.6
y = -0.81
"x'" = 0
"y'" = 0
[solve]
t = [0, 1]
)";

std::string refusal_of(const std::string& text) {
  try {
    model_of(text, "mine.toml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

std::string with(std::string text, const std::string& line, const std::string& other) {
  const std::size_t at = text.find(line);
  REQUIRE(at != std::string::npos);
  return text.replace(at, line.size(), other);
}

}  // namespace

TEST_CASE("a constraint of order 2 is of index 3, with B the coefficient of its multiplier",
          "[models]") {
  const Model model = model_of(pendulum, "pendulum.toml");
  CHECK(model.problem->kind() == Kind::second_order);
  CHECK_FALSE(model.is_mechanism);
  CHECK(model.state_names == std::vector<std::string>{"x", "y", "x'", "y'"});
  // The start is moved to the constraint.
  CHECK_THAT(model.start.head(2).norm(), WithinAbs(1, 1e-12));
  CHECK(model.start_moved > 1e-3);
  const double t = 0;
  const Points at{1, 1, &t, model.start.data(), model.start.data() + 2, nullptr};
  const auto evaluation = model.problem->evaluation();
  const Terms& terms = evaluation->evaluate(Ask::f | Ask::B | Ask::G, at);
  CHECK(terms.f[0] == 0);
  CHECK_THAT(terms.f[1], WithinAbs(-9.81, 1e-14));
  CHECK_THAT(terms.B[0], WithinAbs(model.start[0], 1e-14));  // 2 x / m.
  CHECK_THAT(terms.G[1], WithinAbs(2 * model.start[1], 1e-14));
  const ivp::Solution solution =
      ivp::solve(*model.problem, model.start, model.interval, {.rtol = 1e-10, .atol = 1e-10});
  REQUIRE(solution.report.usable());
  // Energy is that of the start.
  const auto energy = [](const VecX& z) { return z.tail(2).squaredNorm() / 2 + 9.81 * z[1]; };
  CHECK_THAT(energy(solution.end()), WithinAbs(energy(model.start), 1e-8));
  CHECK(check_derivatives(*model.problem, model.start, 0).ok());
}

TEST_CASE("a constraint of first order is of index 2", "[models]") {
  const Model model = read_model(testing::in_source("examples/models/ap91.toml"), {{"l", 3}});
  CHECK(model.problem->kind() == Kind::index_2);
  const ivp::Solution solution =
      ivp::solve(*model.problem, model.start, model.interval, {.rtol = 1e-10, .atol = 1e-10});
  REQUIRE(solution.report.usable());
  REQUIRE(model.exact);
  CHECK_THAT((solution.end() - model.exact(1)).norm(), WithinAbs(0, 1e-8));
}

TEST_CASE("unknowns in algebraic equations are of index 1, and need not be linear", "[models]") {
  const Model model = model_of(R"([dae.differential]
x = "-w"
[dae.algebraic]
w = "w^3 + w - x"
[dae.start]
x = 2
w = 0.9
[solve]
t = [0, 1]
)",
                               "index1.toml");
  CHECK(model.problem->kind() == Kind::invariants);
  REQUIRE(model.problem->start_algebraic());
  CHECK((*model.problem->start_algebraic())[0] == 0.9);
  const double t = 0;
  const VecX w = VecX::Constant(1, 1.0);
  const Points at{1, 1, &t, model.start.data(), nullptr, w.data()};
  const auto evaluation = model.problem->evaluation();
  const Terms& terms = evaluation->evaluate(Ask::f | Ask::r | Ask::r_w, at);
  CHECK(terms.f[0] == -1);
  CHECK(terms.r[0] == 0);
  CHECK(terms.r_w[0] == 4);
}

TEST_CASE("conditions see the state at both ends and inside", "[models]") {
  const Model model = model_of(R"=([parameters]
c = 0.5
[dae]
order = 2
boundary = ["x(0) - 1", "x'(2) + 2*x(c) - 3*x(c/2)"]
[dae.differential]
x = "-x"
[dae.guess]
x = "cos(t)"
"x'" = "-sin(t)"
[solve]
t = [0, 2]
)=",
                               "inside.toml");
  CHECK(model.problem->kind() == Kind::ordinary);  // x' = v, v' = ...
  REQUIRE(model.boundary);
  CHECK(model.boundary->inside == std::vector<double>{0.25, 0.5});
  const VecX left = VecX{{4, 5}}, right = VecX{{6, 7}};
  const VecX residual = model.boundary->residual(left, right, {VecX{{10, 0}}, VecX{{100, 0}}});
  CHECK(residual[0] == 3);
  CHECK(residual[1] == 7 + 200 - 30);
  CHECK_THAT(model.boundary->guess(1)[1], WithinAbs(-std::sin(1), 1e-15));
}

TEST_CASE("bounds are numbers and parameters, of what they are said of alone", "[models]") {
  const Model model = read_model(testing::in_source("tests/models/files/bounded.toml"));
  REQUIRE(model.boundary);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK(model.boundary->lower == VecX{{1e-3, -infinity}});
  CHECK(model.boundary->upper == VecX{{infinity, 100}});
  std::ifstream file(testing::in_source("tests/models/files/bounded.toml"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(model_of(text, "mine.toml", {{"least", 0.5}}).boundary->lower[0] == 0.5);
  const auto refused = [&](const std::string& from, const std::string& to) {
    return refusal_of(with(text, from, to));
  };
  CHECK_THAT(refused("y = \"least\"", "z = 1"), Contains("lower: unknown name 'z'"));
  CHECK_THAT(refused("y = \"least\"", "y = \"t\""), Contains("the same at all times"));
  CHECK_THAT(refused("\"y'\" = 100", "y = \"least\""),
             Contains("upper of y = 0.001: must be above its lower bound, 0.001"));
  const std::string without = with(text, "boundary = [\"y(0) - 1\", \"y(1) - exp(1)\"]\n", "");
  CHECK_THAT(refusal_of(with(without, "[dae.guess]\ny = \"-1 - t\"\n", "")),
             Contains("lower and upper: bounds are for"));
}

TEST_CASE("unknown parameters are constants of the state", "[models]") {
  const Model model = read_model(testing::in_source("examples/models/eigenvalue.toml"));
  CHECK(model.state_names == std::vector<std::string>{"u", "s", "k"});
  REQUIRE(model.boundary);
  CHECK(model.boundary->count == 3);
  CHECK(model.boundary->guess(0.3)[2] == 9);
}

TEST_CASE("unknown parameters of order 2 stand still, by a condition that is added", "[models]") {
  const std::string text = R"=([dae]
order = 2
boundary = ["x(0) - 0.5", "x'(0)", "x(0.5) - 0.1"]
[dae.differential]
x = "-2*x*l"
y = "-g - 2*y*l"
[dae.algebraic]
l = "x^2 + y^2 - 1"
[dae.unknown]
g = 8
[dae.guess]
x = "0.5 - 0.5*t"
y = -0.83
[dae.exact]
x = 0
y = 0
g = 0
"x'" = 0
"y'" = 0
[solve]
t = [0, 1]
)=";
  const Model model = model_of(text, "swing.toml");
  CHECK(model.state_names == std::vector<std::string>{"x", "y", "g", "x'", "y'", "g'"});
  REQUIRE(model.boundary);
  CHECK(model.boundary->count == 4);
  CHECK(model.boundary->guess(0.3)[2] == 8);
  CHECK(model.boundary->guess(0.3)[5] == 0);
  const VecX left = VecX{{1, 2, 3, 4, 5, 6}}, right = VecX::Zero(6);
  const VecX residual = model.boundary->residual(left, right, {VecX{{7, 0, 0, 0, 0, 0}}});
  CHECK(residual[3] == 6);
  CHECK_THAT(refusal_of(with(text, ", \"x(0.5) - 0.1\"", "")),
             Contains("boundary has 2 condition(s), 3 are wanted") &&
                 Contains("of the state (4) and for each unknown parameter, less those"));
}

TEST_CASE("what is wrong with equations is told with its place", "[models]") {
  const auto refused = [](const std::string& line, const std::string& other) {
    return refusal_of(with(pendulum, line, other));
  };
  const auto conditions = [](const std::string& of) {
    return refusal_of(with(with(pendulum, "[dae.start]", "[dae.guess]"), "[dae]\n",
                           "[dae]\nboundary = " + of + "\n"));
  };
  CHECK_THAT(refused("-2*x*l\"", "-2*x*l^2\""),
             Contains("mine.toml:6") && Contains("not linear in the multiplier l"));
  CHECK_THAT(refused("x^2 + y^2 - 1", "x^2 + z^2 - 1"), Contains("unknown name 'z'"));
  CHECK_THAT(refused("x^2 + y^2 - 1", "x*x'"), Contains("on positions"));
  CHECK_THAT(refused("x^2 + y^2 - 1", "t - 1"), Contains("no unknown is in it"));
  CHECK_THAT(refused("x^2 + y^2 - 1", "l - 1"), Contains("write first order"));
  CHECK_THAT(refused("l = \"x^2", "q = \"x^2"), Contains("unknown name 'l'"));
  CHECK_THAT(refused("order = 2", "order = 3"), Contains("must be 1 or 2"));
  CHECK_THAT(refused("order = 2", "order = 2\nboundry = 1"), Contains("boundry"));
  CHECK_THAT(refused("m = 2", "x = 2"), Contains("has a meaning already"));
  CHECK_THAT(refused("[dae.mass]", "[dae.where]\na = \"b\"\nb = 1\n[dae.mass]"),
             Contains("unknown name 'b'"));
  CHECK_THAT(refused("[dae.mass]", "[dae.where]\nx = 1\n[dae.mass]"),
             Contains("has a meaning already"));
  CHECK_THAT(refused("m = 2", "m = 0"), Contains("mass of x is 0"));
  CHECK_THAT(refused("\"x'\" = 0\n", ""), Contains("no start of x'"));
  CHECK_THAT(refused("y = -0.81", "yy = -0.81"), Contains("start: unknown name 'yy'"));
  CHECK_THAT(refused("x = 0.6", "x = \"t\""),
             Contains("'t': what is said here is the same at all times"));
  CHECK_THAT(refused("order = 2", "order = 2\nt = [0, 1]"),
             Contains("the interval is said in [solve]"));
  CHECK_THAT(refused("x = 0.6", "x = nan"), Contains("mine.toml:14:5: is not finite"));
  CHECK_THAT(conditions("[\"x(0)\"]"), Contains("boundary has 1 condition(s), 2 are wanted"));
  CHECK_THAT(conditions("[\"x(3)\", \"x(0)\"]"), Contains("outside of [0, 1]"));
  CHECK_THAT(conditions("[\"x\", \"x(0)\"]"), Contains("at which t?"));
  CHECK_THAT(conditions("[\"z(0)\", \"x(0)\"]"), Contains("z"));
  CHECK_THAT(conditions("[\"1\", \"x(0)\"]"), Contains("no state"));
  CHECK_THAT(conditions("[\"x(x)\", \"x(0)\"]"), Contains("x"));
  CHECK_THAT(refused("[dae]\n", "[dae.exact]\nx = 1\n[dae]\n"), Contains("exact: y is missing"));
  // What nothing would look at.
  CHECK_THAT(refused("[dae]\n", "[dae]\nboundary = [\"x(0)\", \"x(1)\"]\n"),
             Contains("give a first guess in [dae.guess]"));
  CHECK_THAT(refused("[dae.mass]", "[dae.guess]\nx = 1\n[dae.mass]"),
             Contains("guess: is for boundary values"));
  CHECK_THAT(refusal_of("[dae.differential]\nx = \"-k*x + z\"\n[dae.algebraic]\nz = \"x - 1\"\n"
                        "[dae.unknown]\nk = 2\n[dae.start]\nx = 1\n"),
             Contains("one boundary condition more"));
  CHECK_THAT(refusal_of("[dae]\norder = 1\n"), Contains("no differential equation"));
  CHECK_THAT(refusal_of("[dae.differential]\nx = \"-x\"\n[dae.algebraic]\nz = \"x - 1\"\n"
                        "[dae.start]\nx = 1\n"),
             Contains("'z' is in no differential equation"));
  CHECK_THAT(refusal_of("dae = 3\n"), Contains("dae"));
}
