// Linear boundary value problems without constraints.

#include "bvp/linear_ordinary.hpp"

#include <cmath>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// e y'' = y, y(0) = 1, y(1) = 0, as y' = z, z' = y / e; a layer of width sqrt(e).
struct Layer {
  double e = 1e-4;
  Boundary conditions{MatX{{1, 0}, {0, 0}}, MatX{{0, 0}, {1, 0}}, Vec<2>{1, 0}};

  std::string name() const { return "layer"; }
  Interval interval() const { return {0, 1}; }
  Boundary boundary() const { return conditions; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{0, 1}, {1 / e, 0}}; }
  Vec<2> q(double) const { return {0, 0}; }
  double exact(double t) const {
    const double s = 1 / std::sqrt(e);
    return (std::exp(-s * t) - std::exp(s * (t - 2))) / (1 - std::exp(-2 * s));
  }
};

/// The rotation x' = [0 w; -w 0] x + q with sizes known at run time and conditions that couple both
/// ends: x(0) + x(1) as x = (cos 3t + t, sin 3t) has it.
struct Rotation {
  Interval interval() const { return {0, 1}; }
  Boundary boundary() const {
    return {MatX::Identity(2, 2), MatX::Identity(2, 2), VecX(exact(0) + exact(1))};
  }
  MatX A(double t) const { return MatX{{0, 1 + t}, {-1 - t, 0}}; }
  VecX q(double t) const {
    return VecX{{-3 * std::sin(3 * t) + 1, 3 * std::cos(3 * t)}} - A(t) * exact(t);
  }
  VecX exact(double t) const { return VecX{{std::cos(3 * t) + t, std::sin(3 * t)}}; }
};

/// y'' = -(k pi)^2 y + 1, y(0) = y(1) = 0: of whole k solutions are open, or there are none.
struct Resonance {
  double k = 1;
  bool has_pole = false;
  Interval interval() const { return {0, 1}; }
  Boundary boundary() const { return {MatX{{1, 0}, {0, 0}}, MatX{{0, 0}, {1, 0}}, VecX::Zero(2)}; }
  Mat<2, 2> A(double t) const {
    const double w = k * 3.14159265358979323846;
    return Mat<2, 2>{{0, 1}, {-w * w / (has_pole && t > 0.5 ? 0.0 : 1.0), 0}};
  }
  Vec<2> q(double) const { return {0, 1}; }
};

}  // namespace

TEST_CASE("a linear problem that has no solution, or many, is told as such, and soon",
          "[linear][ordinary]") {
  for (const double k : {1.0, 2.0, 6.0, 7.0, 9.0, 12.0, 18.0, 20.0}) {
    for (const double tolerance : {1e-2, 1e-5, 1e-7, 1e-8, 1e-9}) {
      const Solution solution = solve(Resonance{k}, {.tolerance = tolerance});
      CAPTURE(k, tolerance, solution.report.full());
      CHECK(solution.report.termination == Termination::singular_matrix);
      CHECK_THAT(solution.report.message, !contains_text("Newton"));
      CHECK_THAT(solution.report.advice, contains_text("conditions that"));
      CHECK_THAT(solution.report.advice, !contains_text("guess"));
      CHECK(solution.report.intervals <= 3000);
      CHECK(solve(Resonance{k + 0.3}, {.tolerance = tolerance}).report.usable());
    }
  }
  const Solution pole = solve(Resonance{.k = 1, .has_pole = true}, {.tolerance = 1e-6});
  CHECK(pole.report.termination == Termination::diverged);
  CHECK_THAT(pole.report.advice, contains_text("coefficients that are finite"));
}

TEST_CASE("a linear problem without constraints needs no B, C and r", "[linear][ordinary]") {
  for (const double e : {1.0, 1e-2, 1e-4, 1e-6}) {
    for (const double tolerance : {1e-4, 1e-8}) {
      CAPTURE(e, tolerance);
      const Layer layer{e};
      const Solution solution = solve(layer, {.tolerance = tolerance});
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(solution.report.problem == "layer");
      CHECK(solution.multiplier(0.5).size() == 0);
      double error = 0;
      for (int i = 0; i <= 1000; ++i) {
        const double t = i / 1000.0;
        error = std::max(error, std::abs(solution.x(t)[0] - layer.exact(t)));
      }
      CHECK(error < 2 * tolerance);
    }
  }
}

TEST_CASE("its sizes may be known at run time, and its conditions couple both ends",
          "[linear][ordinary]") {
  const Rotation rotation;
  const Solution solution = solve(rotation, {.tolerance = 1e-10});
  REQUIRE(solution.report.usable());
  for (const double t : {0.0, 0.123, 0.5, 1.0}) {
    CHECK((solution.x(t) - rotation.exact(t)).cwiseAbs().maxCoeff() < 3e-10);
  }
}

TEST_CASE("conditions that do not determine it are refused", "[linear][ordinary]") {
  Layer layer;
  layer.conditions = {MatX{{1, 0}}, MatX{{0, 0}}, VecX::Ones(1)};
  CHECK_THROWS_AS(solve(layer), InvalidProblem);
  CHECK_THROWS_WITH(solve(layer), contains_text("1 condition(s): too few") &&
                                      contains_text("2 - 0 = 2") && !contains_text("constraint"));
  layer.conditions = {MatX{{1, 0}, {2, 0}}, MatX::Zero(2, 2), Vec<2>{1, 2}};
  CHECK_THROWS_WITH(solve(layer), contains_text("depend on each other"));
}

TEST_CASE("options of constraints are refused", "[linear][ordinary]") {
  CHECK_THROWS_AS(solve(Layer{}, {.max_parasitic_growth = 10.0}), InvalidOption);
  CHECK_THROWS_AS(solve(Layer{}, {.epsilon = 1e-3}), InvalidOption);
}

}  // namespace daewave::bvp
