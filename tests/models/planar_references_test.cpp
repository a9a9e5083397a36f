// Mechanisms in the plane from text against compiled problems in other coordinates.

#include "core/adapt/problem_of.hpp"
#include "problems/scissors.hpp"
#include "problems/truck.hpp"
#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;
using Catch::Matchers::WithinAbs;

TEST_CASE("the scissors lift from text rises as the compiled one does", "[models]") {
  const Model model = read_model(example_folder + "scissors-lift.toml");
  const problems::Scissors compiled(4);
  const VecX text = end_of(model, 1.0, 1e-11);
  const VecX code = end_of(*problem_of(compiled), compiled.start(), {0, 1.0}, {}, 1e-11);
  for (int cell = 0; cell < 4; ++cell) {
    for (int k = 0; k < 3; ++k) {
      CHECK_THAT(text[3 * cell + k], WithinAbs(code[6 * cell + k], 1e-9));
      CHECK_THAT(text[3 * (4 + cell) + k], WithinAbs(code[6 * cell + 3 + k], 1e-9));
    }
  }
}

TEST_CASE("the truck from text drives over its hump as the compiled one does", "[models]") {
  const Model model = read_model(example_folder + "truck.toml");
  const problems::Truck compiled;
  const VecX text = end_of(model, 2.5);
  const VecX code = end_of(*problem_of(compiled), compiled.start(), {0, 2.5}, {}, 1e-12);
  const char* const names[] = {"rear_axle.y", "chassis.y", "chassis.phi", "front_axle.y", "cabin.y",
                               "cabin.phi",   "load.x",    "load.y",      "load.phi"};
  for (int i = 0; i < 9; ++i) {
    INFO(names[i]);
    CHECK_THAT(entry(model, text, names[i]), WithinAbs(code[i], 1e-9));
    CHECK_THAT(entry(model, text, std::string(names[i]) + "'"), WithinAbs(code[9 + i], 1e-9));
  }
}
