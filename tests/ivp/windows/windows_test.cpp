// Whole-interval Gauss windows: their order, their tolerance, what is between their ends, and what
// stops them.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "ivp/doors/solve_reduced.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/solve.hpp"
#include "ivp/windows/window_step.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/andrews.hpp"
#include "problems/car_axis.hpp"
#include "problems/chain.hpp"
#include "problems/pendulum.hpp"
#include "problems/scissors.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/double_four_bar.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using problems::Pendulum;

double largest(const VecX& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

Solution swing(const Interval& span, Options options) {
  const Pendulum pendulum;
  options.method = GaussWindows{};
  return solve(*problem_of(pendulum), VecX(pendulum.z_exact(span.begin)), span, options);
}

/// A pendulum of any length, whose motion is that of length 1 in other units.
struct PendulumOfLength {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double length = 1;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -9.81 * length}; }
  Multiplier g(const Position& q, double) const {
    return Multiplier((q.squaredNorm() - length * length) / 2);
  }
  Mat<1, 2> G(const Position& q, double) const { return q.transpose(); }
  Multiplier g_t(const Position&, double) const { return Multiplier(0.0); }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier(v.squaredNorm());
  }
};

double end_error(const Solution& solution) {
  return largest(solution.end() - VecX(Pendulum{}.z_exact(solution.t.back())));
}

}  // namespace

TEST_CASE("windows of a given length have order 16 at their ends", "[windows]") {
  std::vector<double> errors;
  for (const int count : {8, 10}) {
    const Solution solution = swing({0, 2}, {.h = 2.0 / count});
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    CHECK(solution.report.integration.steps == count);
    errors.push_back(end_error(solution));
  }
  CAPTURE(1e15 * errors[0], 1e15 * errors[1]);
  CHECK(errors[0] > 1e-12);
  CHECK(errors[1] < errors[0] * std::pow(0.8, 16 - 1));
}

TEST_CASE("windows keep their tolerance over ten periods of the pendulum", "[windows]") {
  const double end = 10 * Pendulum{}.period();
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const Solution solution = swing({0, end}, {.rtol = rtol, .every = 0});
    CAPTURE(rtol, end_error(solution), solution.report.integration.steps);
    CHECK(solution.report.usable());
    CHECK(end_error(solution) < 30 * rtol);
    // An explicit formula of order 8 takes several times as many steps.
    CHECK(solution.report.integration.steps < 250);
  }
}

TEST_CASE("nodes in lanes and nodes one by one are the same windows to rounding", "[windows]") {
  const auto ends = [](const auto& problem, double end, double rtol) {
    const DaeProblemPtr erased = problem_of(problem);
    const VecX start = problem.start();
    Options options{.rtol = rtol, .every = 0};
    options.atol = 1e-2 * rtol;
    const Tolerance tolerance(options, static_cast<int>(start.size()));
    std::vector<Solution> both;
    for (const bool lanes : {true, false}) {
      const auto system = reduce(*erased, reduction_of(GaussWindows{}, tolerance, 1e-12));
      auto sweeps = lanes ? sweeps_in_lanes(*erased, 1e-12) : nullptr;
      if (lanes) REQUIRE(sweeps != nullptr);
      WindowStep step(*system, std::move(sweeps), tolerance, true);
      both.push_back(integrate(step, start, {0, end}, options));
    }
    CHECK(both[0].report.integration.steps == both[1].report.integration.steps);
    const double size = largest(both[0].end());
    CHECK(largest(both[0].end() - both[1].end()) < 1e-10 * size);
  };
  ends(Pendulum{}, 3, 1e-9);
  ends(problems::Andrews{}, 0.01, 1e-9);
  ends(problems::AcprCase1{}, 2, 1e-9);
  ends(problems::AcprCase2{}, 2, 1e-9);
  ends(DoubleFourBar{}, 0.2, 1e-9);
  ends(problems::SliderCrank{}, 0.3, 1e-9);
  ends(problems::CarAxis{}, 0.5, 1e-9);
  for (int rods : {1, 2, 5}) ends(problems::Chain{rods}, 1, 1e-9);
}

TEST_CASE("a chain in windows moves as by dop853, also without lanes of its own", "[windows]") {
  for (const int rods : {4, 64}) {
    const problems::Chain chain{rods};
    const VecX start = chain.start();
    const Solution reference =
        solve(*problem_of(chain), start, {0, 0.5},
              {.method = SBoth2{.formula = {Stepper::dop853, {}}}, .rtol = 1e-12, .every = 0});
    for (const DaeProblemPtr& problem :
         {problem_of(chain), problem_of(chain, StructLanes<problems::Chain>{})}) {
      const Solution solution =
          solve(*problem, start, {0, 0.5}, {.method = GaussWindows{}, .rtol = 1e-8, .every = 0});
      CAPTURE(rods, problem->lanes());
      CHECK(solution.report.usable());
      CHECK_THAT(solution.report.full(), contains_text("in lanes of"));
      CHECK(largest(solution.end() - reference.end()) < 1e-6);
    }
  }
}

TEST_CASE("windows drive the car axis to the digits of its test set", "[windows]") {
  const problems::CarAxis axis;
  const Solution solution = solve(*problem_of(axis), VecX(axis.start()), {0, 3},
                                  {.method = GaussWindows{}, .rtol = 1e-11, .every = 0});
  // At t = 3, computed in quadruple precision.
  VecX known(8);
  known << 0.493455784275402809122e-1, 0.496989460230171153861, 0.104174252488542151681e1,
      0.373911027265361256927, -0.770583684040972357970e-1, 0.744686658723778553466e-2,
      0.175568157537232222276e-1, 0.770341043779251976443;
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  CHECK(largest(solution.end() - known) < 1e-9);
}

TEST_CASE("looking for stiff parts changes no window", "[windows]") {
  const DaeProblemPtr pendulum = problem_of(Pendulum{});
  const VecX start = Pendulum{}.start();
  for (const double rtol : {1e-4, 1e-7, 1e-10}) {
    Options options{.method = GaussWindows{}, .rtol = rtol, .atol = 0.1 * rtol, .every = 0};
    const Solution solution = solve(*pendulum, start, {0, 10}, options);
    const Tolerance tolerance(options, 4);
    const auto system = reduce(*pendulum, reduction_of(GaussWindows{}, tolerance, 1e-12));
    WindowStep step(*system, sweeps_in_lanes(*pendulum, 1e-12), tolerance, true);
    const Solution alone = integrate(step, start, {0, 10}, options);
    CAPTURE(rtol);
    CHECK(solution.report.integration.steps == alone.report.integration.steps);
    CHECK(solution.end() == alone.end());
  }
}

TEST_CASE("windows solve what lanes are not for", "[windows]") {
  const problems::Scissors scissors(2);
  const auto solved = [&](const Method& method, double rtol) {
    return solve(*problem_of(scissors), VecX(scissors.start()), {0, 2},
                 {.method = method, .rtol = rtol, .every = 0});
  };
  CHECK(sweeps_in_lanes(*problem_of(scissors), 1e-12) == nullptr);
  const Solution reference = solved(SBoth2{.formula = {Stepper::dop853, {}}}, 1e-13);
  for (const double rtol : {1e-6, 1e-9}) {
    const Solution solution = solved(GaussWindows{}, rtol);
    CAPTURE(rtol);
    CHECK(solution.report.usable());
    CHECK(largest(solution.end() - reference.end()) < 100 * rtol);
  }
}

TEST_CASE("what windows give between their ends is as accurate as their ends", "[windows]") {
  const Pendulum pendulum;
  for (const double rtol : {1e-5, 1e-8, 1e-11}) {
    Options options{.rtol = rtol, .dense = true};
    for (int i = 1; i < 100; ++i) options.times.push_back(0.0471 * i);
    const Solution solution = swing({0, 5}, options);
    REQUIRE(solution.count() == 101);
    double at_times = 0, anywhere = 0;
    for (int i = 0; i < solution.count(); ++i) {
      at_times =
          std::max(at_times, largest(solution.state(i) - VecX(pendulum.z_exact(solution.t[i]))));
    }
    for (int i = 0; i <= 2000; ++i) {
      const double t = 5 * i / 2000.0;
      anywhere = std::max(anywhere, largest(solution.at(t) - VecX(pendulum.z_exact(t))));
    }
    CAPTURE(rtol, at_times, anywhere);
    CHECK(at_times < 30 * rtol);
    CHECK(anywhere < 30 * rtol);
    CHECK(solution.report.integration.steps < 60);  // Not shortened to the times.
  }
}

TEST_CASE("events are found in windows, and change what follows", "[windows]") {
  const Pendulum pendulum;
  // Through the lowest point, twice a period.
  Options options{.rtol = 1e-10};
  options.events.push_back(
      {.name = "lowest", .function = [](double, const VecX& z) { return z[0]; }});
  const double period = pendulum.period();
  const Solution solution = swing({0, 3 * period}, options);
  REQUIRE(solution.occurrences.size() == 6);
  for (int i = 0; i < 6; ++i) {
    CHECK(std::abs(solution.occurrences[i].t - (0.25 + 0.5 * i) * period) < 1e-9);
  }
  // Thrown back there: to and fro in a quarter of the circle.
  options.events[0].change = [](double, const VecX& z) {
    VecX back = z;
    back.tail(2) *= -1;
    return back;
  };
  const Solution thrown = swing({0, 3 * period}, options);
  CHECK(thrown.occurrences.size() == 6);
  CHECK(largest(thrown.end() - VecX(pendulum.z_exact(0))) < 1e-8);
}

TEST_CASE("over a thousand periods windows keep energy and phase to rounding", "[windows]") {
  const Pendulum pendulum;
  const double period = pendulum.period();
  const Solution solution = swing({0, 1000 * period}, {.h = period / 20, .every = 0});
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  CHECK(solution.report.integration.energy_change < 5e-14 * pendulum.g0);
  // Of a start from rest: the phase tells itself by the velocity.
  CHECK(end_error(solution) < 1e-9);
  CHECK(solution.report.integration.evaluations < 10 * 8 * solution.report.integration.steps);
}

TEST_CASE("energy does not drift by the rounding of windows, however many a period has",
          "[windows]") {
  const Pendulum pendulum;
  const double period = pendulum.period();
  for (const double windows : {20.3, 22.3, 24.0}) {
    const Solution solution = swing({0, 1000 * period}, {.h = period / windows, .every = 0});
    CAPTURE(windows, solution.report.full());
    CHECK(solution.report.usable());
    // 3.5e-14 where pivots are a quarter of the largest entry of their row.
    CHECK(solution.report.integration.energy_change < 2.2e-14 * pendulum.g0);
  }
}

TEST_CASE("windows back to the start give the start", "[windows]") {
  const Solution solution = swing({7, 0}, {.rtol = 1e-11, .times = {2, 5}});
  CHECK(solution.report.usable());
  CHECK(solution.t == std::vector<double>{7, 5, 2, 0});
  CHECK(end_error(solution) < 1e-9);
}

TEST_CASE("windows lead through singular configurations on the branch", "[windows]") {
  // Its angle turns as that of one crank does, by minimal coordinates.
  const auto by = [](const Method& method, double rtol) {
    return solve(*problem_of(problems::SliderCrank{.from = problems::SliderCrankStart::turning}),
                 {.method = method, .rtol = rtol, .every = 0});
  };
  const Solution reference = by(Automatic{}, 1e-11);
  const Solution solution = by(GaussWindows{}, 1e-8);
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  CHECK(solution.report.singular_points.size() > 4);
  CHECK(largest(solution.end() - reference.end()) < 1e-5);
}

TEST_CASE("a damper that holds windows is stepped by a formula that damps", "[windows][stiff]") {
  /// A bead on a circle whose rate is pulled to cos t.
  struct Damped {
    using Position = Vec<2>;
    using Multiplier = Vec<1>;
    Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
    Position f(const Position& q, const Position& v, double t) const {
      const double rate = q[0] * v[1] - q[1] * v[0];
      return -1e5 * (rate - std::cos(t)) * Position(-q[1], q[0]);
    }
    Multiplier g(const Position& q, double) const { return Multiplier((q.squaredNorm() - 1) / 2); }
    Mat<1, 2> G(const Position& q, double) const { return q.transpose(); }
    Multiplier g_t(const Position&, double) const { return Multiplier(0.0); }
    Multiplier curvature(const Position&, const Position& v, double) const {
      return Multiplier(v.squaredNorm());
    }
  };
  VecX start(4);
  start << 1, 0, 0, 1;
  const Solution solution = solve(*problem_of(Damped{}, start), start, {0, 3},
                                  {.method = GaussWindows{}, .rtol = 1e-8, .every = 0});
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  CHECK(solution.report.integration.steps < 5000);
  CHECK_THAT(solution.report.full(), contains_text("held the steps of gauss-windows"));
  const VecX end = solution.end();
  const Solution reference =
      solve(*problem_of(Damped{}, start), start, {0, 3},
            {.method = ProjectEachStep{.formula = {Stepper::radau, 5}}, .rtol = 1e-11, .every = 0});
  CHECK(largest(end - reference.end()) < 1e-6);
}

TEST_CASE("windows without a force are as long as they may be", "[windows]") {
  Pendulum pendulum;
  pendulum.g0 = 0;
  VecX start(4);
  start << 1, 0, 0, 2;
  const Solution solution = solve(*problem_of(pendulum), start, {0, 10},
                                  {.method = GaussWindows{}, .rtol = 1e-9, .every = 0});
  VecX end(4);
  end << std::cos(20), std::sin(20), -2 * std::sin(20), 2 * std::cos(20);
  CHECK(solution.report.usable());
  CHECK(largest(solution.end() - end) < 1e-8);
  // At rest nothing moves: one window after the first.
  start << 0, -1, 0, 0;
  const Solution rest =
      solve(*problem_of(Pendulum{}), start, {0, 10}, {.method = GaussWindows{}, .every = 0});
  CHECK(rest.report.integration.steps < 15);
  CHECK(largest(rest.end() - start) < 1e-14);
}

TEST_CASE("windows that sweeps hold are not tried twice as long after each one", "[windows]") {
  // Waves run through long chains, and sweeps bear them less than accuracy does.
  for (const int rods : {192, 256}) {
    const problems::Chain chain{rods};
    const VecX start = chain.start();
    const DaeProblemPtr problem = problem_of(chain);
    Options options{.method = GaussWindows{}, .rtol = 1e-5, .atol = 1e-5, .every = 0};
    const Interval span{0, 1.7};
    const Solution solution = solve(*problem, start, span, options);
    CAPTURE(rods, solution.report.full());
    CHECK(solution.report.usable());
    const IntegrationReport& run = solution.report.integration;
    CHECK(5 * run.rejected < run.steps);
    options.rtol = 1e-9;
    options.atol = 1e-9;
    CHECK(largest(solution.end() - solve(*problem, start, span, options).end()) < 1e-4);
  }
}

TEST_CASE("windows too long for their sweeps say so", "[windows]") {
  const Solution solution = swing({0, 40}, {.h = 4});
  CHECK_FALSE(solution.report.usable());
  CHECK_THAT(solution.report.full(),
             contains_text("do not converge") && contains_text("smaller h"));
}

TEST_CASE("windows are the same in any unit of length", "[windows]") {
  const auto steps = [](double length) {
    VecX start(4);
    start << length, 0, 0, 0;
    const Solution solution =
        solve(*problem_of(PendulumOfLength{length}), start, {0, 5},
              {.method = GaussWindows{}, .rtol = 1e-8, .atol = 1e-9 * length, .every = 0});
    CHECK(solution.report.usable());
    return std::pair(solution.report.integration.steps, solution.report.integration.smallest_step);
  };
  const auto [in_metres, first] = steps(1);
  for (const double unit : {0x1p-20, 0x1p20}) {
    const auto [count, shortest] = steps(unit);
    CHECK(count == in_metres);
    CHECK(std::abs(shortest - first) < 1e-9 * first);
  }
}

TEST_CASE("windows are refused where there is no motion, and no rule but theirs", "[windows]") {
  const problems::Al2Example61 index_2;
  CHECK_THROWS_WITH(
      solve(*problem_of(index_2), {.method = GaussWindows{}}),
      contains_text("gauss-windows") && contains_text("motions") && contains_text("projection"));
  CHECK_THROWS_WITH(swing({0, 1}, {.control = Control{}}),
                    contains_text("control") && contains_text("gauss-windows"));
}

}  // namespace daewave::ivp
