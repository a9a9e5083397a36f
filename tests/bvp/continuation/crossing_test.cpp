// Steps at whose ends a branch is the other way round: across a crossing, or a leap.

#include "bvp/continuation/crossing.hpp"

#include <cmath>
#include <functional>

#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x along a branch from p = 0 to 1, which is the other way round from `turn` on.
struct MadeUpBranch {
  std::function<double(double p)> x;
  double turn = 0.371;
  std::function<Termination(double p)> ends = [](double) { return Termination::converged; };
  double error = 0;

  Solution at(double p) const {
    Report report;
    report.termination = ends(p);
    Solution solution = testing::made_up(testing::straight(uniform_mesh(0, 1, 2), x(p), 0), report);
    solution.parameters = VecX{{p}};
    return solution;
  }
  Crossing look(double least = 1e-4) const {
    const Solution last = at(0), next = at(1);
    const auto p_of = [](const Solution& of) { return of.parameters[0]; };
    return crossing(
        {.last = last,
         .next = next,
         .at_last = 1,
         .between = [&](const Solution& from, const Solution& to,
                        double part) { return at(p_of(from) + part * (p_of(to) - p_of(from))); },
         .orientation = [&](const Solution& of) { return p_of(of) < turn ? 1 : -1; },
         .distance = [](const Solution& a,
                        const Solution& b) { return std::abs(a.x(0)[0] - b.x(0)[0]); },
         .error = [&](const Solution&, const Solution&) { return error; }},
        least);
  }
};

}  // namespace

TEST_CASE("a step passes a crossing where what is on both sides of it comes together",
          "[continuation]") {
  for (const double turn : {0.01, 0.2, 0.371, 0.5, 0.93}) {
    CAPTURE(turn);
    CHECK(MadeUpBranch{[](double p) { return 2 + p; }, turn}.look() == Crossing::passed);
    CHECK(MadeUpBranch{[](double p) { return std::exp(-p); }, turn}.look() == Crossing::passed);
    // Up to three times as fast there as over all of the step.
    const auto steep = [turn](double factor) {
      return [=](double p) { return p + (factor - 1) * 1e-2 * std::tanh((p - turn) / 1e-2); };
    };
    CHECK(MadeUpBranch{steep(2.5), turn}.look() == Crossing::passed);
    CHECK(MadeUpBranch{steep(5), turn}.look() == Crossing::leapt);
  }
}

TEST_CASE("a step leaps where the sides of where it turns stay apart, by more than their errors",
          "[continuation]") {
  for (const double turn : {0.01, 0.2, 0.371, 0.5, 0.93}) {
    for (const double gap : {1.0, 0.1, 0.01}) {
      CAPTURE(turn, gap);
      const auto leaps = [=](double p) { return p + (p < turn ? 0 : gap); };
      CHECK(MadeUpBranch{leaps, turn}.look() == Crossing::leapt);
      CHECK(MadeUpBranch{.x = leaps, .turn = turn, .error = 1.1 * gap}.look() == Crossing::passed);
    }
  }
}

TEST_CASE("gaps that are smaller than the least part of a step are seen where errors allow it",
          "[continuation]") {
  for (const double turn : {0.01, 0.371, 0.93}) {
    for (const double gap : {3e-4, 1e-4, 3e-5}) {
      CAPTURE(turn, gap);
      const auto leaps = [=](double p) { return p + (p < turn ? 0 : gap); };
      CHECK(MadeUpBranch{.x = leaps, .turn = turn, .error = 1e-13}.look(1e-3) == Crossing::leapt);
      // Beside a crossing so much may be an error.
      const MadeUpBranch rough{.x = leaps, .turn = turn, .error = 10 * gap * gap};
      CHECK(rough.look(1e-3) == Crossing::passed);
    }
  }
  // One in which there is no solution at all.
  const auto gap = [](double p) {
    return std::abs(p - 0.371) < 2e-5 ? Termination::not_converged : Termination::converged;
  };
  const auto line = [](double p) { return p; };
  CHECK(MadeUpBranch{line, 0.371, gap}.look(1e-3) == Crossing::leapt);
  CHECK(MadeUpBranch{line, 0.371, gap, 1e-6}.look(1e-3) == Crossing::passed);
}

TEST_CASE("where nothing is found between the ends of a step it leaps, or is stopped",
          "[continuation]") {
  const auto line = [](double p) { return p; };
  const auto nowhere = [](Termination as) {
    return [as](double p) { return p > 0.2 && p < 0.8 ? as : Termination::converged; };
  };
  CHECK(MadeUpBranch{line, 0.5, nowhere(Termination::not_converged)}.look() == Crossing::leapt);
  CHECK(MadeUpBranch{line, 0.5, nowhere(Termination::stopped)}.look() == Crossing::stopped);
  // One of two places is enough.
  const auto beside = [](double p) {
    return p > 0.44 && p < 0.46 ? Termination::not_converged : Termination::converged;
  };
  CHECK(MadeUpBranch{line, 0.9, beside}.look() == Crossing::passed);
}

}  // namespace daewave::bvp
