// Light bodies on heavy ones: what a joint does to the light one is not lost in rounding of what
// acts on the heavy one.

#include <fmt/format.h>

#include <string>

#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;

namespace {

const std::string rod = R"(
gravity = [0, -9.81]
[[body]]
name = "rod"
mass = 1
inertia = "1/12"
position = [0.5, 0]
[[joint]]
name = "pin"
type = "revolute"
at = [[0, 0], [-0.5, 0]]
)";

/// A rod on the ground, or on a cart of so many kg.
Model pendulum(double cart) {
  if (cart == 0) return model_of(rod + "between = [\"ground\", \"rod\"]\n", "rod.toml");
  return model_of(rod + fmt::format(R"(between = ["cart", "rod"]
[[body]]
name = "cart"
mass = {0}
inertia = {0}
[[joint]]
type = "prismatic"
between = ["ground", "cart"]
at = [[0, 0], [0, 0]]
axis = [1, 0]
angle = 0
)",
                                    cart),
                  "cart.toml");
}

/// Angle of the rod and the force of its pin at the end.
Vec<3> swung(double cart, const ivp::Method& method) {
  const Model model = pendulum(cart);
  const ivp::Solution found =
      ivp::solve(*model.problem, model.start, {0, 0.7},
                 {.method = method, .rtol = 1e-10, .atol = 1e-10, .every = 0});
  INFO(found.report.full());
  REQUIRE(found.report.usable());
  const VecX force = found.multiplier(found.count() - 1);
  return {entry(model, found.end(), "rod.phi"), force[0], force[1]};
}

}  // namespace

TEST_CASE("a rod swings on a cart of any mass as on the ground, and pulls at it so",
          "[models][masses]") {
  const ivp::Method methods[] = {ivp::GaussWindows{}, ivp::ProjectEachStep{}};
  for (const ivp::Method& method : methods) {
    const Vec<3> exact = swung(0, method);
    for (const double cart : {1e10, 1e12, 1e15}) {
      CAPTURE(cart);
      // A cart of 1e10 kg moves by 1e-10 m.
      CHECK((swung(cart, method) - exact).norm() < 1e-8);
    }
  }
}
