// What a newcomer is told of a model that is wrong.

#include <string>

#include "models/model.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using namespace daewave::models;

namespace {

const std::string crank = R"([[body]]
name = "crank"
mass = 1
inertia = 0.1
angle = 0.3
[[joint]]
type = "revolute"
between = ["ground", "crank"]
at = [[0, 0], [-0.5, 0]]
)";

std::string message(const std::string& text) {
  try {
    model_of(text, "mine.toml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

/// The model with one line in the place of another.
std::string instead(const std::string& line, const std::string& other) {
  std::string text = crank;
  const std::size_t at = text.find(line);
  REQUIRE(at != std::string::npos);
  return text.replace(at, line.size(), other);
}

void check_says(const std::string& text, const std::string& part) {
  const std::string found = message(text);
  INFO(found);
  CHECK(found.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("an unknown name is shown in its line with the nearest one", "[models]") {
  CHECK(message("parameters = { mass = 1 }\n" + instead("mass = 1\n", "mass = \"2*mas\"\n")) ==
        "mine.toml:4:11: unknown name 'mas' (did you mean mass?)\n"
        "  mass = \"2*mas\"\n"
        "            ^");
}

TEST_CASE("the mark stands below its place where names have letters of two bytes", "[models]") {
  CHECK(message("parameters = { \"länge\" = 1 }\n" +
                instead("mass = 1\n", "mass = \"länge*mas\"\n")) ==
        "mine.toml:4:15: unknown name 'mas'\n"
        "  mass = \"länge*mas\"\n"
        "                ^");
}

TEST_CASE("a wrong model is told with the place and the way out", "[models]") {
  CHECK(message(crank) == "none");
  check_says("", "no body");
  check_says(crank.substr(0, crank.find("[[joint]]")), "no joint");
  check_says(instead("mass = 1\n", ""), "mine.toml:1:1: body: mass is missing");
  check_says(instead("mass = 1\n", "mas = 1\n"), "body: mass is missing; is 'mas' meant for it?");
  check_says(instead("inertia =", "inertai ="), "inertia is missing; is 'inertai' meant for it?");
  check_says(instead("mass = 1\n", "mass = 0\n"), "mass = 0: must be above 0");
  check_says(instead("mass = 1\n", "mass = [1]\n"), "must be a number, or an expression in quotes");
  check_says(instead("mass = 1\n", "mass = nan\n"), "not finite");
  check_says(instead("mass = 1\n", "mass = 1\nweight = 2\n"), "unknown key 'weight'");
  check_says(instead("mass = 1\n", "mass = \"1/0\"\n"), "is inf");
  check_says(instead("\"crank\"]", "\"cranck\"]"), "did you mean crank?");
  check_says(instead("\"ground\", \"crank\"]", "\"crank\", \"crank\"]"), "names crank twice");
  check_says(instead("\"revolute\"", "\"revolut\""), "did you mean revolute?");
  check_says(instead("[[body]]", "[body]"), "write [[body]] above each");
  check_says(instead("angle = 0.3", "angle = \"t\""),
             "'t': what is said here is the same at all times");
  check_says(instead("\"crank\"\nmass", "\"ground\"\nmass"), "name = 'ground'");
  check_says(crank + "[solve]\nt = [0, 0]\n", "has no length");
  check_says("parameters = { a = \"b\", b = \"2*a\" }\n" + crank, "is made of itself: a -> b -> a");
  check_says("colour = 1\n" + crank, "unknown key 'colour'");
  check_says("a = \n" + crank, "mine.toml:1:");
  check_says(std::string("a\0b", 3), "no text");
  check_says("[\r", "carriage return");
  check_says(crank + "[[body]]\nname = \"crank\"\nmass = 1\ninertia = 1\n",
             "there is a body of this name already");
  check_says("[[body]]\nname = \"b\"\nrepeat = 1000000\nmass = 1\ninertia = 1\n",
             "must be a whole number from 1 to 50000");
  check_says(crank + "[[joint]]\ntype = \"constraint\"\ng = \"crank.x'\"\n",
             "a constraint on them is of type velocity");
  check_says(crank + "[[joint]]\ntype = \"constraint\"\ng = \"t - 1\"\n", "no coordinate is in it");
  check_says(crank + "[[joint]]\ntype = \"velocity\"\nw = \"crank.x\"\n", "no velocity is in it");
  check_says(crank + "[[joint]]\ntype = \"velocity\"\nw = \"crank.x'^2\"\n",
             "mine.toml:12:5: joint velocity: must be linear in velocities");
  check_says(crank + "[[joint]]\ntype = \"velocity\"\nw = []\n", "w has no entry");
}

TEST_CASE("bodies that no position can bring together are told with the worst joint", "[models]") {
  const std::string apart = crank +
                            "[[joint]]\ntype = \"revolute\"\nname = \"too far\"\n"
                            "between = [\"ground\", \"crank\"]\nat = [[5, 0], [0.5, 0]]\n";
  check_says(apart, "cannot be assembled");
  check_says(apart, "worst is joint");
}

TEST_CASE("a parameter that a model does not have is refused with the nearest", "[models]") {
  std::string found;
  try {
    model_of("parameters = { mass = 1 }\n" + crank, "mine.toml", {{"mas", 2}});
  } catch (const InvalidOption& error) {
    found = error.what();
  }
  CHECK(found == "mine.toml has no parameter mas (did you mean mass?)");
}
