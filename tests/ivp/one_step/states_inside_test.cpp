// States inside of steps of collocation formulas: at times asked for, at events, and behind changes
// of the state there.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "ivp/solve.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/same_runs.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using std::numbers::pi;

/// x'' = -x, x = cos t.
struct Spring {
  using State = Vec<2>;
  State f(const State& z, double) const { return {z[1], -z[0]}; }
  static VecX exact(double t) { return Vec<2>(std::cos(t), -std::sin(t)); }
};

/// The same with the force as an unknown of index 1, w^3 + w = x^3 + x, and the energy as an
/// invariant.
struct InvariantSpring {
  using State = Vec<2>;
  using Algebraic = Vec<1>;
  using Invariant = Vec<1>;
  State f(const State& z, const Algebraic& w, double) const { return {z[1], -w[0]}; }
  Vec<1> r(const State& z, const Algebraic& w, double) const {
    return Vec<1>(w[0] * (w[0] * w[0] + 1) - z[0] * (z[0] * z[0] + 1));
  }
  Vec<1> h(const State& z, double) const { return Vec<1>((z.squaredNorm() - 1) / 2); }
  Mat<1, 2> H(const State& z, double) const { return z.transpose(); }
};

const std::vector<Formula> with_estimate{{Stepper::gauss, 3}, {Stepper::gauss, 5},
                                         {Stepper::gauss, 7}, {Stepper::radau, 3},
                                         {Stepper::radau, 5}, {Stepper::radau, 7}};

std::vector<double> times(int count, double end) {
  std::vector<double> times;
  for (int i = 1; i <= count; ++i) times.push_back(i == count ? end : i * (end / count));
  return times;
}

template <class Exact>
double error_of(const Solution& solution, Exact exact) {
  REQUIRE(solution.report.usable());
  double error = 0;
  for (int i = 0; i < solution.count(); ++i) {
    const VecX off = solution.state(i) - exact(solution.t[static_cast<std::size_t>(i)]);
    error = std::max(error, off.cwiseAbs().maxCoeff());
  }
  return error;
}

/// Between walls at x = -1/2 and, of the same time, wherever that is hit.
Options bouncing(Options options, int walls = 1) {
  for (int i = 0; i < walls; ++i) {
    options.events.push_back({.name = "wall",
                              .function = [](double, const VecX& z) { return z[0] + 0.5; },
                              .direction = Event::Direction::falling});
  }
  options.events.back().change = [](double, const VecX& z) { return VecX(Vec<2>(z[0], -z[1])); };
  return options;
}

Solution spring(const Options& options) {
  return solve(Spring{}, Spring::exact(0), {0, 20}, options);
}

}  // namespace

TEST_CASE("what collocation gives at times asked for is as exact as the ends of its steps",
          "[collocation-step]") {
  // Their polynomials were off by up to 1e3 rtol.
  for (const Formula& formula : with_estimate) {
    for (const double rtol : {1e-6, 1e-8, 1e-10}) {
      Options options{.method = Automatic{formula}, .rtol = rtol, .atol = rtol};
      const double ends = error_of(spring(options), Spring::exact);
      // A few of them, and more in a step than are solved for each.
      for (const int count : {7, 600}) {
        options.times = times(count, 20);
        CAPTURE(name_of(*formula.stepper), *formula.stages, rtol, count);
        CHECK(error_of(spring(options), Spring::exact) < 1.2 * ends + 0.05 * rtol);
      }
    }
  }
}

TEST_CASE("so it is in fixed steps, of any number of stages", "[collocation-step]") {
  for (const Stepper stepper : {Stepper::gauss, Stepper::radau}) {
    for (const int stages : {1, 2, 3, 4}) {
      Options options{.method = Automatic{{stepper, stages}}, .h = 0.4};
      const double ends = error_of(spring(options), Spring::exact);
      for (const int count : {7, 600}) {
        options.times = times(count, 20);
        CAPTURE(name_of(stepper), stages, count);
        CHECK(error_of(spring(options), Spring::exact) < 1.1 * ends);
      }
    }
  }
}

TEST_CASE("so are times of events, and what collocation goes on with behind a change",
          "[collocation-step]") {
  const auto check = [](const Options& options, double bound) {
    const Solution solution = spring(bouncing(options));
    REQUIRE(solution.report.usable());
    REQUIRE(solution.occurrences.size() == 5);
    for (int k = 0; k < 5; ++k) {
      const Occurrence& hit = solution.occurrences[static_cast<std::size_t>(k)];
      CHECK(std::abs(hit.t - (2 * k + 1) * (2 * pi / 3)) < bound);
      CHECK(std::abs(hit.state[0] + 0.5) < 1e-14);
    }
    CHECK(std::abs(solution.end()[0] - std::cos(20 - 10 * (2 * pi / 3))) < bound);
  };
  for (const Formula& formula : with_estimate) {
    for (const double rtol : {1e-6, 1e-8, 1e-10}) {
      CAPTURE(name_of(*formula.stepper), *formula.stages, rtol);
      // Five pieces, the errors of which add up.
      const Options options{.method = Automatic{formula}, .rtol = rtol, .atol = rtol};
      check(options, 5 * error_of(spring(options), Spring::exact) + 0.1 * rtol);
    }
    Options fixed{.method = Automatic{formula}, .h = 0.4};
    CAPTURE(name_of(*formula.stepper), *formula.stages);
    check(fixed, 5 * error_of(spring(fixed), Spring::exact) + 1e-13);
  }
}

TEST_CASE("events of one time stay at one time where they are solved for", "[collocation-step]") {
  for (const Formula& formula : with_estimate) {
    Options options{.method = Automatic{formula}, .rtol = 1e-7, .atol = 1e-7};
    const Solution solution = spring(bouncing(options, 3));
    REQUIRE(solution.report.usable());
    REQUIRE(solution.occurrences.size() == 15);
    for (std::size_t i = 0; i < 15; ++i) {
      CHECK(solution.occurrences[i].t == solution.occurrences[i / 3 * 3].t);
    }
  }
}

TEST_CASE("times asked for change nothing of the steps of a run", "[collocation-step]") {
  const problems::Pendulum pendulum;
  const auto exact = [&](double t) { return VecX(pendulum.z_exact(t)); };
  const std::vector<Method> methods{
      Underlying{.formula = {Stepper::gauss, 3}}, SBoth2{.formula = {Stepper::radau, 3}},
      ProjectEachStep{.formula = {Stepper::gauss, 5}},
      ProjectEachStep{.onto = Onto::position, .formula = {Stepper::radau, 3}},
      LocalStateSpace{.formula = {Stepper::radau, 5}}};
  for (const Method& method : methods) {
    CAPTURE(name_of(method));
    Options options{.method = method, .rtol = 1e-8, .atol = 1e-8};
    const DaeProblemPtr problem = problem_of(pendulum);
    const Solution plain = solve(*problem, pendulum.start(), {0, 3}, options);
    options.times = times(40, 3);
    const Solution asked = solve(*problem, pendulum.start(), {0, 3}, options);
    REQUIRE(asked.count() == 41);
    CHECK(plain.end() == asked.end());
    CHECK(plain.report.integration.steps == asked.report.integration.steps);
    CHECK(plain.report.integration.parameter_choices == asked.report.integration.parameter_choices);
    CHECK(error_of(asked, exact) < 1.1 * error_of(plain, exact) + 1e-9);
  }
}

TEST_CASE("nor where unknowns of index 1 are followed", "[collocation-step]") {
  Options options{.method = ProjectEachStep{.formula = {Stepper::radau, 5}}, .rtol = 1e-8};
  const auto run = [&] {
    return solve(InvariantSpring{}, Vec<2>(1, 0), Vec<1>(1), {0, 20}, options);
  };
  const Solution plain = run();
  options.times = times(40, 20);
  const Solution asked = run();
  CHECK(plain.end() == asked.end());
  CHECK(error_of(asked, Spring::exact) < 1.1 * error_of(plain, Spring::exact) + 1e-9);
}

TEST_CASE("controlled iterates and their multipliers are as exact at times as at ends of steps",
          "[srm]") {
  // With an epsilon that is not small x was off by up to 960 rtol, and the multiplier by 1e5 more
  // than at ends.
  const problems::Pendulum pendulum;
  const DaeProblemPtr problem = problem_of(pendulum);
  const auto run = [&](const Srm& srm, double rtol, std::vector<double> at) {
    const Options options{.method = srm, .rtol = rtol, .atol = rtol, .times = std::move(at)};
    Solution solution = solve(*problem, pendulum.start(), {0, 2}, options);
    REQUIRE(solution.t.back() == 2);
    return solution;
  };
  for (const Formula& formula : with_estimate) {
    const Srm srm{.epsilon = 0.3, .iterates = 8, .formula = formula};
    Srm exact = srm;
    exact.formula = {Stepper::radau, 7};
    // Of x and of y, against the same iterates, which are not the motion yet.
    const auto errors = [&](const Solution& found) {
      const Solution truth = run(exact, 1e-11, {found.t.begin() + 1, found.t.end()});
      Vec<2> error(0, 0);
      for (int i = 0; i < found.count(); ++i) {
        const VecX x = found.state(i) - truth.state(i),
                   y = found.multiplier(i) - truth.multiplier(i);
        error = error.cwiseMax(Vec<2>(x.cwiseAbs().maxCoeff(), std::abs(y[0])));
      }
      return error;
    };
    const Solution plain = run(srm, 1e-8, {});
    const Vec<2> ends = errors(plain);
    for (const int count : {7, 200}) {
      CAPTURE(name_of(*formula.stepper), *formula.stages, count);
      const Solution asked = run(srm, 1e-8, times(count, 2));
      CHECK(asked.end() == plain.end());
      const Vec<2> inside = errors(asked);
      CHECK(inside[0] < 1.2 * ends[0] + 1e-9);
      CHECK(inside[1] < 1.2 * ends[1] + 5e-9);
    }
  }
}

TEST_CASE("iterates by Radau are nearly as exact at times asked for", "[srm]") {
  const problems::Pendulum pendulum;
  const auto exact = [&](double t) { return VecX(pendulum.z_exact(t)); };
  for (const int stages : {3, 4, 5}) {
    Options options{
        .method = Srm{.epsilon = 1e-5, .iterates = 3, .formula = {Stepper::radau, stages}},
        .h = 0.04};
    const DaeProblemPtr problem = problem_of(pendulum);
    const double ends = error_of(solve(*problem, pendulum.start(), {0, 1}, options), exact);
    options.times = times(17, 1);
    const Solution local = solve(*problem, pendulum.start(), {0, 1}, options);
    CAPTURE(stages);
    CHECK(error_of(local, exact) < 2 * ends + 1e-9);
    std::get<Srm>(options.method).loops = Pipelined{.steps = 7, .groups = 3};
    testing::check_same_runs(solve(*problem, pendulum.start(), {0, 1}, options), local);
  }
}

}  // namespace daewave::ivp
