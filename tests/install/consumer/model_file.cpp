// A mechanism as text, from outside of the tree.

#include <cstdio>
#include <daewave/ivp.hpp>
#include <daewave/models.hpp>

int main() {
  const daewave::models::Model model = daewave::models::model_of(R"(
gravity = [0, -9.81]
[[body]]
name = "rod"
mass = 1
inertia = "1/12"
[[joint]]
type = "revolute"
between = ["ground", "rod"]
at = [[0, 0], [-0.5, 0]]
)",
                                                                 "rod.toml");
  const auto swing = daewave::ivp::solve(*model.problem, model.start, {0, 1});
  std::printf("%s\n", swing.report.brief().c_str());
  return swing.report.usable() ? 0 : 1;
}
