// Forces between bodies that are far stiffer than the motion is fast.

#include <fmt/format.h>

#include <cmath>

#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;

namespace {

/// A pendulum that a spring and a damper hold, of time constant c / k = 100 s.
Model held_pendulum(double stiffness) {
  return model_of(fmt::format(R"(
gravity = [0, -9.81]
[[body]]
name = "bob"
mass = 1
inertia = 0.1
angle = 0.6
[[joint]]
type = "revolute"
between = ["ground", "bob"]
at = [[0, 0], [-0.5, 0]]
[[force]]
type = "spring_damper"
between = ["ground", "bob"]
at = [[2, 0], [0.5, 0]]
k = {}
c = {}
length = 1.2
)",
                              stiffness, 100 * stiffness),
                  "held.toml");
}

double angle_at_end(const Model& model, const ivp::Method& method, double rtol) {
  const ivp::Solution found =
      ivp::solve(*model.problem, model.start, {0, 2}, {.method = method, .rtol = rtol, .every = 0});
  CAPTURE(found.report.full());
  REQUIRE(found.report.usable());
  return found.end()[2];
}

}  // namespace

TEST_CASE("multipliers of invariants take up nothing of a stiff damper that moves what is free",
          "[models]") {
  for (const double stiffness : {1e2, 1e4, 1e6}) {
    const Model model = held_pendulum(stiffness);
    const double exact = angle_at_end(model, ivp::ProjectedInvariants{}, 1e-10);
    for (const double rtol : {1e-4, 1e-5, 1e-6, 3e-7, 1e-7, 3e-8}) {
      const double found = angle_at_end(model, ivp::BdfProjectedInvariants{}, rtol);
      CAPTURE(stiffness, rtol, found - exact);
      CHECK(std::abs(found - exact) < 10 * rtol);
    }
  }
}
