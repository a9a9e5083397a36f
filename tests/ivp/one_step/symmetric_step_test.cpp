// Gauss steps between two projections by the same multipliers: orders, symmetry, and what symmetry
// is for.

#include "ivp/one_step/symmetric_step.hpp"

#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "ivp/equations/normal_directions_of.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/run/integrate.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using problems::Pendulum;
using Plain = problems::Al2Example61;

/// A problem with its step, from its start.
template <class P>
struct Run {
  P problem;
  DaeProblemPtr erased = problem_of(problem);
  std::unique_ptr<ReducedOde> system =
      reduce(*erased, {.kind = ReductionKind::symmetric_projection});
  SymmetricStep step;

  explicit Run(int stages, StageIteration iteration = StageIteration::fixed_point)
      : step(*system, normal_directions_of(*erased, 1e-12), normal_directions_of(*erased, 1e-12),
             collocation(Scheme::gauss, stages), iteration) {
    REQUIRE(step.start(0, problem.start()));
  }

  bool go(double h, int steps) {
    for (int i = 0; i < steps; ++i) {
      if (step.attempt(h) != 0 || !step.accept()) return false;
    }
    return true;
  }
  double error() const {
    return (step.state() - VecX(problem.z_exact(step.t()))).lpNorm<Eigen::Infinity>();
  }
};

using Swing = Run<Pendulum>;
using PlainRun = Run<Plain>;

/// log2 of the errors with `steps` and twice as many to t = end.
template <class R>
double order(int stages, double end, int steps) {
  double error[2];
  for (int i = 0; i < 2; ++i) {
    R run(stages);
    REQUIRE(run.go(end / (steps << i), steps << i));
    error[i] = run.error();
  }
  CAPTURE(stages, error[0], error[1]);
  REQUIRE(error[1] > 1e-13);  // Else rounding is compared.
  return std::log2(error[0] / error[1]);
}

}  // namespace

TEST_CASE("a symmetric step of k stages has order 2k, for index 2 and 3", "[symmetric]") {
  const int steps_of_index_3[] = {64, 24, 14, 10, 8, 6};
  for (int stages = 1; stages <= 6; ++stages) {
    CAPTURE(stages);
    CHECK(order<Swing>(stages, 2, steps_of_index_3[stages - 1]) > 2 * stages - 0.35);
  }
  const int steps_of_index_2[] = {32, 16, 10};
  for (int stages = 1; stages <= 3; ++stages) {
    CAPTURE(stages);
    CHECK(order<PlainRun>(stages, 2, steps_of_index_2[stages - 1]) > 2 * stages - 0.35);
  }
}

TEST_CASE("a symmetric step ends on the constraints, to rounding", "[symmetric]") {
  for (int stages : {2, 4, 6}) {
    for (StageIteration iteration : {StageIteration::fixed_point, StageIteration::newton}) {
      CAPTURE(stages, name_of(iteration));
      Swing run(stages, iteration);
      double position = 0, velocity = 0;
      for (int i = 0; i < 200; ++i) {
        REQUIRE(run.go(0.1, 1));
        position = std::max(position, run.step.drift().position);
        velocity = std::max(velocity, run.step.drift().velocity);
      }
      // An iteration ends where its changes are below 1e-13 of the state and shrink no more.
      CHECK(position < 1e-12);
      CHECK(velocity < 4e-12);
    }
  }
}

TEST_CASE("what goes forward by symmetric steps comes back by them", "[symmetric]") {
  const int steps = 100;
  Swing there(3);
  REQUIRE(there.go(0.12, steps));
  Swing back(3);
  REQUIRE(back.step.start(there.step.t(), there.step.state()));
  REQUIRE(back.go(-0.12, steps));
  // Rounding of 200 steps, which the motion enlarges by as much as errors of its start.
  CHECK((back.step.state() - back.problem.start()).lpNorm<Eigen::Infinity>() < 1e-11);
  CHECK(there.error() > 1e-6);  // Far above that: it has not come to where the motion does.

  // A step projected at its end alone does not come back.
  const Pendulum pendulum;
  const auto system = reduce(*there.erased, {.kind = ReductionKind::s_both2});
  Tolerance tolerance(Options{}, 4);
  CollocationStep plain(*system, collocation(Scheme::gauss, 3), tolerance, false);
  REQUIRE(plain.start(0, pendulum.start()));
  for (double h : {0.12, -0.12}) {
    for (int i = 0; i < steps; ++i) {
      REQUIRE(plain.attempt(h) == 0);
      REQUIRE(plain.accept());
    }
  }
  CHECK((plain.state() - pendulum.start()).lpNorm<Eigen::Infinity>() > 1e-6);
}

TEST_CASE("the energy error of symmetric steps does not grow", "[symmetric]") {
  Swing run(3);
  const double h = run.problem.period() / 20;
  const Vec<4> start = run.problem.start();
  const double energy = run.problem.energy(start.head(2), start.tail(2));
  const auto worst_of = [&](int periods) {
    double worst = 0;
    for (int i = 0; i < 20 * periods; ++i) {
      REQUIRE(run.go(h, 1));
      const Vec<4> z = run.step.state();
      worst = std::max(worst, std::abs(run.problem.energy(z.head(2), z.tail(2)) - energy));
    }
    return worst;
  };
  const double first = worst_of(10);
  REQUIRE(worst_of(980) > 0);
  const double last = worst_of(10);
  CHECK(first > 1e-6);  // An error there is, far above rounding.
  CHECK(std::abs(last - first) < 1e-3 * first);
}

TEST_CASE("sweeps and Newton's method find the same stages", "[symmetric]") {
  Swing sweeps(4), newton(4, StageIteration::newton);
  REQUIRE(sweeps.go(0.15, 100));
  REQUIRE(newton.go(0.15, 100));
  CHECK((sweeps.step.state() - newton.step.state()).lpNorm<Eigen::Infinity>() < 1e-11);
  PlainRun plain(3), by_newton(3, StageIteration::newton);
  REQUIRE(plain.go(0.1, 20));
  REQUIRE(by_newton.go(0.1, 20));
  CHECK((plain.step.state() - by_newton.step.state()).lpNorm<Eigen::Infinity>() < 1e-12);
}

TEST_CASE("sweeps that do not converge say so, with the way out", "[symmetric]") {
  Swing run(4);
  CHECK(std::isnan(run.step.attempt(5)));
  CHECK_THAT(run.step.failure(), contains_text("t = 0: sweeps over the stages do not converge") &&
                                     contains_text("h = 5"));
  CHECK(run.step.t() == 0);
  CHECK(run.step.state() == run.problem.start());
}

TEST_CASE("dense output of symmetric steps joins their ends", "[symmetric]") {
  const auto iteration = GENERATE(StageIteration::fixed_point, StageIteration::newton);
  Swing run(4, iteration);
  const Vec<4> start = run.problem.start();
  REQUIRE(run.go(0.1, 1));
  VecX at = start;
  run.step.interpolate(0, at);
  CHECK((at - start).norm() < 1e-14);
  run.step.interpolate(1, at);
  CHECK((at - run.step.state()).norm() < 1e-12);
  // A polynomial of degree 4 in one step of a fourteenth of the period.
  run.step.interpolate(0.5, at);
  CHECK((at - run.problem.z_exact(0.05)).norm() < 1e-5);
}

}  // namespace daewave::ivp
