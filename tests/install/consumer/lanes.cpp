// A struct of templates with lanes of every instruction set, and iterates in them.

#include <arm.hpp>
#include <cmath>
#include <cstdio>
#include <daewave/ivp.hpp>

int main() {
  const auto problem = daewave::problem_of(
      ArmWithDerivatives(Arm{}), daewave::best_of([](auto set) { return arm_lanes(set); }));
  namespace ivp = daewave::ivp;
  const ivp::Options options{.method = ivp::Srm{.loops = ivp::InLanes{}}, .h = 1e-3};
  const daewave::VecX start = daewave::Vec<4>(0.5, -0.5, 0, 0);
  const auto motion = ivp::solve(*problem, start, {0, 0.5}, options);
  const daewave::VecX end = motion.end();
  std::printf("%d lanes, the hand at %.1e\n", problem->lanes(),
              std::sin(end[0]) + std::sin(end[1]));
  return motion.report.usable() && std::abs(std::sin(end[0]) + std::sin(end[1])) < 1e-4 ? 0 : 1;
}
