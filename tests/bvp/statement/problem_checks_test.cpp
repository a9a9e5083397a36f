// What a problem is refused for before anything is solved, and which members of a family are alike.

#include "bvp/statement/problem_checks.hpp"

#include <functional>
#include <limits>
#include <string>

#include "bvp/solve.hpp"
#include "core/adapt/problem_from_functions.hpp"
#include "core/error.hpp"
#include "problems/boundary_motion.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

DaeProblemPtr still(int nx) {
  ProblemFunctions of;
  of.kind = Kind::ordinary;
  of.sizes = {.nq = nx};
  of.f = [nx](const Points& at, double* out) {
    std::fill_n(out, static_cast<std::ptrdiff_t>(nx) * at.count, 0.0);
  };
  return problem_from_functions(of);
}

BoundaryProblem good() {
  BoundaryProblem problem;
  problem.equations = still(2);
  problem.interval = {0, 1};
  problem.conditions = [](const VecX& left, const VecX&) { return left; };
  return problem;
}

/// The pendulum between two places, one thing that it says of itself being wrong.
struct WrongPendulum : problems::PendulumBetween {
  double column = 1, row = 1, bend = 1, beside = 0;

  Mat<1, 2> G(const Vec<2>& q, double t) const {
    Mat<1, 2> G = Pendulum::G(q, t);
    G(0, 1) *= column;
    return row * G;
  }
  Vec<1> curvature(const Vec<2>& q, const Vec<2>& v, double t) const {
    return bend * Pendulum::curvature(q, v, t);
  }
  Mat<2, 2> M(const Vec<2>&) const { return Mat<2, 2>{{1, beside}, {0, 1}}; }
};

struct Fault {
  std::function<void(BoundaryProblem&)> make;
  std::string told;
};

}  // namespace

TEST_CASE("wrong derivatives of constraints, and a mass that is not symmetric, are refused",
          "[nonlinear][refused]") {
  // They were taken for constraints that become dependent, with advice that helped nobody; or what
  // was left of M was solved, with another motion.
  const auto solved = [](const WrongPendulum& problem) {
    WrongPendulum brief = problem;
    brief.t_end = 0.4;
    return solve(boundary_problem_of(brief), {.tolerance = 1e-6});
  };
  CHECK(solved({}).report.usable());
  for (const double by : {1.3, 0.7, -1.0}) {
    CAPTURE(by);
    WrongPendulum column, row, bend;
    column.column = row.row = bend.bend = by;
    CHECK_THROWS_WITH(solved(column), contains_text("G row 1, column 2 at t = 0.2"));
    CHECK_THROWS_WITH(solved(row), contains_text("contradict the constraint"));
    CHECK_THROWS_WITH(solved(bend), contains_text("curvature row 1"));
  }
  WrongPendulum skew;
  skew.beside = 0.3;
  CHECK_THROWS_WITH(solved(skew), contains_text("M must be symmetric"));
}

TEST_CASE("a problem that lacks something, or contradicts itself, is refused with the place",
          "[nonlinear][refused]") {
  CHECK_NOTHROW(check(good()));
  const std::vector<Fault> faults = {
      {[](BoundaryProblem& p) { p.equations = nullptr; }, "equations: there are none"},
      {[](BoundaryProblem& p) { p.conditions = nullptr; }, "conditions: there are none"},
      {[](BoundaryProblem& p) {
         p.interval = {1, 1};
       },
       "interval = [1, 1]: must be increasing"},
      {[](BoundaryProblem& p) {
         p.interval = {2, 1};
       },
       "interval = [2, 1]"},
      {[](BoundaryProblem& p) { p.interval.end = NAN; }, "both ends finite"},
      {[](BoundaryProblem& p) { p.interval.begin = -std::numeric_limits<double>::infinity(); },
       "both ends finite"},
      {[](BoundaryProblem& p) { p.inside = {0.5}; }, "inside: only further_conditions sees it"},
      {[](BoundaryProblem& p) { p.integrand = [](const VecX& x, double) { return x; }; },
       "integrand: only further_conditions sees it"},
      {[](BoundaryProblem& p) {
         p.inside = {0.5, 0.4};
         p.further_conditions = [](const Observed& of) { return of.left; };
       },
       "inside: t = 0.4 after 0.5"},
      {[](BoundaryProblem& p) {
         p.inside = {0.0};
         p.further_conditions = [](const Observed& of) { return of.left; };
       },
       "must increase and lie within (0, 1)"},
      {[](BoundaryProblem& p) {
         p.inside = {1.0};
         p.further_conditions = [](const Observed& of) { return of.left; };
       },
       "must increase and lie within (0, 1)"}};
  for (const Fault& fault : faults) {
    BoundaryProblem problem = good();
    fault.make(problem);
    CAPTURE(fault.told);
    CHECK_THROWS_AS(check(problem), InvalidProblem);
    CHECK_THROWS_WITH(check(problem), contains_text(fault.told));
  }
  BoundaryProblem inside = good();
  inside.conditions = nullptr;
  inside.inside = {0.25, 0.5};
  inside.further_conditions = [](const Observed& of) { return of.inside[0]; };
  CHECK_NOTHROW(check(inside));
}

TEST_CASE("members are alike where nothing but numbers in their functions differs",
          "[nonlinear][families]") {
  CHECK(is_alike(good(), good()));
  const std::vector<std::function<void(BoundaryProblem&)>> others = {
      [](BoundaryProblem& p) { p.equations = nullptr; },
      [](BoundaryProblem& p) { p.equations = still(3); },
      [](BoundaryProblem& p) { p.interval.begin = -1; },
      [](BoundaryProblem& p) { p.interval.end = 2; },
      [](BoundaryProblem& p) { p.inside = {0.5}; },
      [](BoundaryProblem& p) { p.lower = VecX::Zero(2); },
      [](BoundaryProblem& p) { p.upper = VecX::Zero(2); },
      [](BoundaryProblem& p) { p.singular_term = MatX::Zero(2, 2); },
      [](BoundaryProblem& p) { p.integrand = [](const VecX& x, double) { return x; }; }};
  for (std::size_t i = 0; i < others.size(); ++i) {
    BoundaryProblem problem = good();
    others[i](problem);
    CAPTURE(i);
    CHECK_FALSE(is_alike(good(), problem));
  }
  BoundaryProblem one = good(), other = good();
  one.singular_term = MatX::Zero(2, 2);
  other.singular_term = MatX{{0, 0}, {0, -1}};
  CHECK_FALSE(is_alike(one, other));
  other.singular_term = one.singular_term;
  CHECK(is_alike(one, other));
  one.lower = Vec<2>(0, 1);
  other.lower = Vec<2>(0, 2);
  CHECK_FALSE(is_alike(one, other));
}

TEST_CASE(
    "what a solution to start from, a guess or a singular term has of another size is refused",
    "[nonlinear][refused]") {
  BoundaryProblem problem = good();
  problem.guess = [](double) { return VecX::Zero(3); };
  CHECK_THROWS_WITH(solve(problem), contains_text("guess: has 3 entries, x has 2"));
  problem = good();
  for (const MatX& S : {MatX(MatX::Zero(2, 3)), MatX(MatX::Zero(3, 2)), MatX(MatX::Zero(1, 1))}) {
    problem.singular_term = S;
    CHECK_THROWS_WITH(solve(problem), contains_text("must be nx x nx = 2 x 2"));
  }
  problem.singular_term = MatX{{0, 0}, {0, NAN}};
  CHECK_THROWS_WITH(solve(problem), contains_text("singular_term: must be finite"));
  problem.singular_term = MatX{{0, 0}, {0, 0.5}};
  CHECK_THROWS_WITH(solve(problem), contains_text("has the eigenvalue 0.5;"));
  problem.singular_term = MatX{{0, 2}, {-2, 0}};
  CHECK_THROWS_WITH(solve(problem), contains_text("2 i;"));
  // A solution of three components.
  BoundaryProblem larger = good();
  larger.equations = still(3);
  const Solution from = solve(larger, {.tolerance = 1e-4});
  REQUIRE(from.has_values());
  CHECK_THROWS_WITH(solve(good(), {.tolerance = 1e-4, .from = from}),
                    contains_text("from: a solution with 3 entries of x, where there are 2"));
  CHECK_THROWS_WITH(solve(good(), {.mesh = uniform_mesh(0, 2, 4)}),
                    contains_text("mesh = [0, 2]: must span the interval of the problem, [0, 1]"));
  CHECK_THROWS_WITH(solve(good(), {.truncation = 5.0}), contains_text("truncation"));
}

}  // namespace daewave::bvp
