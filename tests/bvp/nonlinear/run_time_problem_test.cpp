// Boundary value problems of functions alone, put together at run time, are solved to the same
// digits as the structs; and what a solution says of y, B y and its constraints.

#include <cmath>

#include "bvp/solve.hpp"
#include "core/adapt/problem_from_functions.hpp"
#include "core/error.hpp"
#include "problems/boundary_layers.hpp"
#include "problems/boundary_motion.hpp"
#include "problems/index_one.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::bvp {
namespace {

/// A function of one point as one of many.
template <class Function>
BatchFunction each(int nq, int nw, Function function) {
  return [=](const Points& at, double* out) {
    const auto gathered = [&](const double* from, int size, int p) {
      VecX to(size);
      for (int i = 0; i < size; ++i) to[i] = from[i * at.stride + p];
      return to;
    };
    for (int p = 0; p < at.count; ++p) {
      const VecX q = gathered(at.q, nq, p);
      const VecX beside = nw > 0 ? gathered(at.w, nw, p) : at.v ? gathered(at.v, nq, p) : VecX();
      const MatX values = function(q, beside, at.t[p]);
      for (int i = 0; i < values.size(); ++i) out[i * at.count + p] = values.data()[i];
    }
  };
}

/// Conditions, guess and interval of a struct with other equations.
template <class P>
BoundaryProblem with_equations(const P& problem, DaeProblemPtr equations) {
  BoundaryProblem posed = boundary_problem_of(problem);
  posed.equations = std::move(equations);
  return posed;
}

problems::PendulumBetween pendulum() {
  problems::PendulumBetween pendulum;
  pendulum.t_end = 0.4;
  return pendulum;
}

DaeProblemPtr pendulum_of_functions() {
  ProblemFunctions of;
  of.kind = Kind::multibody;
  of.sizes = {.nq = 2, .ny = 1};
  of.f = each(2, 0, [](const VecX&, const VecX&, double) { return VecX{{0, -9.81}}; });
  of.M = each(2, 0, [](const VecX&, const VecX&, double) { return VecX{{1, 1}}; });
  of.mass = Structure::Mass::diagonal;
  of.g = each(2, 0, [](const VecX& q, const VecX&, double) {
    return VecX{{(q[0] * q[0] + q[1] * q[1] - 1) / 2}};
  });
  of.G = each(2, 0, [](const VecX& q, const VecX&, double) { return MatX(q.transpose()); });
  of.curvature =
      each(2, 0, [](const VecX&, const VecX& v, double) { return VecX{{v.squaredNorm()}}; });
  return problem_from_functions(of);
}

DaeProblemPtr index_2_of_functions() {
  ProblemFunctions of;
  of.kind = Kind::index_2;
  of.sizes = {.nq = 2, .ny = 1};
  of.f = each(2, 0, [](const VecX&, const VecX&, double t) {
    return VecX{{1 - std::exp(-t), std::cos(t) + std::exp(t) * std::sin(t)}};
  });
  of.B = each(2, 0, [](const VecX& x, const VecX&, double) { return x; });
  of.g = each(2, 0, [](const VecX& x, const VecX&, double t) {
    return VecX{{(x.squaredNorm() - std::exp(-2 * t) - std::sin(t) * std::sin(t)) / 2}};
  });
  of.G = each(2, 0, [](const VecX& x, const VecX&, double) { return MatX(x.transpose()); });
  of.g_t = each(2, 0, [](const VecX&, const VecX&, double t) {
    return VecX{{std::exp(-2 * t) - std::sin(t) * std::cos(t)}};
  });
  return problem_from_functions(of);
}

/// Of IndexOneLayer; dr/dw by differences.
DaeProblemPtr index_1_of_functions() {
  ProblemFunctions of;
  of.kind = Kind::invariants;
  of.sizes = {.nq = 2, .nw = 1};
  of.f = each(2, 1, [](const VecX& x, const VecX& w, double) { return VecX{{x[1], w[0] + x[1]}}; });
  of.r = each(
      2, 1, [](const VecX& x, const VecX& w, double t) { return VecX{{w[0] + x[0] * x[1] - t}}; });
  of.differences = true;
  return problem_from_functions(of);
}

/// Of LayerAtBegin with e = 1e-3.
DaeProblemPtr ordinary_of_functions(const problems::LayerAtBegin& layer) {
  ProblemFunctions of;
  of.kind = Kind::ordinary;
  of.sizes = {.nq = 2};
  of.f = each(
      2, 0, [layer](const VecX& x, const VecX&, double t) { return VecX(layer.f(Vec<2>(x), t)); });
  return problem_from_functions(of);
}

template <class P>
void check_same_digits(const P& problem, DaeProblemPtr equations, double tolerance) {
  const Solution expected = solve(problem, {.tolerance = tolerance});
  const Solution found = solve(with_equations(problem, equations), {.tolerance = tolerance});
  INFO(found.report.full());
  REQUIRE(expected.report.usable());
  REQUIRE(found.report.usable());
  CHECK(found.mesh().intervals() == expected.mesh().intervals());
  const Interval interval = problem.interval();
  for (int i = 0; i <= 40; ++i) {
    const double t = interval.begin + interval.length() * i / 40;
    const double size = 1 + expected.x(t).cwiseAbs().maxCoeff();
    CHECK((found.x(t) - expected.x(t)).cwiseAbs().maxCoeff() < 1e-11 * size);
    CHECK((found.multiplier(t) - expected.multiplier(t)).norm() <
          1e-9 * (1 + expected.multiplier(t).norm()));
  }
}

}  // namespace

TEST_CASE("problems of functions are solved to the digits of the structs", "[nonlinear]") {
  SECTION("a pendulum") { check_same_digits(pendulum(), pendulum_of_functions(), 1e-8); }
  SECTION("index 2") {
    check_same_digits(problems::Al2Example61Boundary{}, index_2_of_functions(), 1e-8);
  }
  SECTION("index 1") { check_same_digits(problems::IndexOneLayer{}, index_1_of_functions(), 1e-8); }
  SECTION("an ordinary equation") {
    const problems::LayerAtBegin layer{.e = 1e-3};
    check_same_digits(layer, ordinary_of_functions(layer), 1e-8);
  }
}

TEST_CASE("variants that carry B y too, with iterates and shooting back", "[nonlinear]") {
  const BoundaryProblem problem = with_equations(pendulum(), pendulum_of_functions());
  for (const Variant variant : {Variant::singular, Variant::invariant}) {
    const Solution solution = solve(problem, {.tolerance = 1e-6, .variant = variant});
    CAPTURE(name_of(variant));
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.carries_By() == (variant == Variant::singular));
    for (const double t : {0.0, 0.17, 0.4}) {
      CHECK((solution.x(t) - problem.exact(t)).cwiseAbs().maxCoeff() < 1e-5);
      CHECK((solution.constraint_residual(t)).cwiseAbs().maxCoeff() < 1e-5);
    }
  }
}

TEST_CASE("y, B y and the constraints of a solution agree, whichever was carried", "[nonlinear]") {
  const problems::Al2Example61Boundary problem;
  const Solution carries_y = solve(problem, {.tolerance = 1e-9});
  const Solution carries_By =
      solve(problem, {.tolerance = 1e-7, .variant = Variant::singular, .control_multiplier = true});
  REQUIRE(carries_y.report.usable());
  REQUIRE(carries_By.report.usable());
  CHECK_FALSE(carries_y.carries_By());
  CHECK(carries_By.carries_By());
  CHECK(carries_y.regularization().alpha1 == 1);
  for (const double t : {0.1, 0.5, 0.77}) {
    for (const Solution* solution : {&carries_y, &carries_By}) {
      CHECK(solution->y(t).value()[0] == Approx(std::exp(t)).epsilon(1e-6));
      CHECK((solution->By(t) - problem.By_exact(t)).norm() < 1e-6);
      CHECK(solution->constraint_residual(t).norm() < 1e-6);
      CHECK(solution->slope(t)[0] == Approx(-std::exp(-t)).epsilon(1e-5));
    }
  }
  const Solution motion = solve(pendulum(), {.tolerance = 1e-8});
  REQUIRE(motion.report.usable());
  // B y = G^T lambda of mass 1.
  const VecX By = motion.By(0.2), q = motion.x(0.2).head(2);
  CHECK((By - q * motion.y(0.2).value()[0]).norm() < 1e-12);
  CHECK((motion.By_at_stage(2, 1) - motion.By(motion.stage_time(2, 1))).norm() < 1e-12);
}

TEST_CASE("where B vanishes there is no y", "[nonlinear]") {
  // x1 = t - s by way of the constraint (t - s) (x1 - (t - s)) = 0; x2 = 1 + t.
  constexpr double s = 1.0 / 3;
  ProblemFunctions of;
  of.kind = Kind::index_2;
  of.sizes = {.nq = 2, .ny = 1};
  of.f = each(2, 0, [](const VecX& x, const VecX&, double) { return VecX{{1 + x[1], 1}}; });
  of.B = each(2, 0, [](const VecX&, const VecX&, double t) { return VecX{{t - s, 0}}; });
  of.g = each(2, 0, [](const VecX& x, const VecX&, double t) {
    return VecX{{(t - s) * (x[0] - (t - s))}};
  });
  of.G = each(2, 0, [](const VecX&, const VecX&, double t) { return MatX{{t - s, 0}}; });
  of.g_t =
      each(2, 0, [](const VecX& x, const VecX&, double t) { return VecX{{x[0] - 2 * (t - s)}}; });
  BoundaryProblem problem;
  problem.equations = problem_from_functions(of);
  problem.interval = {0, 1};
  problem.conditions = [](const VecX&, const VecX& right) { return VecX{{right[1] - 2}}; };
  const Solution solution = solve(problem, {.tolerance = 1e-6, .variant = Variant::singular});
  INFO(solution.report.full());
  REQUIRE(solution.has_values());
  CHECK_FALSE(solution.y(s).has_value());
  CHECK(solution.y(0.1).has_value());
  CHECK(solution.By(s).size() == 2);
  // Nor is there one where B is 1e-8 of its largest and less, which is 2/3.
  for (const double side : {-1.0, 1.0}) {
    CHECK_FALSE(solution.y(s + side * 5e-9).has_value());
    for (const double apart : {9e-9, 1e-3, 0.3}) {
      const double t = s + side * apart;
      CAPTURE(t);
      REQUIRE(solution.y(t).has_value());
      CHECK(solution.y(t).value()[0] * (t - s) == Approx(solution.By(t)[0]).epsilon(1e-6));
    }
  }
}

TEST_CASE("options of linear problems are refused by name", "[nonlinear]") {
  const auto refused = [](const Options& options, const char* words) {
    CHECK_THROWS_WITH(solve(pendulum(), options), contains_text(words));
  };
  refused({.delta = 1e-6}, "delta: is of linear problems");
  refused({.By_0 = Waveform::constant(VecX::Ones(2))}, "By_0: is of linear problems");
  refused({.partitions = 2}, "partitions: is of linear problems");
  refused({.singular = SingularHandling::limits}, "singular: is of linear problems");
  refused({.max_parasitic_growth = 10}, "max_parasitic_growth: is of linear problems");
  refused({.max_amplification = 10}, "max_amplification: is of linear problems");
  refused({.conditioning = true}, "conditioning: is estimated for linear problems");
  refused({.weight = Weight::shifted}, "shifted");
  refused({.tolerance = 1e-14}, "tolerance = 1e-14");
}

TEST_CASE("problems that cannot be posed say why", "[nonlinear]") {
  const auto refused = [](const BoundaryProblem& problem, const char* words) {
    CHECK_THROWS_WITH(solve(problem), contains_text(words));
  };
  BoundaryProblem problem = boundary_problem_of(pendulum());
  problem.equations.reset();
  refused(problem, "equations: there are none");
  problem = boundary_problem_of(pendulum());
  problem.conditions = {};
  refused(problem, "conditions: there are none");
  problem = boundary_problem_of(pendulum());
  problem.interval = {1, 1};
  refused(problem, "interval = [1, 1]");
  problem = boundary_problem_of(pendulum());
  problem.conditions = [](const VecX& left, const VecX&) { return VecX(left.head(3)); };
  refused(problem, "3 conditions with the 2 of the constraints: there must be 4");
  problem = boundary_problem_of(pendulum());
  problem.guess = [](double) -> VecX { return VecX::Zero(2); };
  refused(problem, "guess: has 2 entries, x has 4");
  problem = boundary_problem_of(problems::IndexOneLayer{});
  problem.guess_algebraic = [](double) -> VecX { return VecX::Zero(2); };
  refused(problem, "guess_algebraic: has 2 entries, w has 1");
  ProblemFunctions of;
  of.kind = Kind::invariants;
  of.sizes = {.nq = 1, .nw = 1, .nh = 1};
  of.f = of.r = of.h = [](const Points& at, double* out) { std::fill(out, out + at.count, 0.0); };
  of.differences = true;
  problem.equations = problem_from_functions(of);
  refused(problem, "nh = 1: invariants");
}

}  // namespace daewave::bvp
