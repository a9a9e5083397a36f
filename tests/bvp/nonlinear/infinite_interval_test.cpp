// Infinite intervals: cut where what is beyond matters no more, and told so.

#include "bvp/nonlinear/infinite_interval.hpp"

#include <cmath>
#include <limits>

#include "bvp/continuation/follow.hpp"
#include "bvp/curve/lengthened.hpp"
#include "bvp/solve.hpp"
#include "tests/bvp/effort.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// f''' + f f'' / 2 = 0, f(0) = f'(0) = 0, f'(inf) = 1. [Blasius]
struct FlatPlate {
  using State = Vec<3>;
  Interval interval() const { return {0, unbounded}; }
  State f(const State& x, double) const { return {x[1], x[2], -0.5 * x[0] * x[2]}; }
  VecX conditions(const State& left, const State& right) const {
    return VecX{{left[0], left[1], right[1] - 1}};
  }
};

/// The flow above a rotating disk: F'' = F^2 - G^2 + F' H, G'' = 2 F G + G' H, H' = -2 F. [Karman]
struct RotatingDisk {
  using State = Vec<5>;
  Interval interval() const { return {0, unbounded}; }
  State f(const State& x, double) const {
    const double F = x[0], dF = x[1], G = x[2], dG = x[3], H = x[4];
    return {dF, F * F - G * G + dF * H, dG, 2 * F * G + dG * H, -2 * F};
  }
  VecX conditions(const State& left, const State& right) const {
    return VecX{{left[0], left[2] - 1, left[4], right[0], right[2]}};
  }
};

/// y'' = rate^2 y + ..., y = exp(-rate t) + 1, y(0) = 2, y(inf) = 1.
struct Decay {
  using State = Vec<2>;
  double rate = 1;
  Interval interval() const { return {0, unbounded}; }
  State f(const State& x, double) const { return {x[1], rate * rate * (x[0] - 1)}; }
  VecX conditions(const State& left, const State& right) const {
    return VecX{{left[0] - 2, right[0] - 1}};
  }
  double y(double t) const { return 1 + std::exp(-rate * t); }
};

/// y'' = 2 y^3, y(0) = 1, y(inf) = 0: y = 1 / (1 + t).
struct SlowDecay {
  using State = Vec<2>;
  Interval interval() const { return {0, unbounded}; }
  State f(const State& x, double) const { return {x[1], 2 * x[0] * x[0] * x[0]}; }
  VecX conditions(const State& left, const State& right) const {
    return VecX{{left[0] - 1, right[0]}};
  }
  State guess(double t) const { return {1 / (1 + t), 0}; }
};

/// u'' + c u' = 2 u^3 - 2 u, u(-inf) = -1, u(0) = 0, u(inf) = 1: u = tanh t, c = 0.
ProblemFamily front() {
  struct Front {
    using State = Vec<2>;
    double c;
    State f(const State& x, double) const {
      return {x[1], 2 * x[0] * x[0] * x[0] - 2 * x[0] - c * x[1]};
    }
  };
  const auto member = [](const VecX& p) {
    BoundaryProblem problem;
    problem.equations = problem_of(Front{p[0]});
    problem.interval = {-unbounded, unbounded};
    problem.inside = {0};
    problem.conditions = [](const VecX& left, const VecX& right) {
      return VecX{{left[0] + 1, right[0] - 1}};
    };
    problem.further_conditions = [](const Observed& of) { return VecX{{of.inside[0][0]}}; };
    problem.guess = [](double t) {
      const double s = 1 / std::sqrt(1 + t * t);
      return VecX{{t * s, s * s * s}};
    };
    return problem;
  };
  return {.member = member, .p = VecX{{0.1}}, .names = {"c"}, .unknown = {0}};
}

}  // namespace

TEST_CASE("the boundary layer of a flat plate is found to its tolerance", "[infinite]") {
  const std::vector<testing::Cost> costs = {
      {9, 0, 1.63e-07, 20}, {13, 0, 1.82e-09, 40}, {27, 0, 1.36e-12, 40}};
  auto recorded = costs.begin();
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    const Solution solution = solve(FlatPlate{}, {.tolerance = tolerance});
    CAPTURE(tolerance, solution.report.full());
    REQUIRE(solution.report.usable());
    CAPTURE(text_of(testing::cost_of(solution)));
    CHECK(are_alike(*recorded++, testing::cost_of(solution)));
    CHECK(std::abs(solution.x(0)[2] - 0.332057336215196) <= tolerance);
    REQUIRE(solution.truncation);
    CHECK(solution.truncation->at_end);
    CHECK_FALSE(solution.truncation->at_begin);
    CHECK(solution.truncation->error <= tolerance);
    CHECK(solution.report.error.x <= tolerance);
    // f grows like t - 1.7207876575, f' tends to 1.
    CHECK(std::abs(solution.x(1e3)[0] - (1e3 - 1.7207876575)) <= 2e3 * tolerance);
    CHECK(std::abs(solution.x(1e3)[1] - 1) <= tolerance);
    CHECK(solution.slope(1e3)[2] == 0);
    CHECK_THROWS_AS(solution.x(-1), InvalidOption);
    CHECK_THROWS_AS(solution.x(std::nan("")), InvalidOption);
    CHECK(solution.constraint_residual(1e3).size() == 0);
  }
}

TEST_CASE("the flow above a rotating disk is found to its tolerance", "[infinite]") {
  const std::vector<testing::Cost> costs = {{9, 0, 1.46e-07, 40}, {18, 0, 2.60e-10, 80}};
  auto recorded = costs.begin();
  for (const double tolerance : {1e-6, 1e-9}) {
    const Solution solution = solve(RotatingDisk{}, {.tolerance = tolerance});
    CAPTURE(tolerance, solution.report.full());
    REQUIRE(solution.report.usable());
    CAPTURE(text_of(testing::cost_of(solution)));
    CHECK(are_alike(*recorded++, testing::cost_of(solution)));
    CHECK(std::abs(solution.x(0)[1] - 0.51023261892) <= tolerance + 1e-10);
    CHECK(std::abs(solution.x(0)[3] + 0.61592201444) <= tolerance + 1e-10);
    CHECK(std::abs(solution.x(1e6)[4] + 0.88447411) <= tolerance + 1e-8);
  }
}

TEST_CASE("decays of all rates are followed as far as they matter", "[infinite]") {
  const std::vector<testing::Cost> costs = {{14, 0, 1.61e-05, 20},  {},
                                            {5, 0, 2.25e-05, 20},   {11, 0, 2.11e-09, 20},
                                            {9, 0, 4.67e-05, 20},   {10, 0, 1.10e-09, 40},
                                            {6, 0, 2.31e-05, 80},   {10, 0, 1.07e-09, 160},
                                            {7, 0, 4.04e-07, 2560}, {}};
  auto recorded = costs.begin();
  for (const double rate : {100.0, 3.0, 1.0, 0.3, 0.01}) {
    for (const double tolerance : {1e-4, 1e-8}) {
      const Decay problem{.rate = rate};
      const Solution solution = solve(problem, {.tolerance = tolerance});
      CAPTURE(rate, tolerance, solution.report.full());
      REQUIRE(solution.report.usable());
      CAPTURE(text_of(testing::cost_of(solution)));
      CHECK(are_alike(*recorded++, testing::cost_of(solution)));
      double most = 0;
      for (int i = 0; i <= 1000; ++i) {
        const double t = 40 / rate * i / 1000;
        most = std::max(most, std::abs(solution.x(t)[0] - problem.y(t)));
      }
      CHECK(most <= 2 * tolerance);
      // With y = 1 at the end T, y is off by exp(-rate T) there, and y' by as much times the rate.
      const double T = solution.mesh().end();
      const double off = std::exp(-rate * T) * std::max(1.0 / 3, rate / (1 + rate));
      CHECK(solution.truncation->error <= tolerance);
      CHECK(solution.truncation->error >= off);
    }
  }
}

/// x = 1 + slope t + exp(-rate t), from its value at 0.
struct DecayToLine {
  using State = Vec<1>;
  double rate = 1, slope = -0.57;
  Interval interval() const { return {0, unbounded}; }
  double x(double t) const { return 1 + slope * t + std::exp(-rate * t); }
  State f(const State& of, double t) const {
    return State(slope - rate * std::exp(-rate * t) - 3 * (of[0] - x(t)));
  }
  VecX conditions(const State& left, const State&) const { return VecX{{left[0] - 2}}; }
};

TEST_CASE("decays beside a line that grows are followed as far as they matter", "[infinite]") {
  for (const double rate : {1.0, 0.2, 0.05, 0.01}) {
    for (const double tolerance : {1e-3, 1e-6, 1e-8}) {
      const DecayToLine problem{rate};
      const Solution solution = solve(problem, {.tolerance = tolerance});
      CAPTURE(rate, tolerance, solution.report.full());
      CHECK(solution.report.usable());
      REQUIRE(solution.has_values());
      // Beyond the cut as well.
      const double end = 10 * solution.mesh().end();
      for (int p = 0; p <= 3000; ++p) {
        const double t = end * std::pow(p / 3000.0, 3);
        const double size = 1 + std::max(std::abs(problem.x(t)), std::abs(problem.x(end / 10)));
        if (!(std::abs(solution.x(t)[0] - problem.x(t)) <= tolerance * size)) {
          FAIL_CHECK("wrong at " << t);
        }
      }
    }
  }
}

TEST_CASE("what comes later than the first lengths is seen", "[infinite]") {
  // y'' = y + q(t), y = exp(-t) + exp(-(t - 45)^2).
  struct Late {
    using State = Vec<2>;
    Interval interval() const { return {0, unbounded}; }
    static double y(double t) { return std::exp(-t) + std::exp(-(t - 45) * (t - 45)); }
    State f(const State& x, double t) const {
      const double s = (t - 45) * (t - 45);
      return {x[1], x[0] + (4 * s - 3) * std::exp(-s)};
    }
    VecX conditions(const State& left, const State& right) const {
      return VecX{{left[0] - 1, right[0]}};
    }
  };
  const Solution solution = solve(Late{}, {.tolerance = 1e-6});
  CAPTURE(solution.report.full());
  REQUIRE(solution.report.usable());
  for (const double t : {0.0, 1.0, 20.0, 44.0, 45.0, 47.0, 100.0}) {
    CHECK(std::abs(solution.x(t)[0] - Late::y(t)) <= 1e-6);
  }
}

TEST_CASE("a connection of two equilibria is found with its phase and parameter", "[infinite]") {
  for (const double tolerance : {1e-5, 1e-9}) {
    const Solution solution = solve(front(), {.tolerance = tolerance});
    CAPTURE(tolerance, solution.report.full());
    REQUIRE(solution.report.usable());
    // What another length changes is hardly more than what Newton's method leaves along the front.
    CHECK(solution.report.error.x <= tolerance);
    CHECK(solution.mesh().intervals() <= (tolerance > 1e-6 ? 21 : 39));
    CHECK(std::abs(solution.parameters[0]) <= tolerance);
    for (const double t : {-1e3, -7.0, -1.0, 0.0, 0.4, 3.0, 1e3}) {
      CHECK(std::abs(solution.x(t)[0] - std::tanh(t)) <= 2 * tolerance);
    }
    CHECK(solution.truncation->at_begin);
    CHECK(solution.truncation->at_end);
  }
}

TEST_CASE("beyond a cut equations are looked at with the parameter that was found", "[infinite]") {
  // x' = p - x, x(0) = 0, x(inf) = 1: x = 1 - exp(-t) with p = 1, and no equilibrium with others.
  struct Rise {
    using State = Vec<1>;
    double level;
    Interval interval() const { return {0, unbounded}; }
    State f(const State& x, double) const { return State(level - x[0]); }
    VecX conditions(const State& left, const State& right) const {
      return VecX{{left[0], right[0] - 1}};
    }
  };
  for (const double guess : {1.0, 0.5, 3.0}) {
    const ProblemFamily family{
        .member = [](const VecX& p) { return boundary_problem_of(Rise{p[0]}); },
        .p = VecX{{guess}},
        .names = {"level"},
        .unknown = {0}};
    const Solution solution = solve(family, {.tolerance = 1e-6});
    CAPTURE(guess, solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.parameters[0] == Approx(1).epsilon(1e-6));
    CHECK(solution.mesh().end() < 50);
    for (const double t : {0.5, 3.0, 17.0}) {
      CHECK(std::abs(solution.x(t)[0] - (1 - std::exp(-t))) <= 2e-6);
    }
  }
}

TEST_CASE("intervals that are infinite to the left are those of the mirror", "[infinite]") {
  struct Mirrored : Decay {
    Interval interval() const { return {-unbounded, 0}; }
    VecX conditions(const State& left, const State& right) const {
      return Decay::conditions(right, left);
    }
  };
  const Solution left = solve(Mirrored{}, {.tolerance = 1e-8});
  const Solution right = solve(Decay{}, {.tolerance = 1e-8});
  CAPTURE(left.report.full());
  REQUIRE(left.report.usable());
  CHECK(left.truncation->at_begin);
  for (const double t : {0.0, 0.7, 3.0, 100.0}) {
    CHECK(std::abs(left.x(-t)[0] - right.x(t)[0]) <= 2e-8);
    CHECK(std::abs(left.x(-t)[1] + right.x(t)[1]) <= 2e-8);
  }
}

TEST_CASE("a decay like a power is followed where it can be, and told where it cannot",
          "[infinite]") {
  const Solution loose = solve(SlowDecay{}, {.tolerance = 1e-2});
  CAPTURE(loose.report.full());
  REQUIRE(loose.report.usable());
  for (const double t : {0.0, 3.0, 30.0, 1e3, 1e6}) {
    CHECK(std::abs(loose.x(t)[0] - 1 / (1 + t)) <= 2e-2);
  }
  const Solution strict = solve(SlowDecay{}, {.tolerance = 1e-7});
  CAPTURE(strict.report.full());
  CHECK(strict.report.termination == Termination::tolerance_not_met);
  CHECK(strict.report.message.find("it falls like length^-") != std::string::npos);
  CHECK(strict.report.advice.find("x' = -p x / t") != std::string::npos);
  REQUIRE(strict.truncation);
  CHECK(strict.report.error.x >= 1e-5);
  for (const double t : {0.0, 3.0, 30.0}) {
    CHECK(std::abs(strict.x(t)[0] - 1 / (1 + t)) <= strict.report.error.x);
  }
}

TEST_CASE("what is beyond a cut is told of decays like powers", "[infinite]") {
  /// y'' = p (p + 1) y^(1 + 2 / p), y(0) = 1, y(inf) = 0: y = (1 + t)^-p.
  struct Power {
    using State = Vec<2>;
    double p;
    Interval interval() const { return {0, unbounded}; }
    State f(const State& x, double) const {
      return {x[1], p * (p + 1) * x[0] * std::pow(std::abs(x[0]), 2 / p)};
    }
    VecX conditions(const State& left, const State& right) const {
      return VecX{{left[0] - 1, right[0]}};
    }
    State guess(double t) const { return {1 / (1 + t), 0}; }
  };
  int claimed = 0;
  for (const double p : {0.7, 1.0, 1.5, 2.0, 3.0}) {
    for (const double tolerance : {3e-2, 1e-2, 3e-3, 1e-3, 3e-4}) {
      const Solution solution = solve(Power{p}, {.tolerance = tolerance});
      if (!solution.report.usable()) continue;
      ++claimed;
      const double end = solution.mesh().end();
      double most = 0;
      for (int i = 0; i <= 2000; ++i) {
        const double t = 10 * end * std::pow(i / 2000.0, 3);
        most = std::max(most, std::abs(solution.x(t)[0] - std::pow(1 + t, -p)));
      }
      CAPTURE(p, tolerance, end, most, solution.truncation->error);
      CHECK(most <= tolerance);
    }
  }
  CHECK(claimed == 25);
}

TEST_CASE("a solution on an infinite interval is a guess for the next", "[infinite]") {
  // (m + 1) / 2 in front of f f'': Falkner and Skan. [Falkner-Skan]
  struct Wedge {
    using State = Vec<3>;
    double m = 0;
    Interval interval() const { return {0, unbounded}; }
    State f(const State& x, double) const {
      return {x[1], x[2], -0.5 * (m + 1) * x[0] * x[2] - m * (1 - x[1] * x[1])};
    }
    VecX conditions(const State& left, const State& right) const {
      return VecX{{left[0], left[1], right[1] - 1}};
    }
  };
  const ProblemFamily family{
      .member = [](const VecX& p) { return boundary_problem_of(Wedge{.m = p[0]}); },
      .p = VecX{{0.0}},
      .names = {"m"}};
  const Branch branch = follow(family, {.to = 1}, {.tolerance = 1e-8});
  CAPTURE(branch.report.full());
  REQUIRE(branch.report.usable());
  CHECK(std::abs(branch.last.x(0)[2] - 1.2325876568) <= 1e-8);
  // Lengths do not grow from step to step.
  CHECK(branch.last.mesh().end() <= 40);
  CHECK_THROWS_AS(follow(family, {.to = 1, .arclength = true}), InvalidOption);
  Options again{.tolerance = 1e-8};
  again.from = branch.last;
  const Solution solution = solve(Wedge{.m = 1}, again);
  CAPTURE(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(std::abs(solution.x(0)[2] - 1.2325876568) <= 1e-8);
}

TEST_CASE("components have tolerances of their own on infinite intervals", "[infinite]") {
  const Solution solution =
      solve(Decay{}, {.tolerances = {.relative = 1e-3, .absolute = VecX{{1e-9, unbounded}}}});
  CAPTURE(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(solution.report.error.tolerance == 1e-3);
}

TEST_CASE("what cannot be on an infinite interval is refused by name", "[infinite]") {
  CHECK_THROWS_AS(solve(FlatPlate{}, {.mesh = uniform_mesh(0, 10, 10)}), InvalidOption);
  CHECK_THROWS_WITH(solve(FlatPlate{}, {.intervals = 8}),
                    contains_text("intervals: without a tol"));
  CHECK(solve(FlatPlate{}, {.tolerance = 1e-5, .intervals = 8}).report.usable());
  CHECK_THROWS_AS(solve(FlatPlate{}, {.truncation = -1}), InvalidOption);
  BoundaryProblem finite = boundary_problem_of(FlatPlate{});
  finite.interval = {0, 10};
  CHECK_THROWS_AS(solve(finite, {.truncation = 5}), InvalidOption);
  finite.interval = {unbounded, unbounded};
  CHECK_THROWS_AS(solve(finite), InvalidProblem);
  finite.interval = {0, std::nan("")};
  CHECK_THROWS_AS(solve(finite), InvalidProblem);
}

TEST_CASE("a curve goes on along a line beyond its ends", "[infinite]") {
  const Mesh mesh = uniform_mesh(0, 1, 4);
  const Collocation scheme = collocation(Scheme::gauss, 2);
  CollocationValues values;
  values.x = MatX::Ones(1, 5);
  values.slopes = MatX::Zero(1, 8);
  values.carried = MatX::Constant(1, 8, 3);
  const CollocationCurve longer =
      lengthened(CollocationCurve(mesh, scheme, values), {-2, 5}, VecX{{0.5}}, VecX{{-1.0}});
  CHECK(longer.mesh().begin() == -2);
  CHECK(longer.mesh().end() == 5);
  for (const double t : {-2.0, -0.7, -0.1, 0.0, 0.6, 1.0, 1.2, 4.0, 5.0}) {
    const double expected = t < 0 ? 1 + 0.5 * t : t > 1 ? 2 - t : 1;
    CHECK(longer.x(t)[0] == Approx(expected).margin(1e-14));
    CHECK(longer.carried(t)[0] == Approx(3));
  }
}

}  // namespace daewave::bvp
