// How the end of a run moves with its start and parameters, beside what is known of it and beside
// differences of runs by another method.

#include "ivp/sensitivities.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catalogue/initial_value_catalogue.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/derivatives/differences.hpp"
#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"

namespace daewave::catalogue {
namespace {

using problems::Pendulum;

/// By two points, along a direction; by stages of another order, brought back by each run itself.
VecX moved_along(const DaeProblem& problem, const VecX& start, const VecX& direction,
                 const Interval& span, double d = 5e-5) {
  const ivp::Options options{.method = ivp::ProjectEachStep{.formula = {ivp::Stepper::dopri5, {}}},
                             .rtol = 1e-13,
                             .repair_start = true,
                             .start_tolerance = 1e-12,
                             .every = 0};
  const auto end = [&](double by) {
    const VecX beside = start + by * direction;
    const ivp::Solution run = ivp::solve(problem, beside, span, options);
    REQUIRE(run.report.usable());
    return run.end();
  };
  // Richardson's extrapolation takes off what is of second order in d.
  const VecX one = (end(d) - end(-d)) / (2 * d), two = (end(2 * d) - end(-2 * d)) / (4 * d);
  return (4 * one - two) / 3;
}

ivp::Family pendulum_by_gravity() {
  return [](const VecX& parameters) {
    const Pendulum pendulum{.g0 = parameters[0]};
    const VecX start = pendulum.start();
    return ivp::Member{problem_of(pendulum), start};
  };
}

/// Of a length that is in the constraint, whose derivatives are differences.
struct Rod {
  using Position = VecX;
  using Multiplier = VecX;
  double l;
  MatX M(const VecX&) const { return MatX::Identity(2, 2); }
  VecX f(const VecX&, const VecX&, double) const { return Vec<2>(0, -9.81); }
  VecX g(const VecX& q, double) const { return VecX::Constant(1, (q.squaredNorm() - l * l) / 2); }
};

/// On a wire y = l cos(x), and how often its force is evaluated.
struct Bead {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double l;
  long* evaluations;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const {
    ++*evaluations;
    return {0, -9.81};
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    using std::cos;
    return VecOf<T, 1>(q[1] - l * cos(q[0]));
  }
};

/// On the same wire, driven.
struct DrivenBead {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double p;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position& q, const Position&, double t) const {
    return {-q[0] + std::sin((2 + p) * t), -q[1]};
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    using std::cos;
    return VecOf<T, 1>(q[1] - cos(q[0]));
  }
};

/// On the same wire, held back by what makes it creep.
struct DampedBead {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double damping;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position& q, const Position& v, double) const {
    return Position{-q[0], -9.81} - damping * v;
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    using std::cos;
    return VecOf<T, 1>(q[1] - cos(q[0]));
  }
};

ivp::Member rod_of(double l) {
  const VecX start = Vec<4>(l, 0, 0, 0);
  return {problem_of(with_differences(Rod{l}), start), start};
}

/// A column of derivatives and what is known of it.
double apart(const VecX& found, const VecX& expected) {
  return (found - expected).lpNorm<Eigen::Infinity>() / expected.lpNorm<Eigen::Infinity>();
}

/// Of the pendulum: by gravity, and along the motion, by closed forms.
void check_pendulum(const ivp::Sensitivities& found, double end, double within) {
  const Pendulum pendulum;
  const double g = pendulum.g0;
  REQUIRE(found.solution.report.usable());
  CAPTURE(found.how);
  CHECK(found.error < within);
  // Positions are functions of sqrt(g) t, velocities sqrt(g) times such functions.
  const Vec<4> z = pendulum.z_exact(end);
  const double lambda = pendulum.y_exact(end)[0], part = end / (2 * g);
  const Vec<4> expected{z[2] * part, z[3] * part, z[2] / (2 * g) - lambda * z[0] * part,
                        z[3] / (2 * g) + (-g - lambda * z[1]) * part};
  CHECK(apart(found.parameters.col(0), expected) < within);
  // Along the motion the end moves along the motion: S z'(0) = z'(T).
  const Vec<4> at_start{0, 0, 0, -g};
  const Vec<4> at_end{z[2], z[3], -lambda * z[0], -g - lambda * z[1]};
  CHECK(apart(found.start * at_start, at_end) < within);
  // Off the constraints nothing moves: the rod is as long as it is.
  CHECK(found.start.col(0).lpNorm<Eigen::Infinity>() < within);
}

}  // namespace

TEST_CASE("the end moves with its start as differences of another method say",
          "[catalogue][sensitivities]") {
  struct Case {
    const char* name;
    double end, d = 5e-5;
  };
  for (const Case& one :
       {Case{"pendulum", 2}, Case{"eich-pendulum", 3}, Case{"two-link-arm-1", 2},
        Case{"al2-example6.1", 1}, Case{"al2-example6.4", 1}, Case{"andrews", 0.01, 2e-6}}) {
    CAPTURE(one.name);
    const InitialValueProblemPtr problem = make(*find(one.name));
    const Interval span{problem->interval().begin, one.end};
    const ivp::Sensitivities found =
        ivp::sensitivities(problem->problem(), problem->start(), span, {.rtol = 1e-10});
    REQUIRE(found.solution.report.usable());
    CAPTURE(found.error, found.how);
    CHECK(found.how.find("equations of first order") == 0);
    CHECK(found.error < 1e-6);
    const int n = static_cast<int>(problem->start().size());
    for (int k = 0; k < 2; ++k) {
      VecX direction(n);
      for (int i = 0; i < n; ++i) direction[i] = std::sin(1.0 + 2.7 * i + 1.3 * k);
      const VecX expected =
          moved_along(problem->problem(), problem->start(), direction, span, one.d);
      CHECK(apart(found.start * direction, expected) < 1e-6);
    }
  }
}

TEST_CASE("the end of a pendulum moves with gravity as its solution does, by every method",
          "[catalogue][sensitivities]") {
  constexpr double end = 3;
  const VecX gravity = VecX::Constant(1, Pendulum().g0);
  for (const ivp::Method& method :
       {ivp::Method(), ivp::Method(ivp::Underlying{}), ivp::Method(ivp::SBoth{}),
        ivp::Method(ivp::SFull{}), ivp::Method(ivp::Baumgarte{.alpha1 = 10, .alpha0 = 25}),
        ivp::Method(ivp::StabilizedOde{.gamma = 10}), ivp::Method(ivp::ProjectEachStep{}),
        ivp::Method(ivp::ProjectEachStep{.onto = ivp::Onto::in_turn}),
        ivp::Method(ivp::ProjectEachStep{.energy = true}), ivp::Method(ivp::LocalStateSpace{}),
        ivp::Method(ivp::SBoth2{.formula = {ivp::Stepper::radau, 5}}),
        ivp::Method(ivp::BdfProjection{}), ivp::Method(ivp::Srm{}), ivp::Method(ivp::DcbdfBdf{})}) {
    CAPTURE(name_of(method));
    check_pendulum(ivp::sensitivities(pendulum_by_gravity(), gravity, {0, end},
                                      {.method = method, .rtol = 1e-9}),
                   end, 1e-6);
  }
}

TEST_CASE("sensitivities need no output to be kept", "[catalogue][sensitivities]") {
  const VecX gravity = VecX::Constant(1, Pendulum().g0);
  for (const int every : {0, 1, 100}) {
    for (const bool keep : {true, false}) {
      CAPTURE(every, keep);
      ivp::Options options{.rtol = 1e-9, .every = every, .keep = keep};
      options.sink = [](const ivp::Output&) { return true; };
      check_pendulum(ivp::sensitivities(pendulum_by_gravity(), gravity, {0, 3}, options), 3, 1e-6);
    }
  }
}

TEST_CASE("a fixed h gives the derivatives of what it computes, and tells their error",
          "[catalogue][sensitivities]") {
  const VecX gravity = VecX::Constant(1, Pendulum().g0);
  const ivp::Options options{.method = ivp::SBoth2{.formula = {ivp::Stepper::rk4, {}}}, .h = 0.02};
  const ivp::Sensitivities found =
      ivp::sensitivities(pendulum_by_gravity(), gravity, {0, 2}, options);
  check_pendulum(found, 2, 1e-4);
  // The formula's own: differences of runs with the same steps.
  const auto end = [&](double g) {
    const ivp::Member member = pendulum_by_gravity()(VecX::Constant(1, g));
    return ivp::solve(*member.problem, member.start, {0, 2}, options).end();
  };
  constexpr double d = 1e-3;
  const double g = gravity[0];
  const VecX expected =
      (8 * (end(g + d) - end(g - d)) - (end(g + 2 * d) - end(g - 2 * d))) / (12 * d);
  CHECK(apart(found.parameters.col(0), expected) < 1e-9);
  CHECK(found.error > 1e-9);
}

TEST_CASE("a length in the constraint moves the end, also where derivatives are differences",
          "[catalogue][sensitivities]") {
  constexpr double end = 0.5, l = 1.3;
  const ivp::Family rods = [](const VecX& p) { return rod_of(p[0]); };
  const ivp::Sensitivities found =
      ivp::sensitivities(rods, VecX::Constant(1, l), {0, end}, {.rtol = 1e-9});
  REQUIRE(found.solution.report.usable());
  CAPTURE(found.how);
  CHECK(found.error < 1e-6);
  // q / l is a function of t / sqrt(l).
  const ivp::Solution& run = found.solution;
  const VecX z = run.end(), q = z.head(2), v = z.tail(2);
  const VecX a = Vec<2>(0, -9.81) - run.multiplier(run.count() - 1)[0] * q;
  VecX expected(4);
  expected << q / l - end / (2 * l) * v, v / (2 * l) - end / (2 * l) * a;
  CHECK(apart(found.parameters.col(0), expected) < 1e-6);
}

TEST_CASE("derivatives that are differences make no run of first order creep",
          "[catalogue][sensitivities]") {
  // As many evaluations as where derivatives are known, times what differences take for each.
  constexpr double end = 3;
  for (const ivp::Method& method :
       {ivp::Method(), ivp::Method(ivp::Underlying{}), ivp::Method(ivp::LocalStateSpace{})}) {
    CAPTURE(name_of(method));
    long evaluations[2] = {0, 0};
    for (const int known : {0, 1}) {
      const ivp::Family beads = [&, known](const VecX& p) {
        const Bead bead{p[0], &evaluations[known]};
        const VecX start = Vec<4>(2, p[0] * std::cos(2.0), 0, 0);
        return ivp::Member{
            known == 1 ? problem_of(with_autodiff(bead)) : problem_of(with_differences(bead)),
            start};
      };
      const ivp::Sensitivities found = ivp::sensitivities(beads, VecX::Constant(1, 1.3), {0, end},
                                                          {.method = method, .rtol = 1e-9});
      REQUIRE(found.solution.report.usable());
      CAPTURE(found.how, known);
      CHECK(found.error < 1e-6);
    }
    CAPTURE(evaluations[0], evaluations[1]);
    CHECK(evaluations[0] < 3 * evaluations[1]);
  }
}

TEST_CASE("a parameter that matters late is moved by less than the state is",
          "[catalogue][sensitivities]") {
  // What drives a bead by sin((2 + p) t): after 30 s a p moved by 1e-2 is out by a third of a turn.
  constexpr double end = 30;
  for (const bool known : {true, false}) {
    const ivp::Family beads = [known](const VecX& p) {
      const DrivenBead bead{p[0]};
      const VecX start = Vec<4>(1, std::cos(1.0), 0, 0);
      return ivp::Member{
          known ? problem_of(with_autodiff(bead)) : problem_of(with_differences(bead)), start};
    };
    const auto moved = ivp::sensitivities(beads, VecX::Zero(1), {0, end}, {.rtol = 1e-9});
    REQUIRE(moved.solution.report.usable());
    CAPTURE(known, moved.how);
    // What derivatives by differences leave at tolerances from 1e-8 to 1e-10 is 1e-9 to 5e-8.
    CHECK(moved.error < (known ? 1e-9 : 1e-7));
  }
}

TEST_CASE("a family that has nothing far away is asked for what is near",
          "[catalogue][sensitivities]") {
  double farthest = 0;
  const ivp::Family beads = [&](const VecX& p) {
    if (std::abs(p[0]) > 5e-3) throw InvalidProblem("no such bead");
    farthest = std::max(farthest, std::abs(p[0]));
    const VecX start = Vec<4>(1, std::cos(1.0), 0, 0);
    return ivp::Member{problem_of(with_differences(DrivenBead{p[0]})), start};
  };
  const auto moved = ivp::sensitivities(beads, VecX::Zero(1), {0, 3}, {.rtol = 1e-6});
  REQUIRE(moved.solution.report.usable());
  CAPTURE(moved.how, farthest);
  CHECK(moved.error < 1e-4);
}

TEST_CASE("directions that decay at once are stepped by an implicit formula",
          "[catalogue][sensitivities]") {
  const ivp::Family beads = [](const VecX& p) {
    const VecX start = Vec<4>(2, std::cos(2.0), 0, 0);
    return ivp::Member{problem_of(with_autodiff(DampedBead{p[0]})), start};
  };
  const auto moved = ivp::sensitivities(beads, VecX::Constant(1, 1e5), {0, 100},
                                        {.method = ivp::GaussWindows{}, .rtol = 1e-9});
  REQUIRE(moved.solution.report.usable());
  CAPTURE(moved.how);
  CHECK(moved.how.find("equations of first order, by s-both2 with radau of 5 stages") == 0);
  CHECK(moved.error < 1e-6);
}

TEST_CASE("sensitivities are refused with what helps", "[catalogue][sensitivities]") {
  const InitialValueProblemPtr problem = make(*find("pendulum"));
  const auto by = [&](const ivp::Options& options) {
    return ivp::sensitivities(problem->problem(), problem->start(), {0, 1}, options);
  };
  CHECK_THROWS_WITH(
      by({.method = ivp::Dcbdf{}, .h = 0.01}),
      contains_text("method = dcbdf does not reduce the index") && contains_text("leave h open"));
  CHECK(by({.method = ivp::Dcbdf{}}).error < 1e-6);
  CHECK_THROWS_WITH(by({.method = ivp::SymmetricProjection{}, .h = 0.01}),
                    contains_text("take method = s-both2 without h"));
  CHECK(by({.method = ivp::SBoth2{}}).error < 1e-6);
  for (const bool none : {true, false}) {
    const ivp::Family unlike = [none](const VecX& p) {
      ivp::Member member = rod_of(1);
      if (p[0] != 1 && none) member.problem = nullptr;
      if (p[0] != 1 && !none) member.start = VecX::Zero(6);
      return member;
    };
    CHECK_THROWS_WITH(ivp::sensitivities(unlike, VecX::Ones(1), {0, 1}),
                      contains_text("the family gives no problem, or one of another kind"));
  }
}

TEST_CASE("whoever stops sensitivities gets none", "[catalogue][sensitivities]") {
  const InitialValueProblemPtr problem = make(*find("andrews"));
  bool run_is_over = false;
  ivp::Options options{.rtol = 1e-10};
  options.sink = [&](const ivp::Output& out) {
    run_is_over = out.t == 0.1;
    return true;
  };
  options.progress = [&](const ivp::RunProgress&) { return !run_is_over; };
  const ivp::Sensitivities found =
      ivp::sensitivities(problem->problem(), problem->start(), {0, 0.1}, options);
  CHECK(found.solution.report.termination == Termination::stopped);
}

}  // namespace daewave::catalogue
