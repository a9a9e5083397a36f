// Events whose functions depend on t alone: a change of the state moves nothing of them, and what
// is left of them at their own zeros is rounding.

#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using ivp::Event;
using ivp::Options;
using ivp::Solution;

namespace {

using std::numbers::pi;

struct Oscillator {
  using State = Vec<2>;
  State f(const State& z, double) const { return {z[1], -z[0]}; }
};

Event kick(std::function<double(double t, const VecX& z)> function,
           Event::Direction direction = Event::Direction::any) {
  return {.name = "kick",
          .function = std::move(function),
          .direction = direction,
          .change = [](double, VecX z) {
            z[1] += 0.1;
            return z;
          }};
}

Solution kicked(const Event& event, double end, Options options = {}) {
  options.seek_way_out = false;
  options.events = {event};
  return ivp::solve(Oscillator{}, Vec<2>(0, 1), {0, end}, options);
}

}  // namespace

TEST_CASE("kicks at given times come once each, to rounding of t, both ways", "[restarts]") {
  for (const double sign : {1.0, -1.0}) {
    const Solution solution =
        kicked(kick([](double t, const VecX&) { return std::sin(pi * (t - 0.1)); }), sign * 20);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    REQUIRE(solution.occurrences.size() == 20);
    for (int k = 0; k < 20; ++k) {
      CHECK(std::abs(solution.occurrences[k].t - (sign > 0 ? 0.1 + k : -0.9 - k)) < 1e-13);
    }
  }
}

TEST_CASE("kicks of any frequency are as many as there are zeros that fall", "[restarts]") {
  for (const double sign : {1.0, -1.0}) {
    for (int k = 0; k < 400; ++k) {
      const double w = 0.5 + 0.01 * k, end = 10;
      const Solution solution = kicked(
          kick([w](double t, const VecX&) { return std::cos(w * t); }, Event::Direction::falling),
          sign * end, {.every = 0, .multipliers = false});
      CAPTURE(sign, w, solution.report.message);
      REQUIRE(solution.report.usable());
      REQUIRE(static_cast<double>(solution.occurrences.size()) ==
              std::ceil((w * end - pi / 2) / (2 * pi)));
    }
  }
}

TEST_CASE("kicks with a fixed step, and by an implicit formula, come once each", "[restarts]") {
  for (const Options& options :
       {Options{.h = 0.03}, Options{.h = 0.5}, Options{.rtol = 1e-10},
        Options{.method = ivp::Underlying{.formula = {ivp::Stepper::radau, 3}}}}) {
    const Solution solution =
        kicked(kick([](double t, const VecX&) { return std::sin(pi * (t - 0.1)); }), 20, options);
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    CHECK(solution.occurrences.size() == 20);
  }
}

TEST_CASE("the next kick comes however soon behind one it is, in the same step too", "[restarts]") {
  for (const Options& options :
       {Options{}, Options{.rtol = 1e-3}, Options{.h = 0.1},
        Options{.method = ivp::Underlying{.formula = {ivp::Stepper::radau, 3}}},
        Options{.method = ivp::Underlying{.formula = {ivp::Stepper::gauss, 3}}}}) {
    for (const double sign : {1.0, -1.0}) {
      for (const double gap : {0.3, 0.1, 0.03, 0.02}) {
        const auto pair = [=](double t, const VecX&) {
          return (sign * t - 1) * (sign * t - 1 - gap);
        };
        const Solution solution = kicked(kick(pair), sign * 3, options);
        CAPTURE(gap, sign, name_of(options.method), solution.report.message);
        REQUIRE(solution.report.usable());
        REQUIRE(solution.occurrences.size() == 2);
        CHECK(std::abs(solution.occurrences[1].t - sign * (1 + gap)) < 1e-12);
        CHECK(solution.occurrences[1].rising);
      }
    }
  }
}

TEST_CASE("kicks that follow each other within steps are all there", "[restarts]") {
  for (const double w : {10.0, 30.0, 45.0}) {
    for (const double sign : {1.0, -1.0}) {
      const Solution solution =
          kicked(kick([w](double t, const VecX&) { return std::cos(w * t); }), sign * 3);
      CAPTURE(w, sign, solution.report.message);
      CHECK(solution.report.usable());
      CHECK(static_cast<double>(solution.occurrences.size()) == std::floor(3 * w / pi + 0.5));
    }
  }
}
