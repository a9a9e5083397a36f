// Where steps are held by stability the default changes to a formula that damps, and back.

#include <algorithm>
#include <cmath>

#include "core/derivatives/autodiff.hpp"
#include "ivp/solve.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;

namespace {

/// A bead on a circle that is driven along it: angle'' = drive(angle, rate, t).
struct Bead {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double stiffness = 1000;
  bool relaxes = true;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position& q, const Position& v, double t) const {
    const double rate = q[0] * v[1] - q[1] * v[0];
    return drive(std::atan2(q[1], q[0]), rate, t) * Position(-q[1], q[0]);
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>((q.squaredNorm() - 1) / 2);
  }
  /// Van der Pol's oscillator, or a damper that pulls the rate to cos t.
  double drive(double angle, double rate, double t) const {
    if (relaxes) return stiffness * (1 - angle * angle) * rate - angle;
    return -stiffness * (rate - std::cos(t));
  }
};

Vec<4> at(double angle, double rate) {
  return {std::cos(angle), std::sin(angle), -rate * std::sin(angle), rate * std::cos(angle)};
}

double end_angle(const ivp::Solution& run) {
  const double* const z = &run.states[run.states.size() - 4];
  return std::atan2(z[1], z[0]);
}

std::string stiff_parts(const Report& report) {
  for (const Choice& one : report.choices) {
    if (one.name == "where stiff") return one.value;
  }
  return "";
}

ivp::Options with_stepper(ivp::Stepper stepper, double rtol) {
  ivp::Options options{.rtol = rtol};
  options.method = ivp::SBoth2{.formula = {stepper}};
  return options;
}

}  // namespace

TEST_CASE("a damper that is stiff from the start takes few steps", "[solve][stiff]") {
  const auto bead = with_autodiff(Bead{.stiffness = 1e6, .relaxes = false});
  const auto run = ivp::solve(bead, at(0, 1), {0, 3}, {.rtol = 1e-8});
  INFO(run.report.brief());
  REQUIRE(run.report.usable());
  // With steps of 6e-6 dop853 would be stable: half a million.
  CHECK(run.report.integration.steps < 400);
  CHECK(std::abs(end_angle(run) - std::sin(3.0)) < 5e-6);
  CHECK_THAT(stiff_parts(run.report), Catch::StartsWith("radau of 3 stages from t = "));
}

TEST_CASE("steps in a stiff direction that turns are as long as errors allow", "[solve][stiff]") {
  // One Jacobian for all stages of a step does not do there: the angle between them counts a
  // million times.
  for (const double rate : {1e4, 1e6, 1e8}) {
    const auto bead = with_autodiff(Bead{.stiffness = rate, .relaxes = false});
    const auto run = ivp::solve(bead, at(0, 1), {0, 3}, with_stepper(ivp::Stepper::radau, 1e-8));
    INFO(rate << " " << run.report.brief());
    REQUIRE(run.report.usable());
    CHECK(run.report.integration.steps < 100);
    CHECK(run.report.integration.rejected < 10);
    CHECK(std::abs(end_angle(run) - std::sin(3.0)) < 3 / rate + 1e-7);
  }
}

TEST_CASE("an oscillator that is stiff in parts changes there and back", "[solve][stiff]") {
  const auto bead = with_autodiff(Bead{.stiffness = 500});
  const Interval span{0, 1500};
  const auto run = ivp::solve(bead, at(2, 0), span, {.rtol = 1e-7});
  const auto right = ivp::solve(bead, at(2, 0), span, with_stepper(ivp::Stepper::radau, 1e-10));
  INFO(stiff_parts(run.report) << " " << run.report.brief());
  REQUIRE(run.report.usable());
  REQUIRE(right.report.usable());
  CHECK(std::abs(end_angle(run) - end_angle(right)) < 1e-4);
  CHECK(run.report.integration.steps < 3 * right.report.integration.steps);
  CHECK_THAT(stiff_parts(run.report), contains_text(" to t = "));
}

TEST_CASE("what is not stiff, and a stepper that was asked for, change nothing", "[solve][stiff]") {
  const auto free = ivp::solve(problems::Pendulum{}, {.rtol = 1e-9});
  CHECK(stiff_parts(free.report).empty());
  CHECK(free.report.integration.steps > 30);
  // Nor does what is tried beside the motion; without lanes, where dop853 is the default.
  const VecX start = VecX(*problem_of(problems::Pendulum{})->start());
  const auto pendulum = problem_of(problems::Pendulum{}, StructLanes<problems::Pendulum>{});
  const auto long_open = ivp::solve(*pendulum, start, {0, 100}, {.rtol = 1e-8});
  const auto long_asked =
      ivp::solve(*pendulum, start, {0, 100}, with_stepper(ivp::Stepper::dop853, 1e-8));
  CHECK(long_open.report.integration.steps == long_asked.report.integration.steps);

  const auto bead = with_autodiff(Bead{.stiffness = 1e4, .relaxes = false});
  const auto asked = ivp::solve(bead, at(0, 1), {0, 0.5}, with_stepper(ivp::Stepper::dop853, 1e-6));
  CHECK(stiff_parts(asked.report).empty());
  CHECK(asked.report.integration.steps > 500);
  const auto open = ivp::solve(bead, at(0, 1), {0, 0.5}, {.rtol = 1e-6});
  CHECK_FALSE(stiff_parts(open.report).empty());
  CHECK(open.report.integration.steps < 200);
}

TEST_CASE("the error of a stiff run is estimated by a second run for stiff problems",
          "[solve][stiff][error]") {
  // An explicit formula would need ten million steps of 6e-8.
  const auto bead = with_autodiff(Bead{.stiffness = 1e8, .relaxes = false});
  ivp::Options options{.rtol = 1e-8, .estimate_error = true};
  const auto run = ivp::solve(bead, at(0, 1), {0, 0.6}, options);
  INFO(run.report.full());
  REQUIRE(run.report.usable());
  REQUIRE(run.report.error.available);
  CHECK_THAT(run.report.error.how, contains_text("projection with radau of 5 stages"));
  const auto exact = ivp::solve(bead, at(0, 1), {0, 0.6}, with_stepper(ivp::Stepper::radau, 1e-12));
  const double truth = (run.end() - exact.end()).lpNorm<Eigen::Infinity>();
  const double estimate = run.error(static_cast<int>(run.error_times.size()) - 1);
  CHECK(truth < 10 * estimate + 1e-11);
  CHECK(estimate < 1e-8);
}

TEST_CASE("dense output and times asked for hold through a change of formula", "[solve][stiff]") {
  const auto bead = with_autodiff(Bead{.stiffness = 1e5, .relaxes = false});
  ivp::Options options{.rtol = 1e-8};
  options.dense = true;
  for (int i = 0; i <= 200; ++i) options.times.push_back(0.01 * i);
  const auto run = ivp::solve(bead, at(0, 1), {0, 2}, options);
  REQUIRE(run.report.usable());
  REQUIRE(run.t.size() == 201);
  CHECK_FALSE(stiff_parts(run.report).empty());
  double largest = 0, apart = 0;
  VecX between(4);
  for (std::size_t i = 0; i < run.t.size(); ++i) {
    const double* const z = &run.states[4 * i];
    largest = std::max(largest, std::abs(std::atan2(z[1], z[0]) - std::sin(run.t[i])));
    between = run.at(run.t[i]);
    for (int j = 0; j < 2; ++j) apart = std::max(apart, std::abs(between[j] - z[j]));
  }
  CHECK(largest < 2e-5);
  CHECK(apart < 1e-7);
}

TEST_CASE("a run backward through stiff parts is as one forward", "[solve][stiff]") {
  // Grows as t falls, so that the way back is short.
  const auto bead = with_autodiff(Bead{.stiffness = -1e4, .relaxes = false});
  const auto run = ivp::solve(bead, at(std::sin(1.0), std::cos(1.0)), {1, 0}, {.rtol = 1e-7});
  INFO(run.report.brief());
  REQUIRE(run.report.usable());
  CHECK(run.report.integration.steps < 400);
  CHECK(std::abs(end_angle(run)) < 2e-4);
}

TEST_CASE("a step that is rejected after a change of formula gets shorter", "[solve][stiff]") {
  // Rounding makes errors here that look like stiffness, and then not.
  const problems::Al2Example61 problem;
  const auto run = ivp::solve(problem, problem.start(), {0, 10},
                              {.method = ivp::StabilizedOde{.gamma = 10},
                               .rtol = 2.3e-15,
                               .most_steps = 400'000,
                               .seek_way_out = false,
                               .every = 0});
  INFO(run.report.full());
  CHECK(run.report.termination != Termination::too_many_steps);
}
