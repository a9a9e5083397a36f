// Problems that enlarge what is small at one end, beside a layer whose residual is the largest but
// is not enlarged: x' = k (x - s(t)) + s'(t), x(0) = s(0), s = sin 3 t + a tanh((t - c) / d).

#include <algorithm>
#include <cmath>
#include <random>

#include "bvp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

struct Growing {
  using State = Vec<1>;
  double k, c, d, a;

  double s(double t) const { return std::sin(3 * t) + a * std::tanh((t - c) / d); }
  double slope(double t) const {
    const double part = 1 / std::cosh((t - c) / d);
    return 3 * std::cos(3 * t) + a / d * part * part;
  }
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double t) const { return Vec<1>{k * (x[0] - s(t)) + slope(t)}; }
  VecX conditions(const State& begin, const State&) const { return VecX{{begin[0] - s(0)}}; }
};

/// The error in tolerances, relative to 1 + the largest of x; 0 where no success is claimed.
double claimed_error(const Growing& problem, const Options& options) {
  const Solution solution = solve(problem, options);
  if (!solution.report.usable()) return 0;
  double error = 0, size = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double t = i / 1000.0;
    error = std::max(error, std::abs(solution.x(t)[0] - problem.s(t)));
    size = std::max(size, std::abs(problem.s(t)));
  }
  return error / ((1 + size) * *options.tolerance);
}

}  // namespace

TEST_CASE("what is small at the begin and grows is told beside a layer that does not",
          "[nonlinear]") {
  CHECK(claimed_error({12.83, .5785, .0936, 1.438}, {.tolerance = 8.5e-5}) < 1.5);
  CHECK(claimed_error({11, .77, .117, 1.276}, {.tolerance = 2e-7, .scheme = Scheme::lobatto}) <
        1.5);
  CHECK(claimed_error({10.26, .7805, .0673, -1.2957},
                      {.tolerance = 2.03e-6, .scheme = Scheme::gauss, .stages = 4}) < 1.5);
  CHECK(claimed_error({10.94, .7727, .11685, 1.276},
                      {.tolerance = 1.84e-7, .scheme = Scheme::radau, .stages = 5}) < 1.5);
}

TEST_CASE("claims hold for layers beside modes that grow, wherever these are", "[nonlinear]") {
  std::mt19937 random(17);
  const auto number = [&](double from, double to) {
    return std::uniform_real_distribution<>(from, to)(random);
  };
  int claimed = 0, above = 0;
  double most = 0;
  for (int i = 0; i < 300; ++i) {
    const Growing problem{number(6, 14), number(.2, .9), std::pow(10, number(-1.5, -.5)),
                          number(-1.5, 1.5)};
    const double tolerance = std::pow(10, number(-8, -3));
    const double error = claimed_error(problem, {.tolerance = tolerance});
    claimed += error > 0 ? 1 : 0;
    above += error > 1 ? 1 : 0;
    most = std::max(most, error);
  }
  CAPTURE(claimed, above, most);
  CHECK(claimed == 300);
  CHECK(above <= 3);
  CHECK(most < 3);
}

}  // namespace daewave::bvp
