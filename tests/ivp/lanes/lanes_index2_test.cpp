// A problem of one's own in lanes, of index 2, compiled for what this file is compiled for.

#include <cmath>
#include <concepts>
#include <memory>
#include <string>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/regularize/regularize.hpp"
#include "ivp/lanes/lane_methods.hpp"
#include "ivp/lanes/lane_step.hpp"
#include "ivp/run/step.hpp"
#include "ivp/srm/srm_step.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

/// Two constraints, one of which moves; B is not G^T, and GB = ((a, x1/5), (-2 x1 x2, 1 - x2/5)).
template <class Number = double>
struct TurningOf {
  using State = Vec<4>;
  using Multiplier = Vec<2>;

  Number speed = 1;

  template <class T>
  VecOf<T, 4> f(const VecOf<T, 4>& x, const T& t) const {
    using std::cos, std::sin;
    return {speed * x[1] + cos(t), -x[0], x[3], -x[2] + sin(t)};
  }
  template <class T>
  MatOf<T, 4, 2> B(const VecOf<T, 4>& x, const T&) const {
    MatOf<T, 4, 2> columns;
    columns << x[0], T(0.2), x[1], T(0), T(0), T(1), T(0.3), 0.5 * x[3];
    return columns;
  }
  template <class T>
  VecOf<T, 2> g(const VecOf<T, 4>& x, const T& t) const {
    using std::sin;
    return {(x[0] * x[0] + x[1] * x[1] - 1.0) / 2.0, x[2] - x[0] * x[1] - sin(t)};
  }
  template <class T>
  MatOf<T, 2, 4> G(const VecOf<T, 4>& x, const T&) const {
    MatOf<T, 2, 4> rows;
    rows << x[0], x[1], T(0), T(0), -x[1], -x[0], T(1), T(0);
    return rows;
  }
  template <class T>
  VecOf<T, 2> g_t(const VecOf<T, 4>&, const T& t) const {
    using std::cos;
    return {T(0), -cos(t)};
  }

  template <class Lanes, class Member, class F>
  static void each_parameter(Lanes& lanes, const Member& member, F f) {
    f(lanes.speed, member.speed);
  }
};
using Turning = TurningOf<>;

const Vec<4> start(0.6, 0.8, 0.48, 0.2);
constexpr int steps = 400, iterates = 3;
constexpr double h = 1e-3;

struct Form {
  const char* name;
  Regularization form;
};

std::vector<Form> forms() {
  std::vector<Form> all;
  for (Weight weight : {Weight::identity, Weight::transpose, Weight::inverse}) {
    for (double alpha1 : {0.0, 1.0}) {
      Regularization form;
      form.variant = Variant::direct;
      form.weight = weight;
      form.alpha1 = alpha1;
      form.epsilon = 5e-3;
      all.push_back({name_of(weight), form});
    }
  }
  for (Variant variant : {Variant::singular, Variant::singular_linear}) {
    Regularization form;
    form.variant = variant;
    form.epsilon = 5e-3;
    all.push_back({name_of(variant), form});
  }
  return all;
}

double largest_difference(const double* a, const double* b, Eigen::Index n) {
  double largest = 0;
  for (Eigen::Index i = 0; i < n; ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST_CASE("every form of index 2 in lanes is the one of numbers, to rounding", "[lanes][AL2]") {
  const Turning problem{1.3};
  const DaeProblemPtr erased = problem_of(problem);
  const ivp::LaneFormula formula = ivp::lane_formula(ivp::tableau(ivp::Stepper::rk4));
  for (const Form& one : forms()) {
    INFO(one.name << ", alpha1 = " << one.form.alpha1);
    auto lanes = ivp::skewed_iterates(*erased, best_simd(), one.form, formula, iterates, {});
    ivp::LaneFeed feed(std::move(lanes), formula, iterates, ivp::FixedSteps({0, steps * h}, h), {},
                       true);
    ivp::SrmStep step(regularize(problem, one.form, start), ivp::tableau(ivp::Stepper::rk4),
                      iterates);
    REQUIRE(step.start(0, start));
    REQUIRE(feed.start(start.data()));
    double position = 0;
    for (int i = 0; i < steps; ++i) {
      REQUIRE_FALSE(std::isnan(step.attempt((i + 1) * h - step.t())));
      REQUIRE(step.accept());
      REQUIRE(feed.next());
      position = std::max(position, std::abs(feed.drift()[0] - step.drift().position));
    }
    VecX carried;
    step.multiplier(carried);
    // Of size 1 after 400 steps; what is carried is g / epsilon.
    CHECK(largest_difference(feed.x(), step.state().data(), 4) < 1e-13);
    CHECK(largest_difference(feed.after(), carried.data(), carried.size()) < 1e-11);
    CHECK(position < 1e-14);
  }
}

TEST_CASE("a problem of one's own as a step of the time loop", "[lanes]") {
  const Turning problem{1.3};
  const Regularization form = forms().back().form;
  const ivp::LaneFormula formula = ivp::lane_formula(ivp::tableau(ivp::Stepper::heun));
  const auto ode = std::make_shared<ivp::LaneRescuer>(regularize(problem, form, start));
  const DaeProblemPtr erased = problem_of(problem);
  auto lanes = ivp::skewed_iterates(*erased, best_simd(), form, formula, iterates, ode->rescue());
  ivp::LaneFeed feed(std::move(lanes), formula, iterates, ivp::FixedSteps({0, steps * h}, h), {},
                     true);
  ivp::LaneStep in_lanes(ode, std::move(feed), formula, iterates);
  ivp::SrmStep one_by_one(ode->ode().clone(), ivp::tableau(ivp::Stepper::heun), iterates);
  static_assert(std::derived_from<ivp::LaneStep, ivp::Step>);
  REQUIRE(in_lanes.start(0, start));
  REQUIRE(one_by_one.start(0, start));
  VecX between, expected, By, expected_By;
  for (int i = 0; i < 50; ++i) {
    const double length = (i + 1) * h - one_by_one.t();
    REQUIRE(in_lanes.attempt(length) == 0);
    REQUIRE(one_by_one.attempt(length) == 0);
    REQUIRE(in_lanes.accept());
    REQUIRE(one_by_one.accept());
    CHECK(in_lanes.t() == one_by_one.t());
    in_lanes.interpolate(0.3, between);
    one_by_one.interpolate(0.3, expected);
    CHECK((between - expected).norm() < 1e-14);
    const double t = in_lanes.t() - 0.7 * length;
    REQUIRE(in_lanes.multiplier_at(t, between, By));
    REQUIRE(one_by_one.multiplier_at(t, expected, expected_By));
    CHECK((By - expected_By).norm() < 1e-11);
  }
  CHECK(in_lanes.evaluations() == one_by_one.evaluations());
}

TEST_CASE("members of index 2 with parameters of their own", "[lanes][ensemble]") {
  const Regularization form = forms().front().form;
  const ivp::LaneFormula formula = ivp::lane_formula(ivp::tableau(ivp::Stepper::heun));
  // The lanes of this file are SSE2's, and so is the method: parameters differ from lane to lane.
  const int count = ivp::members_in(CompiledSimd::simd);
  // Builds that have wider ones have none of these.
  if (count == 0) return;
  std::vector<Turning> problems;
  std::vector<DaeProblemPtr> erased;
  std::vector<const DaeProblem*> members;
  std::vector<double> x, nodes;
  for (int i = 0; i < count; ++i) {
    problems.push_back({1 + 0.2 * i});
    erased.push_back(problem_of(problems.back()));
    members.push_back(erased.back().get());
    x.insert(x.end(), start.data(), start.data() + 4);
  }
  for (int i = 0; i <= steps; ++i) nodes.push_back(i * h);
  const auto lanes =
      ivp::members_in_lanes(members, CompiledSimd::simd, form, formula, iterates, {}, {});
  lanes->start(0, x.data());
  lanes->advance(steps, nodes.data());
  for (int i = 0; i < count; ++i) {
    ivp::SrmStep step(regularize(problems[static_cast<std::size_t>(i)], form, start),
                      ivp::tableau(ivp::Stepper::heun), iterates);
    REQUIRE(step.start(0, start));
    for (int k = 0; k < steps; ++k) {
      REQUIRE_FALSE(std::isnan(step.attempt((k + 1) * h - step.t())));
      REQUIRE(step.accept());
    }
    double end[4], carried[2], energy_start = 0, energy_change = 0;
    lanes->state(i, end, carried);
    CHECK(largest_difference(end, step.state().data(), 4) < 1e-13);
    CHECK(lanes->steps(i) == steps);
    CHECK_FALSE(lanes->energy(i, energy_start, energy_change));
  }
}

}  // namespace
}  // namespace daewave
