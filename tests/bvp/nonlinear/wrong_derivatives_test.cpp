// Derivatives of f that are wrong: what is claimed holds, and what fails says why.

#include "bvp/nonlinear/wrong_derivatives.hpp"

#include <cmath>

#include "bvp/solve.hpp"
#include "core/adapt/problem_of.hpp"
#include "problems/bent_beams.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// The rod, one part of whose derivatives is wrong by a factor.
struct Wrong : problems::Elastica {
  double all = 1, bend = 1, turn = 1;

  Mat<5, 5> f_x(const State& s, double) const {
    Mat<5, 5> J = Mat<5, 5>::Zero();
    J(0, 2) = -std::sin(s[2]);
    J(1, 2) = std::cos(s[2]);
    J(2, 3) = turn;
    J(3, 2) = -bend * s[4] * std::sin(s[2]);
    J(3, 4) = std::cos(s[2]);
    return all * J;
  }
};

std::string said_of(const Wrong& rod) {
  NonlinearProblem problem;
  problem.equations = problem_of(rod);
  problem.interval = rod.interval();
  problem.guess = [rod](double t) { return VecX(rod.guess(t)); };
  Report report;
  report.message.clear();
  doubt_derivatives(problem, report);
  return report.message;
}

}  // namespace

TEST_CASE("the entry that is wrong is named, with what differences give", "[nonlinear][failure]") {
  CHECK(said_of({}).empty());
  Wrong rod;
  rod.turn = 0.5;
  CHECK_THAT(said_of(rod), contains_text("row 3, column 4 at t = ") &&
                               contains_text("given 0.5, differences give 1"));
  rod.turn = 1.001;
  CHECK(said_of(rod).empty());
}

TEST_CASE("with wrong derivatives what is claimed holds, and a failure names them",
          "[nonlinear][failure]") {
  const Solution right = solve(boundary_problem_of(problems::Elastica{}), {.tolerance = 1e-10});
  REQUIRE(right.report.usable());
  int failed = 0;
  for (const double by : {1.3, 3.0, 0.0, -1.0}) {
    for (double Wrong::*part : {&Wrong::all, &Wrong::bend, &Wrong::turn}) {
      Wrong rod;
      rod.*part = by;
      const Solution solution = solve(boundary_problem_of(rod), {.tolerance = 1e-6});
      CAPTURE(by, solution.report.full());
      if (!solution.report.usable()) {
        ++failed;
        CHECK_THAT(solution.report.message, contains_text("the derivatives given contradict f"));
        CHECK_THAT(solution.report.advice, contains_text("derivatives of f that are right"));
        continue;
      }
      for (int i = 0; i <= 10; ++i) {
        const double t = rod.interval().begin + 0.1 * i * rod.interval().length();
        const VecX expected = right.x(t);
        CHECK((solution.x(t) - expected).cwiseAbs().maxCoeff() <
              1e-6 * (1 + expected.cwiseAbs().maxCoeff()));
      }
    }
  }
  CHECK(failed > 0);
}

}  // namespace daewave::bvp
