// Misspelt names are answered with the ones that were meant.

#include "core/nearest_names.hpp"

#include "tests/catch.hpp"

using namespace daewave;

namespace {

const std::vector<std::string> known{"pendulum", "eich-pendulum", "slider-crank", "chain",
                                     "lin",      "--tolerance",   "--t-end",      "--rtol"};
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("letters left out, put in, changed and exchanged are seen through", "[names]") {
  for (const char* name : {"pendlum", "pendullum", "pendalum", "pednulum", "Pendulum", "pend"}) {
    CAPTURE(name);
    CHECK(nearest_names(name, known) == Names{"pendulum"});
  }
  CHECK(nearest_names("slider_crank", known) == Names{"slider-crank"});
  CHECK(nearest_names("--tolerence", known) == Names{"--tolerance"});
  CHECK(nearest_names("--tol", known).front() == "--tolerance");
}

TEST_CASE("what is like nothing is answered with nothing", "[names]") {
  for (const char* name : {"frobnicate", "", "x", "zz", "nothing"}) {
    CAPTURE(name);
    CHECK(nearest_names(name, known).empty());
    CHECK(did_you_mean(name, known).empty());
  }
  CHECK(nearest_names("pendlum", {}).empty());
  CHECK(nearest_names(std::string(100000, 'p'), known).empty());
}

TEST_CASE("the nearest come first, and no more than three", "[names]") {
  CHECK(nearest_names("abc1", {"abc12345", "abc2", "abcd1", "abc3", "abc4"}) ==
        Names{"abc12345", "abc2", "abcd1"});
  CHECK(did_you_mean("pendlum", known) == " (did you mean pendulum?)");
}
