// Newton's methods of problems of index 1 take the derivatives of f and r where they are known: the
// same motion as with differences, and f asked for less often.

#include "core/adapt/problem_of.hpp"
#include "core/derivatives/with_f_jacobian.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/core/counted_problem.hpp"
#include "tests/ivp/rolling_on_circle.hpp"

namespace daewave::ivp {

TEST_CASE("derivatives of f and r save evaluations of them and change no motion", "[bdf]") {
  const RollingOnCircle<> rolling;
  const DaeProblemPtr problem = problem_of(with_autodiff(rolling));
  const Formula radau{.stepper = Stepper::radau};
  const Method methods[] = {Underlying{.formula = radau},
                            ProjectEachStep{.formula = radau},
                            ProjectedInvariants{},
                            BdfProjection{},
                            BdfProjection{.form = MultiplierForm::index_1},
                            BdfProjectedInvariants{}};
  for (const Method& method : methods) {
    CAPTURE(name_of(method));
    Options options;
    options.method = method;
    options.rtol = 1e-8;
    const testing::CountedProblem knows(problem, true), differences(problem, false);
    const Solution found = solve(knows, options), expected = solve(differences, options);
    REQUIRE(found.report.usable());
    REQUIRE(expected.report.usable());
    CHECK(knows.calls_of_f() < differences.calls_of_f());
    CHECK((found.end() - expected.end()).norm() < 1e-6);
    CHECK((found.end() - VecX(rolling.z_exact(1))).norm() < 1e-6);
  }
}

}  // namespace daewave::ivp
