// Long horizons with growing and decaying modes, and hard initial value problems, against their
// exact solutions.

#include "bvp/solve.hpp"
#include "problems/ap91.hpp"
#include "problems/lin.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::Errors;

template <class P>
Errors errors_on(const P& problem, Scheme scheme, int stages, int intervals) {
  const Solution solution =
      solve(problem, {.scheme = scheme, .stages = stages, .intervals = intervals});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(solution.report.linear_solve.worst_residual < 1e-14);
  return testing::errors_of(solution, problem);
}

}  // namespace

TEST_CASE("gauss is as accurate at the nodes as collocation of the DAE, over t = 100", "[lin]") {
  // Figures of an established collocation code for DAEs on the same mesh of 2000 intervals; 10 %
  // for the last digit printed.
  CHECK(errors_on(problems::Lin{100}, Scheme::gauss, 1, 2000).x < 1.1 * 6.9e-4);
  CHECK(errors_on(problems::Lin{100}, Scheme::gauss, 2, 2000).x < 1.1 * 1.2e-7);
  CHECK(errors_on(problems::Lin{100}, Scheme::gauss, 3, 2000).x < 1.1 * 7.3e-12);
}

TEST_CASE("three stages and 1e5 intervals reach t = 1000 at rounding level", "[lin]") {
  // h = 0.01: h^5 and h^6 are below rounding, which a horizon of 1000 does not pile up, as the
  // growing mode is held at the end and the others at the begin.
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau}) {
    const Errors errors = errors_on(problems::Lin{1000}, scheme, 3, 100000);
    CAPTURE(name_of(scheme), errors.x, errors.By);
    CHECK(errors.x < 1e-10);
    // B y has order 3 or 4 of h at the stages, less than 1e-2 of the fourth derivative of x.
    CHECK(errors.By < 1e-6);
  }
}

TEST_CASE("two and three coupled blocks converge like one", "[lin]") {
  for (const int blocks : {2, 3}) {
    const problems::LinBlocks problem{30, blocks};
    const Errors coarse = errors_on(problem, Scheme::gauss, 2, 300);
    const Errors fine = errors_on(problem, Scheme::gauss, 2, 600);
    CAPTURE(blocks, coarse.x, fine.x, coarse.By, fine.By);
    CHECK(testing::observed_order(coarse.x, fine.x) == Approx(4).margin(0.2));
    CHECK(fine.x < 1e-4);
  }
}

TEST_CASE("lobatto solves long horizons, with one and with several multipliers", "[lin]") {
  // Lobatto IIIA with k stages has order 2k - 2 at the nodes.
  for (const int blocks : {1, 2}) {
    for (const int stages : {2, 3, 4, 5}) {
      const problems::LinBlocks problem{20, blocks};
      const Errors coarse = errors_on(problem, Scheme::lobatto, stages, 100);
      const Errors fine = errors_on(problem, Scheme::lobatto, stages, 200);
      CAPTURE(blocks, stages, coarse.x, fine.x);
      CHECK(testing::observed_order(coarse.x, fine.x) > 2 * stages - 2 - 0.3);
      CHECK(fine.x < 1e-2);
    }
  }
}

TEST_CASE("the Ascher-Petzold problem keeps its order for easy and hard lambda", "[ap91]") {
  for (const double lambda : {1.0, 50.0}) {
    for (const Scheme scheme : {Scheme::gauss, Scheme::radau}) {
      const problems::Ap91 problem{lambda};
      const Errors coarse = errors_on(problem, scheme, 2, 50);
      const Errors fine = errors_on(problem, scheme, 2, 100);
      CAPTURE(lambda, name_of(scheme), coarse.x, fine.x, coarse.By, fine.By);
      const double order = testing::observed_order(coarse.x, fine.x);
      CHECK(order > (scheme == Scheme::gauss ? 4 : 3) - 0.3);
      // h^3 = 1e-6, times a constant that grows with lambda.
      CHECK(fine.x < 1e-5);
    }
  }
}

}  // namespace daewave::bvp
