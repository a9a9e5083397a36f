// Wrong calls throw before any work, and say what was given, the rule, the place and the way out.

#include <cmath>
#include <limits>

#include "bvp/solve.hpp"
#include "core/derivatives/linear_derivatives.hpp"
#include "core/error.hpp"
#include "problems/al1.hpp"
#include "problems/ap91.hpp"
#include "problems/lin.hpp"
#include "tests/catch.hpp"
#include "tests/core/manufactured_dae.hpp"

namespace daewave::bvp {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double inf = std::numeric_limits<double>::infinity();
const testing::ManufacturedDae plain = testing::random_symmetric_dae(3, 1, 95);

void refused(const Options& options, const std::string& text) {
  CAPTURE(text);
  CHECK_THROWS_AS(solve(plain, options), InvalidOption);
  CHECK_THROWS_WITH(solve(plain, options), contains_text(text));
}

}  // namespace

TEST_CASE("numbers out of range are refused by name, value and rule", "[options]") {
  refused({.epsilon = 0.0}, "epsilon = 0: must be > 0");
  refused({.epsilon = -0.01}, "epsilon = -0.01: must be > 0");
  refused({.epsilon = nan}, "epsilon = nan");
  refused({.epsilon = inf}, "epsilon = inf");
  refused({.tolerance = 0.0}, "tolerance = 0: must be > 0");
  refused({.tolerance = -1.0}, "tolerance = -1");
  refused({.tolerance = nan}, "tolerance = nan");
  refused({.tolerance = 1.0}, "tolerance = 1: must be within");
  refused({.tolerance = 1e-15}, "tolerance = 1e-15: must be within");
  refused({.intervals = 0}, "intervals = 0: must be >= 1");
  refused({.iterates = 0}, "iterates = 0: must be >= 1");
  refused({.alpha1 = -1.0}, "alpha1 = -1: must be >= 0");
  refused({.alpha1 = nan}, "alpha1 = nan");
  refused({.alpha2 = 0.0}, "alpha2 = 0: must be > 0");
  refused({.delta = 0}, "delta = 0: must be > 0");
  refused({.max_parasitic_growth = 0.5}, "max_parasitic_growth = 0.5");
  refused({.max_amplification = nan}, "max_amplification = nan");
  refused({.max_intervals = 0}, "max_intervals = 0");
}

TEST_CASE("stages that a scheme does not have are refused", "[options]") {
  refused({.stages = 0}, "stages = 0");
  refused({.stages = 9}, "stages = 9");
  refused({.scheme = Scheme::lobatto, .stages = 1}, "lobatto has 2 to 5");
  refused({.scheme = Scheme::midpoint, .stages = 2}, "midpoint has 1 alone");
}

TEST_CASE("a mesh must fit the problem and stand alone", "[options]") {
  refused({.mesh = Mesh()}, "mesh: is empty");
  refused({.tolerance = 1e-6, .mesh = Mesh()}, "mesh: is empty");
  refused({.intervals = 10, .mesh = uniform_mesh(0, 2, 5)}, "mesh and intervals are both given");
  refused({.mesh = uniform_mesh(0, 1, 5)}, "mesh on [0, 1]: must span the interval [0, 2]");
  refused({.mesh = uniform_mesh(-1, 2, 5)}, "must span");
  CHECK_NOTHROW(solve(plain, {.mesh = uniform_mesh(0, 2, 50)}));
}

TEST_CASE("an unknown linear solver is refused with the known ones", "[options][solvers]") {
  refused({.linear_solver = "umfpak"}, "linear_solver = \"umfpak\"; known: auto, block_lu");
}

TEST_CASE("partitions that no solver has or that are more than intervals are refused",
          "[options][solvers]") {
  refused({.partitions = 0}, "partitions = 0: must be >= 1");
  refused({.partitions = -3}, "partitions = -3");
  refused({.intervals = 20, .partitions = 21},
          "partitions = 21: must be at most the number of intervals, 20");
  refused({.mesh = uniform_mesh(0, 2, 5), .partitions = 6}, "number of intervals, 5");
  refused({.linear_solver = "block_lu", .partitions = 2},
          "partitions = 2: only the linear solver parallel_block has them, not block_lu");
  for (const char* name : {"auto", "parallel_block"}) {
    const Solution solution =
        solve(plain, {.intervals = 20, .linear_solver = name, .partitions = 20});
    CHECK(solution.report.linear_solve.used == "parallel_block");
    CHECK(solution.report.linear_solve.tried.empty());
  }
}

TEST_CASE("alpha1 > 0 without derivatives is refused with two ways out", "[options]") {
  refused({.alpha1 = 1.0}, "with_differences");
  refused({.alpha1 = 1.0}, "C_t");
  CHECK_NOTHROW(solve(with_differences(plain), {.intervals = 20, .alpha1 = 1.0}));
}

TEST_CASE("a weight with which the regularized equation would grow is refused", "[options]") {
  // C B = -1 in the second half.
  const auto B = [](double t) { return MatX{{t < 1.5 ? 1.0 : -1.0}, {0}}; };
  const auto C = [](double) { return MatX{{1, 0}}; };
  const auto A = [](double) { return MatX(MatX::Zero(2, 2)); };
  const testing::ManufacturedDae turns{{0, 2}, A, B, C, MatX{{0, 1}}, MatX::Zero(1, 2), 64};
  CHECK_THROWS_WITH(solve(turns, {.intervals = 10, .weight = Weight::identity}),
                    contains_text("identity") && contains_text("eigenvalue -1"));
  CHECK_NOTHROW(solve(turns, {.intervals = 10, .weight = Weight::inverse}));
}

TEST_CASE("ways of passing singular points are found by name", "[options]") {
  for (const SingularHandling way :
       {SingularHandling::automatic, SingularHandling::limits, SingularHandling::move_node}) {
    CHECK(singular_handling_named(name_of(way)) == way);
  }
  CHECK_THROWS_WITH(singular_handling_named("skip"),
                    contains_text("\"skip\"") && contains_text("move_node"));
}

TEST_CASE("a coefficient that is not finite is named with its t, wherever it is", "[problem]") {
  for (const double t_bad : {0.0, 0.73, 2.0}) {
    for (const char* function : {"A", "B", "C"}) {
      testing::ManufacturedDae broken = plain;
      auto& coefficient = function[0] == 'A'   ? broken.A_of
                          : function[0] == 'B' ? broken.B_of
                                               : broken.C_of;
      coefficient = [good = coefficient, t_bad](double t) {
        MatX value = good(t);
        if (std::abs(t - t_bad) < 0.01) value(0, 0) = nan;
        return value;
      };
      CAPTURE(t_bad, function);
      CHECK_THROWS_AS(solve(broken), InvalidProblem);
      CHECK_THROWS_WITH(solve(broken),
                        contains_text(std::string(function) + "(") && contains_text("finite"));
    }
  }
}

TEST_CASE("an initial waveform of another size or without finite values is refused", "[options]") {
  CHECK_THROWS_AS(solve(plain, {.By_0 = Waveform::constant(VecX::Zero(2))}), InvalidProblem);
  CHECK_THROWS_AS(solve(plain, {.By_0 = Waveform::constant(VecX::Constant(3, nan))}),
                  InvalidProblem);
}

TEST_CASE("options of nonlinear problems are refused by name", "[options]") {
  const auto refused = [](const Options& options, const char* words) {
    CHECK_THROWS_WITH(solve(plain, options), contains_text(words));
    CHECK_THROWS_AS(solve(plain, options), InvalidOption);
  };
  refused({.guess = [](double) -> VecX { return VecX::Zero(3); }}, "guess: is of Newton's method");
  refused({.newton_iterations = 9}, "newton_iterations: is of Newton's method");
  refused({.variant = Variant::direct}, "variant: linear problems have the one form");
  refused({.control_multiplier = false}, "control_multiplier: the tolerance");
  refused({.constraint_end = ConstraintEnd::end}, "constraint_end: the constraint of a linear");
}

TEST_CASE("shooting back is refused where there is no layer", "[options][shooting]") {
  const problems::Ap91 regular{1};
  for (const std::optional<double>& alpha1 : {std::optional<double>{}, std::optional<double>{1}}) {
    const Options options{.alpha1 = alpha1, .shooting_back = true};
    CHECK_THROWS_AS(solve(regular, options), InvalidOption);
    CHECK_THROWS_WITH(solve(regular, options),
                      contains_text("shooting_back: iterates with alpha1"));
  }
}

TEST_CASE("conditions that do not determine the solution are refused or reported", "[problem]") {
  testing::ManufacturedDae broken = plain;
  broken.B0 = broken.C_of(0).replicate(2, 1);
  CHECK_THROWS_AS(solve(broken), InvalidProblem);
  broken = plain;
  broken.B0 = broken.B0.topRows(1).eval();
  broken.B1 = broken.B1.topRows(1).eval();
  CHECK_THROWS_AS(solve(broken), InvalidProblem);
  // x1' = 0 with x1(1) - x1(0) given: nothing fixes x1, which only the matrix can tell.
  const auto A = [](double) { return MatX(MatX::Zero(2, 2)); };
  const auto B = [](double) { return MatX{{0}, {1}}; };
  const auto C = [](double) { return MatX{{0, 1}}; };
  const testing::ManufacturedDae floating{{0, 1}, A, B, C, MatX{{-1, 0}}, MatX{{1, 0}}, 96};
  const Solution solution = solve(floating, {.intervals = 16});
  CHECK_FALSE(solution.report.usable());
  CHECK(solution.report.termination == Termination::singular_matrix);
  CHECK_FALSE(solution.report.advice.empty());
}

}  // namespace daewave::bvp
