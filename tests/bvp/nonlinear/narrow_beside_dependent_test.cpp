// Constraints that become dependent on the way, and solutions that change within a time that is
// little beside the interval: iterates with the epsilon that others need do not settle there.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "bvp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// Index 2, G B = (t - c)^2 and more; x and y are known: a peak of x2, a wave and a peak of y.
struct NarrowBesideDependent {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  double at = 0.2, width = 0.01, c = 0.7131, product = 0.5;
  double peak_of_y = 0, at_of_y = 0.4;

  Interval interval() const { return {0, 1}; }
  double place(double t) const { return (t - at) / width; }
  State x(double t) const { return {std::exp(-t), std::sin(t) + std::exp(-place(t) * place(t))}; }
  State slope(double t) const {
    return {-std::exp(-t), std::cos(t) - 2 / width * place(t) * std::exp(-place(t) * place(t))};
  }
  double y(double t) const {
    const double of_y = (t - at_of_y) / width;
    return std::sin(7 * t) + peak_of_y * std::exp(-of_y * of_y);
  }

  State f(const State& z, double t) const {
    const State e = z - x(t);
    return slope(t) + State(product * e[0] * e[1] + 0.3 * e[1], 0.4 * e[0]) + B(z, t) * y(t);
  }
  State B(const State&, double t) const { return {t - c, -0.2 * (t - c)}; }
  Multiplier g(const State& z, double t) const {
    const State e = z - x(t);
    return Multiplier((t - c) * (e[0] - 0.2 * e[1]));
  }
  Mat<1, 2> G(const State&, double t) const { return {t - c, -0.2 * (t - c)}; }
  Multiplier g_t(const State& z, double t) const {
    const State e = z - x(t), v = slope(t);
    return Multiplier(e[0] - 0.2 * e[1] - (t - c) * (v[0] - 0.2 * v[1]));
  }
  Vec<1> conditions(const State&, const State& right) const { return Vec<1>(right[1] - x(1)[1]); }
  State guess(double) const { return {0, 0}; }
};

/// Of x and B y, relative to 1 + their largest values.
double error_of(const NarrowBesideDependent& problem, const Solution& solution) {
  using State = NarrowBesideDependent::State;
  State most_x = State::Zero(), most_By = State::Zero();
  for (int i = 0; i <= 4000; ++i) {
    const double t = i / 4000.0;
    most_x = most_x.cwiseMax((solution.x(t) - problem.x(t)).cwiseAbs());
    const State By = problem.B({}, t) * problem.y(t);
    most_By = most_By.cwiseMax((solution.By(t) - By).cwiseAbs());
  }
  return std::max(most_x.maxCoeff(), most_By.maxCoeff()) / 2;
}

}  // namespace

TEST_CASE("solutions that change fast are found through dependent constraints", "[nonlinear]") {
  struct Case {
    double width, at, tolerance;
  };
  for (const Case& of : {Case{0.03, 0.7, 1e-6}, Case{0.01, 0.2, 1e-4}, Case{0.01, 0.5, 1e-8},
                         Case{0.003, 0.2, 1e-8}, Case{0.001, 0.2, 1e-6}}) {
    const NarrowBesideDependent problem{.at = of.at, .width = of.width};
    const Solution solution = solve(problem, {.tolerance = of.tolerance});
    CAPTURE(of.width, of.at, of.tolerance);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.carries_By());
    CHECK(error_of(problem, solution) <= of.tolerance);
  }
}

TEST_CASE("what y changes within a short time is found through dependent constraints",
          "[nonlinear]") {
  for (const double peak : {0.01, 1.0}) {
    const NarrowBesideDependent problem{.at = 0.3, .width = 0.01, .peak_of_y = peak};
    const Solution solution = solve(problem, {.tolerance = 1e-6});
    CAPTURE(peak);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(error_of(problem, solution) <= 1e-6);
  }
}

namespace {

/// Beside a wave, a peak of y that moves x by about as much as the tolerance allows.
struct LittlePeak {
  using State = Vec<3>;
  using Multiplier = Vec<1>;
  double size = -0.0037, width = 0.0185, c = 1.2181;

  Interval interval() const { return {0, 5}; }
  State x(double t) const {
    const double u = std::pow(t - 2.5, 3);
    return {0.068 * u, 0.504 * u, 1.086 * std::sin(17.9 * t + 0.956)};
  }
  State slope(double t) const {
    const double u = (t - 2.5) * (t - 2.5);
    return {0.204 * u, 1.512 * u, 1.086 * 17.9 * std::cos(17.9 * t + 0.956)};
  }
  double y(double t) const { return size * std::exp(-std::pow((t - 3.008) / width, 2)); }
  State f(const State& z, double t) const {
    const State e = z - x(t);
    return slope(t) +
           State(0.23 * e[0] + 0.348 * e[2], -0.454 * e[1] - 0.561 * e[2], -0.24 * e[1]) +
           B(z, t) * y(t);
  }
  State B(const State&, double t) const { return {t - c, 0.909 * (t - c), 0}; }
  Multiplier g(const State& z, double t) const {
    const State e = z - x(t);
    return Multiplier((t - c) * (e[0] + 0.909 * e[1]));
  }
  Mat<1, 3> G(const State&, double t) const { return {t - c, 0.909 * (t - c), 0}; }
  Multiplier g_t(const State& z, double t) const {
    const State e = z - x(t), v = slope(t);
    return Multiplier(e[0] + 0.909 * e[1] - (t - c) * (v[0] + 0.909 * v[1]));
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {right[1] - x(5)[1], left[2] - x(0)[2]};
  }
  State guess(double) const { return {0, 0, 0}; }
};

}  // namespace

TEST_CASE("before meshes of one size are given up one twice as fine is tried", "[nonlinear]") {
  for (const auto& [peak, tolerance] :
       {std::pair(LittlePeak{}, 7e-5), std::pair(LittlePeak{.size = 0.001, .width = 0.01}, 1e-4),
        std::pair(LittlePeak{.size = 0.001, .width = 0.01}, 7e-5)}) {
    const Solution solution = solve(peak, {.tolerance = tolerance});
    CAPTURE(peak.width, tolerance);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    for (int i = 0; i <= 1000; ++i) {
      const double t = i / 200.0;
      CHECK((solution.x(t) - peak.x(t)).cwiseAbs().maxCoeff() <= 9 * tolerance);
    }
  }
}

TEST_CASE("an epsilon with which iterates do not settle is told, and one that is given is kept",
          "[nonlinear]") {
  const NarrowBesideDependent problem;
  const Solution open = solve(problem, {.tolerance = 1e-6, .variant = Variant::singular});
  INFO(open.report.full());
  REQUIRE(open.report.usable());
  CHECK_THAT(open.report.full(), contains_text("iterates with 0.0005 did not settle"));
  const Solution given =
      solve(problem, {.tolerance = 1e-6, .variant = Variant::singular, .epsilon = 5e-4});
  CHECK(given.report.termination == Termination::iterates_exhausted);
  CHECK_THAT(given.report.advice, contains_text("a smaller epsilon"));
}

TEST_CASE("what has not settled is gone on from, whoever gave the guess", "[nonlinear]") {
  const NarrowBesideDependent problem{.at = 0.7, .width = 0.03};
  const auto settled = [&](const std::function<VecX(double)>& guess) {
    Solution solution = solve(
        problem,
        {.tolerance = 1e-6, .guess = guess, .variant = Variant::singular, .max_intervals = 100});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK_THAT(solution.report.full(), contains_text("did not settle"));
    return solution;
  };
  const Solution own = settled(nullptr), given = settled([](double) { return VecX{{0, 0}}; });
  CHECK(given.mesh().nodes() == own.mesh().nodes());
  CHECK(given.report.message == own.report.message);
}

TEST_CASE("a smaller epsilon is taken on the mesh that is given, and stops where it is told to",
          "[nonlinear]") {
  const NarrowBesideDependent problem{.at = 0.7, .width = 0.03};
  const Solution given = solve(problem, {.intervals = 700, .variant = Variant::singular});
  INFO(given.report.full());
  CHECK(given.mesh().intervals() == 700);
  // At each place at which progress is told, it ends as stopped.
  int all = 0;
  solve(problem, {.tolerance = 1e-6,
                  .variant = Variant::singular,
                  .progress = [&](const Progress&) { return ++all < 100000; }});
  REQUIRE(all > 20);
  for (int most = 1; most <= all; most += 1 + all / 5) {
    CAPTURE(most, all);
    int calls = 0;
    const Solution stopped =
        solve(problem, {.tolerance = 1e-6,
                        .variant = Variant::singular,
                        .progress = [&](const Progress&) { return ++calls < most; }});
    CHECK(stopped.report.termination == Termination::stopped);
    CHECK(calls <= most);
  }
}

TEST_CASE("where a solve through dependent constraints fails it is told how", "[nonlinear]") {
  /// No end has such squares.
  struct Contradicted : NarrowBesideDependent {
    Vec<1> conditions(const State& left, const State& right) const {
      return Vec<1>(right[1] * right[1] + left[1] * left[1] + 1);
    }
  };
  const Solution none = solve(Contradicted{}, {.tolerance = 1e-6});
  INFO(none.report.full());
  CHECK_FALSE(none.report.usable());
  CHECK(none.report.termination != Termination::singular_constraint);
  CHECK(none.report.advice.find("variant = singular") == std::string::npos);
  CHECK_THAT(none.report.full(), contains_text("variant = singular was taken"));
}

}  // namespace daewave::bvp
