// What is seen of a solution between its stages.

#include "bvp/nonlinear/solution_looks.hpp"

#include <vector>

#include "bvp/nonlinear/posed.hpp"
#include "bvp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x' = 1, and `height` more from t = 0.4 on.
struct Stepped {
  using State = Vec<1>;
  double height = 1;
  Interval interval() const { return {0, 1}; }
  State f(const State&, double t) const { return State(t < 0.4 ? 1 : 1 + height); }
  State conditions(const State& left, const State&) const { return left; }
};

}  // namespace

TEST_CASE("of residuals those jumps count that are more than they may be, however small errors are",
          "[nonlinear][residual]") {
  const auto jumps = [](double height, double residual_tolerance) {
    ProblemFamily family;
    family.member = [height](const VecX&) { return boundary_problem_of(Stepped{height}); };
    const Options options{.tolerance = 1e-9, .residual_tolerance = residual_tolerance};
    const Posed posed(family, options);
    MeshSolve on_mesh(posed.problem(), options, 1e-9, 1e-11);
    SolutionLooks looks(posed.problem(), options, on_mesh);
    const Solution coarse = solve(Stepped{height}, {.stages = 3, .intervals = 4});
    return looks.residual_jumps(coarse, 100, 1e-9);
  };
  const std::vector<double> seen = jumps(1e-3, 1e-5);
  REQUIRE(seen.size() == 1);
  CHECK(seen[0] == Approx(0.4).epsilon(1e-12));
  CHECK(jumps(1e-3, 1e-1).empty());
}

}  // namespace daewave::bvp
