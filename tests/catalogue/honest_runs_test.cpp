// What nobody knows the error of, or is wrong, is not called converged.

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "catalogue/initial_value_catalogue.hpp"
#include "core/adapt/problem_from_functions.hpp"
#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/double_four_bar.hpp"

using namespace daewave;

namespace {

ivp::Solution run(const char* name, const Interval& span, const ivp::Srm& srm,
                  std::optional<double> h) {
  ivp::Options options;
  options.method = srm;
  options.h = h;
  options.every = 0;
  return catalogue::make(*catalogue::find(name))->solve(span, options);
}

void check_refused(const ivp::Solution& solution) {
  INFO(solution.report.full());
  CHECK_FALSE(solution.report.usable());
  CHECK(solution.report.termination == Termination::iterates_exhausted);
  CHECK_FALSE(solution.report.message.empty());
  CHECK_FALSE(solution.report.advice.empty());
}

ivp::Srm with_loops(ivp::Loops loops, ivp::Srm srm) {
  srm.loops = std::move(loops);
  return srm;
}

}  // namespace

TEST_CASE("iterates that agree off the constraints are not converged", "[srm]") {
  for (double epsilon : {1e10, 1e6, 100.0, 3.0}) {
    CAPTURE(epsilon);
    const ivp::Solution solution = run("pendulum", {0, 1}, {.epsilon = epsilon}, {});
    check_refused(solution);
    CHECK_THAT(solution.report.message, contains_text("off by"));
    for (const ivp::Loops& loops :
         {ivp::Loops(ivp::StepLocal{}), ivp::Loops(ivp::Sweeps{}), ivp::Loops(ivp::Pipelined{})}) {
      check_refused(run("pendulum", {0, 1}, with_loops(loops, {.epsilon = epsilon}), 1e-3));
    }
  }
}

TEST_CASE("iterates that agree on the constraints are converged", "[srm]") {
  CHECK(run("pendulum", {0, 1}, {}, {}).report.usable());
  for (const ivp::Loops& loops :
       {ivp::Loops(ivp::StepLocal{}), ivp::Loops(ivp::Sweeps{}), ivp::Loops(ivp::Pipelined{})}) {
    const ivp::Solution solution = run("pendulum", {0, 1}, with_loops(loops, {}), 1e-3);
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    CHECK(solution.report.history.size() == 2);
  }
}

TEST_CASE("a single iterate, of which nothing is known, is not converged", "[srm]") {
  for (const ivp::Loops& loops :
       {ivp::Loops(ivp::StepLocal{}), ivp::Loops(ivp::Sweeps{}), ivp::Loops(ivp::Pipelined{})}) {
    const ivp::Solution solution =
        run("slider-crank", {0, 1}, with_loops(loops, {.epsilon = 1e-3, .iterates = 1}), 1e-3);
    check_refused(solution);
    CHECK(solution.has_values());
  }
}

TEST_CASE("with alpha1 > 0 two iterates are taken, with an epsilon far below it", "[srm]") {
  for (double alpha1 : {1e-3, 0.1, 1.0}) {
    const ivp::Solution solution = run("pendulum", {0, 1}, {.alpha1 = alpha1}, 1e-3);
    INFO(solution.report.full());
    for (const Choice& choice : solution.report.choices) {
      if (choice.name == "iterates") CHECK(choice.value == "2");
      if (choice.name == "epsilon") CHECK(std::stod(choice.value) <= 1.01e-4 * alpha1);
    }
    CHECK(solution.report.history.size() == 1);
  }
}

TEST_CASE("slider-crank over 70 s with alpha1 > 0 is right or not usable", "[srm]") {
  const ivp::Solution right = run("slider-crank", {0, 70}, {}, 1e-4);
  const ivp::Solution solution = run("slider-crank", {0, 70}, {.alpha1 = 1e-3}, 1e-3);
  INFO(solution.report.full());
  const double error = std::abs(solution.end()[2] - right.end()[2]);
  CAPTURE(error);
  CHECK((error < 0.01 || !solution.report.usable()));
}

TEST_CASE("through singular configurations the motion is right to 1e-3, or not usable", "[srm]") {
  const Vec<2> exact = DoubleFourBar::reference(10);
  for (double h : {1e-3, 5e-4, 3e-4, 2e-4, 1e-4}) {
    ivp::Options options{.method = ivp::Srm{}, .h = h, .every = 0};
    const ivp::Solution solution =
        ivp::solve(DoubleFourBar{}, DoubleFourBar::start(), Interval{0, 10}, options);
    const double error = std::abs(solution.end()[0] - exact[0]);
    CAPTURE(h, error);
    INFO(solution.report.full());
    // 1e-3 of an angle that turns by 33.
    CHECK((error < 0.033 || !solution.report.usable()));
  }
}

TEST_CASE("what is valid when f throws is given out in every order of loops", "[srm]") {
  // A pendulum in gravity 1, whose f has no values from t = 0.5 on.
  ProblemFunctions of;
  of.kind = Kind::multibody;
  of.sizes = {.nq = 2, .ny = 1};
  of.mass = Structure::Mass::diagonal;
  of.f = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      if (at.t[p] > 0.5) throw std::out_of_range("the table of forces ends at 0.5");
      out[p] = 0;
      out[at.count + p] = -1;
    }
  };
  of.M = [](const Points& at, double* out) { std::fill_n(out, 2 * at.count, 1.0); };
  of.g = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const double x = at.q[p], y = at.q[at.stride + p];
      out[p] = (x * x + y * y - 1) / 2;
    }
  };
  of.G = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = at.q[p];
      out[at.count + p] = at.q[at.stride + p];
    }
  };
  const DaeProblemPtr problem = problem_from_functions(of);
  const VecX start = VecX::Unit(4, 0);
  for (const int groups : {0, 1, 2, 3}) {
    const ivp::Loops loops =
        groups == 0 ? ivp::Loops(ivp::StepLocal{}) : ivp::Loops(ivp::Pipelined{{}, 16, groups});
    for (const long every : {0L, 1L}) {
      CAPTURE(groups, every);
      ivp::Options options{.method = with_loops(loops, {}), .h = 1e-3, .every = every};
      const ivp::Solution solution = ivp::solve(*problem, start, {0, 1}, options);
      INFO(solution.report.full());
      CHECK(solution.report.termination == Termination::stopped);
      CHECK_THAT(solution.report.message, contains_text("the table of forces ends at 0.5"));
      CHECK_FALSE(solution.report.advice.empty());
      REQUIRE(solution.count() >= 2);
      CHECK(solution.t.back() == Approx(0.5).margin(2e-3));
      CHECK(solution.end().head(2).norm() == Approx(1).margin(1e-4));
    }
  }
  const ivp::Solution sweeps =
      ivp::solve(*problem, start, {0, 1}, {.method = with_loops(ivp::Sweeps{}, {}), .h = 1e-3});
  CHECK(sweeps.report.termination == Termination::stopped);
  CHECK_THAT(sweeps.report.message, contains_text("the table of forces ends at 0.5"));
  const ivp::Solution by_error = ivp::solve(*problem, start, Interval{0, 1});
  CHECK(by_error.report.termination == Termination::stopped);
  CHECK(by_error.t.back() > 0.1);
}

TEST_CASE("a run that cannot start says why, and nothing is compared", "[srm]") {
  // M is regular for the first evaluations, and no matrix after them.
  ProblemFunctions of;
  of.kind = Kind::multibody;
  of.sizes = {.nq = 2, .ny = 1};
  of.f = [](const Points& at, double* out) { std::fill_n(out, 2 * at.count, -1.0); };
  auto left = std::make_shared<int>(0);
  of.M = [left](const Points& at, double* out) {
    const double mass = (*left)-- > 0 ? 1 : -1;
    for (int i = 0; i < 4; ++i) std::fill_n(out + i * at.count, at.count, i % 3 == 0 ? mass : 0);
  };
  of.g = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) out[p] = at.q[p];
  };
  of.G = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = 1;
      out[at.count + p] = 0;
    }
  };
  const DaeProblemPtr problem = problem_from_functions(of);
  int solved = 0, refused = 0;
  for (int evaluations = 0; evaluations < 20; ++evaluations) {
    for (const ivp::Loops& loops :
         {ivp::Loops(ivp::StepLocal{}), ivp::Loops(ivp::Sweeps{}), ivp::Loops(ivp::Pipelined{})}) {
      *left = evaluations;
      ivp::Options options{.method = with_loops(loops, {}), .h = 1e-3};
      try {
        const ivp::Solution solution = ivp::solve(*problem, VecX::Zero(4), {0, 1}, options);
        INFO(solution.report.full());
        CHECK_FALSE(solution.report.usable());
        CHECK_FALSE(solution.report.message.empty());
        ++solved;
      } catch (const Error& error) {
        CHECK_THAT(error.what(), contains_text("M"));
        ++refused;
      }
    }
  }
  CHECK(solved > 0);
  CHECK(refused > 0);
}

TEST_CASE("a singular mass matrix is refused by srm, with the way out", "[srm]") {
  // M = I - e e^T in three dimensions, a particle on the unit sphere.
  ProblemFunctions of;
  of.kind = Kind::multibody;
  of.sizes = {.nq = 3, .ny = 1};
  const auto entry = [](const double* from, const Points& at, int i, int p) {
    return from[i * at.stride + p];
  };
  of.f = [](const Points& at, double* out) {
    for (int i = 0; i < 3; ++i) {
      for (int p = 0; p < at.count; ++p) out[i * at.count + p] = i == 2 ? -1 : 0;
    }
  };
  of.M = [](const Points& at, double* out) {
    for (int i = 0; i < 9; ++i) {
      for (int p = 0; p < at.count; ++p) out[i * at.count + p] = (i % 4 == 0 ? 1 : 0) - 1.0 / 3;
    }
  };
  of.g = [=](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = -0.5;
      for (int i = 0; i < 3; ++i) out[p] += entry(at.q, at, i, p) * entry(at.q, at, i, p) / 2;
    }
  };
  of.G = [=](const Points& at, double* out) {
    for (int i = 0; i < 3; ++i) {
      for (int p = 0; p < at.count; ++p) out[i * at.count + p] = entry(at.q, at, i, p);
    }
  };
  const DaeProblemPtr problem = problem_from_functions(of);
  VecX start(6);
  start << 1, 0, 0, 0, 0, 0;
  for (const std::optional<double> h : {std::optional<double>(), std::optional<double>(1e-3)}) {
    for (const ivp::Loops& loops :
         {ivp::Loops(ivp::StepLocal{}), ivp::Loops(ivp::Sweeps{}), ivp::Loops(ivp::Pipelined{})}) {
      if (!h && !std::holds_alternative<ivp::StepLocal>(loops)) continue;
      ivp::Options options{.method = with_loops(loops, {}), .h = h};
      CHECK_THROWS_WITH(ivp::solve(*problem, start, {0, 1}, options),
                        contains_text("M is singular at t = 0") && contains_text("s-both2"));
    }
  }
}
