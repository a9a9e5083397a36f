// Small changes from iterate to iterate are not convergence: the constraint has to be met.

#include "bvp/solve.hpp"
#include "problems/al1.hpp"
#include "problems/ap91.hpp"
#include "problems/lin.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

template <class P>
void is_honest(const P& problem, const Options& options) {
  const Solution solution = solve(problem, options);
  INFO(solution.report.problem << ", epsilon = " << *options.epsilon << ": "
                               << solution.report.brief());
  if (!solution.report.usable()) {
    CHECK_FALSE(solution.report.message.empty());
    CHECK_THAT(solution.report.advice, contains_text("epsilon"));
    return;
  }
  const testing::Errors errors = testing::errors_of(solution, problem);
  CHECK(errors.relative_x() <= 10 * options.tolerance.value_or(1e-2));
}

}  // namespace

TEST_CASE("an epsilon that is too large is not called converged", "[srm][epsilon]") {
  for (const double epsilon : {0.3, 1.0, 3.0, 10.0, 1e2, 1e4, 1e8, 1e10}) {
    const problems::Lin lin{10};
    const problems::Ap91 ap91{};
    const problems::Al1Example1 example1{};
    for (const double alpha1 : {0.0, 1.0}) {
      is_honest(lin, {.tolerance = 1e-6, .epsilon = epsilon, .alpha1 = alpha1});
      is_honest(lin, {.intervals = 200, .epsilon = epsilon, .alpha1 = alpha1});
      is_honest(ap91, {.tolerance = 1e-6, .epsilon = epsilon, .alpha1 = alpha1});
    }
    is_honest(example1, {.tolerance = 1e-6, .epsilon = epsilon});
    is_honest(example1, {.intervals = 200, .epsilon = epsilon});
  }
}

TEST_CASE("as many iterates as were asked for do not keep a tolerance by themselves",
          "[srm][epsilon]") {
  const problems::Lin problem{10};
  const Solution solution =
      solve(problem, {.tolerance = 1e-6, .epsilon = 0.1, .alpha1 = 1.0, .iterates = 1});
  INFO(solution.report.brief());
  CHECK_FALSE(solution.report.usable());
  CHECK_THAT(solution.report.advice, contains_text("iterates"));
}

}  // namespace daewave::bvp
