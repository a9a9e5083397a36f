// How much heat can a reaction give off before its vessel runs away? (Bratu's problem)
//
//   y'' = -e exp(y),   y(0) = y(1) = 0:
//
// the temperature y between two cooled walls, e the strength of the reaction. Up to e = 3.5138
// there are two solutions, a cool one and a hot one; beyond there is none, whatever the guess.
//
// By the parameter a branch ends where it turns, and says so. By arclength the parameter is an
// unknown as well: the branch goes around its fold, which is found, and comes back above.
//
// Output, numbers within 1e-6:
//   by e:         ends at 3.51, y(1/2) = 1.15
//   by arclength: turns at 3.513830719, y(1/2) = 1.187
//   at e = 1:     y(1/2) = 0.1405392 and 4.091467
#include <cmath>
#include <cstdio>

#include <daewave/bvp.hpp>

using namespace daewave;

struct Vessel {
  using State = Vec<2>;
  double e = 1;

  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], -e * std::exp(x[0])}; }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0], right[0]}; }
};

int main() {
  const bvp::ProblemFamily vessels{
      .member = [](const VecX& p) { return bvp::boundary_problem_of(Vessel{.e = p[0]}); },
      .p = VecX{{1.0}},
      .names = {"e"}};

  const bvp::Branch cool = bvp::follow(vessels, {.to = 4});
  std::printf("by e:         ends at %.2f, y(1/2) = %.2f\n", cool.reached, cool.last.x(0.5)[0]);

  double first = 0;
  const bvp::Branch both =
      bvp::follow(vessels,
                  {.to = 4,
                   .arclength = true,
                   .observer =
                       [&](const bvp::BranchPoint& point) {
                         if (first == 0) first = point.solution.x(0.5)[0];
                         if (!point.is_fold) return true;
                         std::printf("by arclength: turns at %.9f, y(1/2) = %.3f\n", point.value,
                                     point.solution.x(0.5)[0]);
                         return true;
                       }},
                  {.tolerance = 1e-9});
  if (!both.report.usable()) return std::puts(both.report.full().c_str()), 1;
  std::printf("at e = %g:     y(1/2) = %.7f and %.6f\n", both.reached, first, both.last.x(0.5)[0]);
}
