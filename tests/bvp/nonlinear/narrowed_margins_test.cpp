// What margins at bounds may still change, of solutions that are made up.

#include "bvp/nonlinear/narrowed_margins.hpp"

#include <cstddef>
#include <vector>

#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// Solves whose lines begin at these values, beyond every margin at x >= 0.
struct Solves {
  std::vector<double> begins;
  double tolerance = 1e-3;
  std::size_t solved = 0;

  Solution run() {
    StateBounds bounds(VecX::Zero(1), {}, 1);
    bounds.look_at(MatX::Ones(1, 1));
    return with_narrowed_margins(bounds, {}, tolerance, [&](const Solution* wider) {
      CHECK((wider == nullptr) == (solved == 0));
      REQUIRE(solved < begins.size());
      Report report;
      report.termination = Termination::converged;
      report.error.available = true;
      return testing::made_up(testing::straight(uniform_mesh(0, 1, 4), begins[solved++], 0),
                              report);
    });
  }
};

/// Of a line that begins at 0 and one at `begin`: the lines' ends, in units of 1 + |x|.
double change_to(double begin) { return 2 * begin; }

}  // namespace

TEST_CASE("what one narrower margin has changed goes on like the root of its width",
          "[bounds][margins]") {
  Solves one{{0, 4e-7}, 1e-6};
  const Solution solution = one.run();
  CHECK(one.solved == 2);
  CHECK(solution.report.error.x == Approx(change_to(4e-7) / 9).epsilon(1e-4));
  CHECK(solution.report.error.tolerance == 1e-6);
  CHECK_THAT(solution.report.message, contains_text("by margins at bounds"));
  // A ninth of it is more than can be neglected: another one is asked for.
  Solves two{{0, 4e-7, 4e-7}, 8e-7};
  CHECK(two.run().report.usable());
  CHECK(two.solved == 3);
}

TEST_CASE("what two narrower margins have changed tells the power that it goes on with",
          "[bounds][margins]") {
  for (const double ratio : {10.0, 100.0}) {  // The root of the margin, and the margin.
    const double d = 4e-7, change = change_to(d) / ratio;
    CAPTURE(ratio);
    Solves twice{{0, d, d + d / ratio}, 8e-7};
    CHECK(twice.run().report.error.x == Approx(change / (ratio - 1)).epsilon(1e-3));
    CHECK(twice.solved == 3);
  }
}

TEST_CASE("a solution leaves a bound where it is beyond by more than the tolerance allows",
          "[bounds][margins]") {
  for (const double tolerance : {1e-3, 1e-6}) {
    CAPTURE(tolerance);
    // Lines are beyond the bound by twice their begin, at their end.
    Solves within{{-0.45 * tolerance, -0.45 * tolerance}, tolerance};
    const Solution on_bound = within.run();
    CHECK(on_bound.report.usable());
    REQUIRE(on_bound.report.warnings.size() == 1);
    CHECK_THAT(on_bound.report.warnings[0], contains_text("the solution is on this bound"));
    Solves beyond{{-0.55 * tolerance, -0.55 * tolerance}, tolerance};
    const Solution left = beyond.run();
    CHECK(left.report.termination == Termination::not_converged);
    CHECK_THAT(left.report.message, contains_text("x1 >= 0: the solution leaves this bound"));
    CHECK_THAT(left.report.message, contains_text("at t = 1"));
  }
}

}  // namespace daewave::bvp
