// Times that are far from zero for the length of the interval: rounding of them is all that keeps
// the sides of a jump apart.

#include <algorithm>
#include <cmath>

#include "bvp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x' = -5 (x - X) + X', X = cos 2(t - T) + |t - T - part| on [T, T + 1], given at t = T.
struct Far {
  using State = Vec<1>;
  double T = 0, part = 0.4;
  double at() const { return T + part; }
  double X(double t) const { return std::cos(2 * (t - T)) + std::abs(t - at()); }
  State f(const State& x, double t) const {
    return State{-5 * (x[0] - X(t)) - 2 * std::sin(2 * (t - T)) + (t > at() ? 1 : -1)};
  }
  Interval interval() const { return {T, T + 1}; }
  State conditions(const State& left, const State&) const { return State{left[0] - X(T)}; }
};

double error_of(const Solution& solution, const Far& exact) {
  double most = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double t = std::min(exact.T + i / 1000.0, exact.T + 1);
    most = std::max(most, std::abs(solution.x(t)[0] - exact.X(t)) / 2);
  }
  return most;
}

}  // namespace

TEST_CASE("a jump far from t = 0 is no error beyond the tolerance that is not told",
          "[nonlinear][fixed]") {
  for (const double T : {0.0, 1e3, 1e6, -1e6, 1e7, 1e8, 1e9}) {
    for (const double part : {0.4, 0.127, 0.83}) {
      for (const std::optional<Scheme> scheme :
           {std::optional<Scheme>(), std::optional(Scheme::lobatto),
            std::optional(Scheme::radau)}) {
        for (const bool is_told : {false, true}) {
          for (const double tolerance : {1e-6, 1e-8}) {
            CAPTURE(T, part, scheme.has_value(), is_told, tolerance);
            const Far problem{T, part};
            Options options{.tolerance = tolerance};
            options.scheme = scheme;
            if (is_told) options.fixed_nodes = {problem.at()};
            const Solution solution = solve(problem, options);
            INFO(solution.report.full());
            if (solution.report.usable()) CHECK(error_of(solution, problem) <= tolerance);
            // Where neighbouring times are not as close as the tolerance nothing can be promised.
            if (std::abs(T) <= 1e6) CHECK(solution.report.usable());
          }
        }
      }
    }
  }
}

TEST_CASE("nodes that neighbouring times tell apart may be fixed far from t = 0",
          "[nonlinear][fixed]") {
  const Far problem{1e7, 0.4};
  const double next = problem.at() + 2e-6;
  const Solution solution =
      solve(problem, {.tolerance = 1e-6, .fixed_nodes = {problem.at(), next}});
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  CHECK(error_of(solution, problem) <= 1e-6);
}

}  // namespace daewave::bvp
