// Units: what texts mean, what expressions are in, what is told of a file.

#include <map>

#include "models/unit_check.hpp"
#include "models/units/unit_inference.hpp"
#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;

namespace {

std::string said(const std::string& unit) {
  const auto found = unit_of(unit);
  return found ? text_of(*found) : "none";
}

/// The unit of an expression, or what is wrong with it.
std::string inferred(const std::string& expression) {
  const std::map<std::string, std::string> names = {{"l", "m"},     {"m", "kg"},    {"t", "s"},
                                                    {"g", "m/s^2"}, {"phi", "rad"}, {"k", "N/m"},
                                                    {"a", "deg"}};
  std::string wrong;
  UnitInference inference(
      [&](const std::string& name) {
        const auto found = names.find(name);
        return found == names.end() ? std::nullopt : unit_of(found->second);
      },
      [&](std::size_t place, const std::string& what) {
        wrong = std::to_string(place) + ": " + what;
      });
  const MaybeUnit found = inference.of(parse(expression));
  if (!wrong.empty()) return wrong;
  return found ? (found->loose ? "about " : "") + text_of(found->unit) : "unknown";
}

std::string wrong_in(const std::string& text) {
  std::string all;
  for (const std::string& one : check_units(text, model_of(text, "mine.toml")).wrong) all += one;
  return all;
}

const std::string crank = R"([parameters]
l = 1
m = 2
J = "m*l^2/12"
[units]
l = "m"
m = "kg"
[[body]]
name = "crank"
mass = "m"
inertia = "J"
angle = 0.3
[[joint]]
type = "revolute"
between = ["ground", "crank"]
at = [[0, 0], ["-l/2", 0]]
)";

}  // namespace

TEST_CASE("texts of units are products of powers of SI", "[models][units]") {
  CHECK(said("m") == "m");
  CHECK(said("kg m^2") == "m^2 kg");
  CHECK(said("N m") == said("J"));
  CHECK(said("N*m") == said("kg m²/s²"));
  CHECK(said("m/s^2") == "m/s^2");
  CHECK(said("1/s") == said("Hz"));
  CHECK(said("rad/s") == "1/s");
  CHECK(said("W/(m K)") == said("kg·m/(s^3 K)"));
  CHECK(said("km/h") == "0.277778 m/s");
  CHECK(said("mm") == "0.001 m");
  CHECK(said("m^0.5") == "m^0.5");
  CHECK(said("%") == "0.01 1");
  CHECK(said("°C") == "none");
  CHECK(said("apples") == "none");
  CHECK(said("m^") == "none");
  CHECK(said("m//s") == "none");
  CHECK(said("((m)") == "none");
  CHECK(said("") == "none");
}

TEST_CASE("the unit of an expression follows from its names", "[models][units]") {
  CHECK(inferred("m*g*l") == said("J"));
  CHECK(inferred("sqrt(l/g)") == "s");
  CHECK(inferred("l + l*phi") == "m");
  CHECK(inferred("1 + l") == "m");
  CHECK(inferred("(m*l)^-2") == said("1/(m^2 kg^2)"));
  CHECK(inferred("l > 2 ? m : m") == "kg");
  CHECK(inferred("other*l") == "unknown");
  CHECK(inferred("l + m") == "2: m and kg are added");
  CHECK(inferred("sin(l)") == "0: sin of something in m: must be a number, angles in rad");
  CHECK(inferred("sin(a)") ==
        "0: sin of something in 0.0174533 1: must be a number, angles in rad");
  CHECK(inferred("l < t") == "2: m and s are compared");
  CHECK(inferred("atan2(l, m)") == "0: m and kg are put into one function");
  CHECK(inferred("2^l") == "1: an exponent in m: must be a number");
}

TEST_CASE("a number as a factor may have any unit", "[models][units]") {
  CHECK(inferred("sin(2*t)") == "1");
  CHECK(inferred("10*l + m*g") == said("N"));
  CHECK(inferred("9.81*m") == "unknown");
  CHECK(inferred("m*l^2/12") == "about m^2 kg");
}

TEST_CASE("units of a mechanism are checked where its parameters have some", "[models][units]") {
  CHECK(wrong_in(crank) == "");
  CHECK(wrong_in(crank + "[[force]]\ntype = \"torque\"\non = \"crank\"\nvalue = \"m*crank.x\"\n") ==
        "mine.toml:20:10: is in m kg, must be in m^2 kg/s^2\n  value = \"m*crank.x\"\n           ^");
  std::string other = crank;
  other.replace(other.find("l^2/12"), 6, "l/12");
  CHECK(wrong_in(other).find("is in m kg, must be in m^2 kg") != std::string::npos);
  CHECK(wrong_in(crank + "[[event]]\nwhen = \"crank.x + crank.phi\"\n").find("are added") !=
        std::string::npos);
  const UnitCheck unchecked = check_units(
      "[parameters]\nb = 2\n" + crank.substr(crank.find("[[body]]")),
      model_of("[parameters]\nl = 1\nm = 1\nJ = 1\n" + crank.substr(crank.find("[[body]]")),
               "mine.toml"));
  CHECK(unchecked.unchecked == std::vector<std::string>{"J", "l", "m"});
}

TEST_CASE("units of equations are checked by those of the unknowns", "[models][units]") {
  const std::string pendulum = R"([parameters]
g = 9.81
[units]
g = "m/s^2"
t = "s"
[dae]
order = 2
[dae.differential]
x = "-2*x*l"
y = "-g - 2*y*l"
[dae.algebraic]
l = "x^2 + y^2 - 1"
[dae.start]
x = 1
y = 0
"x'" = 0
"y'" = 0
[dae.units]
x = "m"
y = "m"
"x'" = "m/s"
"y'" = "m/s"
)";
  CHECK(wrong_in(pendulum) == "");  // 2*y*l may have any.
  std::string wrong = pendulum;
  wrong.replace(wrong.find("-g - 2*y*l"), 10, "-g*y - g");
  CHECK(wrong_in(wrong).find("m^2/s^2 and m/s^2 are subtracted") != std::string::npos);
}

TEST_CASE("a unit is of a parameter or of t", "[models][units]") {
  std::string found;
  try {
    std::string text = crank;
    text.replace(text.find("l = \"m\""), 1, "L");
    model_of(text, "mine.toml");
  } catch (const ModelError& error) {
    found = error.what();
  }
  CHECK(found.find("units: 'L' is no parameter") != std::string::npos);
}
