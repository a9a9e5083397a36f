// Events that come and go within one window: a bead that goes around a circle at constant speed
// passes a height near the top twice in a part of a turn.

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/derivatives/autodiff.hpp"
#include "ivp/solve.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using Direction = Event::Direction;

using std::numbers::pi;

/// (sin t, cos t).
Solution turning(Options options, double begin, double end) {
  options.method = GaussWindows{};
  const Vec<4> start{std::sin(begin), std::cos(begin), std::cos(begin), -std::sin(begin)};
  return solve(*problem_of(problems::Pendulum{.g0 = 0}), VecX(start), {begin, end}, options);
}

Event height(double level, Direction direction = Direction::any) {
  return {"height", [level](double, const VecX& z) { return z[0] - level; }, direction};
}

/// A mass on a vertical rail, of energy v^2 / 2 + 10 y.
struct Ball {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -10}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>(q[0]);
  }
};

/// Whatever the windows are, which are those of the tolerance.
std::vector<Options> tolerances() {
  std::vector<Options> all;
  for (const double rtol : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
    all.push_back({.rtol = rtol, .atol = rtol, .every = 0});
  }
  return all;
}

}  // namespace

TEST_CASE("zeros of an event that come and go within a window are found", "[windows][events]") {
  for (Options options : tolerances()) {
    for (const double level : {0.99, 0.9, 0.5, -0.7, -0.97}) {
      for (const int way : {1, -1}) {
        options.events = {height(level)};
        const Solution solution = turning(options, -way * 1.5 * pi, way * 12.5 * pi);
        CAPTURE(options.rtol, level, way, solution.report.integration.steps);
        REQUIRE(solution.report.usable());
        CHECK(solution.report.warnings.empty());
        REQUIRE(solution.occurrences.size() == 14);
        for (int k = 0; k < 14; ++k) {
          const Occurrence& one = solution.occurrences[k];
          CAPTURE(k, one.t);
          CHECK(std::abs(std::sin(one.t) - level) <= 100 * options.rtol);
          CHECK(std::abs(one.state[0] - level) <= 1e-13);
          CHECK(one.rising == ((k % 2 == 0) == (way < 0)));
          if (k > 0) CHECK(way * (one.t - solution.occurrences[k - 1].t) > 0);
        }
      }
    }
  }
}

TEST_CASE("one that only looks in one direction is found where the function comes back",
          "[windows][events]") {
  for (Options options : tolerances()) {
    for (const Direction direction : {Direction::rising, Direction::falling}) {
      options.events = {height(0.98, direction)};
      const Solution solution = turning(options, 0, 10 * pi);
      CAPTURE(options.rtol, solution.report.integration.steps);
      REQUIRE(solution.occurrences.size() == 5);
      for (const Occurrence& one : solution.occurrences) {
        CHECK(one.rising == (direction == Direction::rising));
      }
    }
  }
}

TEST_CASE("the first zero in a window stops the run, or changes the state", "[windows][events]") {
  for (Options options : tolerances()) {
    CAPTURE(options.rtol);
    options.events = {height(0.995)};
    options.events[0].then = Event::Then::stop;
    const Solution stopped = turning(options, 0, 10 * pi);
    REQUIRE(stopped.occurrences.size() == 1);
    CHECK(std::abs(stopped.t.back() - std::asin(0.995)) <= 1e3 * options.rtol);

    // Thrown back each time, below the height on either side: half a turn less twice the rest.
    options.events = {height(0.995, Direction::rising)};
    options.events[0].change = [](double, const VecX& z) {
      VecX after = z;
      after.tail(2) *= -1;
      return after;
    };
    const Solution thrown = turning(options, 0, 10 * pi);
    const double first = std::asin(0.995), between = pi + 2 * first;
    REQUIRE(thrown.occurrences.size() ==
            static_cast<std::size_t>(1 + std::floor((10 * pi - first) / between)));
    for (std::size_t k = 0; k < thrown.occurrences.size(); ++k) {
      const double exact = first + static_cast<double>(k) * between;
      CHECK(std::abs(thrown.occurrences[k].t - exact) <= 1e4 * options.rtol);
    }
  }
}

TEST_CASE("where a function changes too often within windows, that is told", "[windows][events]") {
  Options options{.rtol = 1e-6, .every = 0};
  options.events = {{"fast", [](double t, const VecX&) { return std::sin(40 * t + 0.3); }}};
  const Solution solution = turning(options, 0, 10);
  CHECK(solution.occurrences.size() < 127);
  REQUIRE(solution.report.warnings.size() == 1);
  CHECK_THAT(solution.report.warnings[0],
             contains_text("event \"fast\"") && contains_text("largest_step"));
  options.largest_step = 0.2;
  const Solution shorter = turning(options, 0, 10);
  CHECK(shorter.occurrences.size() == 127);
}

TEST_CASE("rounding about zero within a window is no event", "[windows][events]") {
  Options options{.rtol = 1e-8, .every = 0};
  options.events = {{"radius", [](double, const VecX& z) { return z.head(2).norm() - 1; }},
                    height(0.3)};
  const Solution solution = turning(options, 0, 8 * pi);
  std::size_t of_height = 0;
  for (const Occurrence& one : solution.occurrences) of_height += one.event == 1 ? 1 : 0;
  CHECK(of_height == 8);
}

TEST_CASE("a ball bounces off a floor at zero, where its position is rounding",
          "[windows][events]") {
  for (const double height : {1.0, 1.1, 1.5, 2.0, 3.7}) {
    for (const double rtol : {1e-6, 1e-8, 1e-10}) {
      Options options;
      options.rtol = rtol;
      options.method = GaussWindows{};
      options.events = {{.name = "floor",
                         .function = [](double, const VecX& z) { return z[1]; },
                         .direction = Direction::falling,
                         .change =
                             [](double, VecX z) {
                               z[3] = -z[3];
                               return z;
                             }}};
      const Solution solution =
          solve(*problem_of(with_autodiff(Ball{})), Vec<4>(0, height, 0, 0), {0, 5}, options);
      CAPTURE(height, rtol, solution.report.message);
      REQUIRE(solution.report.usable());
      CHECK(solution.t.back() == 5);
      const double fall = std::sqrt(height / 5);
      REQUIRE(solution.occurrences.size() == static_cast<std::size_t>((5 / fall + 1) / 2));
      for (int i = 0; i < static_cast<int>(solution.occurrences.size()); ++i) {
        CHECK(solution.occurrences[i].t == Approx((2 * i + 1) * fall).epsilon(10 * rtol));
      }
      const VecX z = solution.end();
      CHECK(z[3] * z[3] / 2 + 10 * z[1] == Approx(10 * height).epsilon(10 * rtol));
    }
  }
}

}  // namespace daewave::ivp
