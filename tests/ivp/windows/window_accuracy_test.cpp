// Errors of windows at the end of motions with random starts, beside their tolerance.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "ivp/solve.hpp"
#include "problems/acpr.hpp"
#include "problems/andrews.hpp"
#include "problems/chain.hpp"
#include "problems/pendulum.hpp"
#include "problems/scissors.hpp"
#include "problems/slider_crank.hpp"
#include "problems/truck.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

struct System {
  std::string name;
  DaeProblemPtr problem;
  VecX start;
  double end;
  double moved;  ///< How far positions of starts are apart, and rates times `seconds`.
  double seconds;
};

template <class P>
System system(std::string name, const P& problem, double end, double moved, double seconds) {
  const VecX start = problem.start();
  return {std::move(name), problem_of(problem, start), start, end, moved, seconds};
}

std::vector<System> systems() {
  return {system("pendulum", problems::Pendulum{}, 5, 0.3, 0.3),
          system("seven bodies", problems::Andrews{}, 0.02, 0.05, 1e-3),
          system("two-link arm I", problems::AcprCase1{}, 5, 0.1, 0.3),
          system("two-link arm II", problems::AcprCase2{}, 5, 0.1, 0.3),
          system("slider-crank", problems::SliderCrank{}, 3, 0.1, 0.3),
          system("chain of 4", problems::Chain{4}, 2, 0.1, 0.3),
          system("chain of 16", problems::Chain{16}, 1, 0.03, 0.3),
          system("scissors", problems::Scissors{}, 1, 0.01, 3),
          system("truck", problems::Truck{}, 2, 0.01, 1)};
}

struct Counts {
  int runs = 0, within = 0, unusable = 0;
  double largest = 0;  ///< Error over tolerance.
};

/// So many random starts, each with a random tolerance.
Counts measure(const System& system, int starts) {
  Counts counts;
  for (int seed = 0; seed < starts; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> unit(-1, 1);
    VecX start = system.start;
    const int nq = static_cast<int>(start.size()) / 2;
    for (int i = 0; i < nq; ++i) start[i] += system.moved * unit(random);
    for (int i = 0; i < nq; ++i) start[nq + i] += system.moved / system.seconds * unit(random);
    const double rtol = std::pow(10, -8 + 3 * unit(random));
    Options options{.method = SBoth2{.formula = {Stepper::dop853, {}}},
                    .rtol = 1e-13,
                    .repair_start = true,
                    .every = 0};
    const Solution reference = solve(*system.problem, start, {0, system.end}, options);
    options.method = GaussWindows{};
    options.rtol = rtol;
    const Solution solution = solve(*system.problem, start, {0, system.end}, options);
    ++counts.runs;
    if (!solution.report.usable()) {
      ++counts.unusable;
      continue;
    }
    const VecX exact = reference.end();
    const double error =
        ((solution.end() - exact).array().abs() / (1 + exact.array().abs())).maxCoeff();
    counts.largest = std::max(counts.largest, error / rtol);
    if (error < 30 * rtol) ++counts.within;
  }
  return counts;
}

}  // namespace

TEST_CASE("windows of random motions keep their tolerance", "[windows]") {
  int runs = 0, within = 0;
  for (const System& one : systems()) {
    const Counts counts = measure(one, 1);
    CAPTURE(one.name, counts.largest, counts.unusable);
    runs += counts.runs;
    within += counts.within;
    CHECK(counts.unusable == 0);
    CHECK(counts.largest < 1000);
  }
  CHECK(within >= runs - 1);
}

TEST_CASE("windows of 30 random motions of each system keep their tolerance", "[.campaign]") {
  int runs = 0, within = 0;
  for (const System& one : systems()) {
    const Counts counts = measure(one, 30);
    WARN(one.name << ": within 30 tolerances " << counts.within << " of " << counts.runs
                  << ", largest " << counts.largest << ", not usable " << counts.unusable);
    runs += counts.runs;
    within += counts.within;
  }
  CHECK(within >= 0.95 * runs);
}

}  // namespace daewave::ivp
