// B y is as exact as the rounding of times lets it be, and what that is is told.

#include <cmath>
#include <string>
#include <vector>

#include "bvp/linear/carried_rounding.hpp"
#include "bvp/solve.hpp"
#include "tests/bvp/linear/peak_problem.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::RandomFunction;
using testing::RandomProblemWithDerivatives;
using testing::with_peak;

/// Of B y in units of 1 + its largest entry, close to the peak and elsewhere.
double error_of_By(const RandomProblemWithDerivatives& problem, const Solution& solution) {
  const RandomFunction& peak = problem.z[1];
  std::vector<double> times;
  for (int i = 0; i <= 1000; ++i) times.push_back(1e-3 * i);
  for (int i = -600; i <= 600; ++i) times.push_back(peak.at + peak.width * i / 200);
  double most = 0, size = 0;
  for (const double t : times) {
    if (t < 0 || t > 1) continue;
    const VecX exact = problem.By_exact(t);
    size = std::max(size, 1 + exact.cwiseAbs().maxCoeff());
    most = std::max(most, (solution.By(t) - exact).cwiseAbs().maxCoeff());
  }
  return most / size;
}

/// A constraint on the difference of two components that are alike and do not change.
struct Alike {
  double size = 1;

  Interval interval() const { return {0, 1}; }
  MatX A(double) const { return MatX::Zero(2, 2); }
  MatX B(double) const { return VecX{{0, 1}}; }
  MatX C(double) const { return Eigen::RowVector2d(1, -1); }
  VecX q(double) const { return VecX::Zero(2); }
  VecX r(double) const { return VecX::Zero(1); }
  Boundary boundary() const {
    return {.B0 = Eigen::RowVector2d(1, 0), .B1 = MatX::Zero(1, 2), .beta = VecX{{size}}};
  }
};

}  // namespace

TEST_CASE("B y below what rounding of times makes of it is not called solved", "[bvp]") {
  for (const double width : {1e-3, 3e-4, 1e-4}) {
    for (const double at : {0.13, 0.5609, 0.93}) {
      for (const double tolerance : {1e-8, 1e-9}) {
        CAPTURE(width, at, tolerance);
        const RandomProblemWithDerivatives problem = with_peak(at, width, true);
        const Solution solution = solve(problem, {.tolerance = tolerance, .max_intervals = 4000});
        INFO(solution.report.brief());
        REQUIRE(solution.has_values());
        const double error = error_of_By(problem, solution);
        CAPTURE(error, solution.report.error.By);
        CHECK(error <= 10 * std::max(solution.report.error.By, tolerance));
        if (solution.report.usable()) {
          CHECK(error <= 10 * tolerance);
        } else {
          CHECK_FALSE(solution.report.advice.empty());
        }
      }
    }
  }
}

TEST_CASE("rounding of times that is beyond a tolerance is told with where it is", "[bvp]") {
  const RandomProblemWithDerivatives problem = with_peak(0.5609, 1e-3, true);
  const Solution solution = solve(problem, {.tolerance = 1e-9});
  INFO(solution.report.brief());
  REQUIRE(solution.report.termination == Termination::tolerance_not_met);
  CHECK(solution.report.message.find("rounding of times") != std::string::npos);
  CHECK(solution.report.message.find("t = 0.56") != std::string::npos);
  CHECK(solution.report.advice.find("a tolerance of") != std::string::npos);
}

TEST_CASE("rounding of times is told apart from what iterates leave", "[bvp]") {
  // These do not settle to it, and leave far more.
  const Solution solution =
      solve(with_peak(0.5609, 1e-3, true), {.tolerance = 1e-9, .scheme = Scheme::gauss});
  INFO(solution.report.brief());
  REQUIRE_FALSE(solution.report.usable());
  const std::string &message = solution.report.message, words = "rounding of times alone makes ";
  const std::size_t place = message.find(words);
  REQUIRE(place != std::string::npos);
  const double of_rounding = std::stod(message.substr(place + words.size()));
  CHECK(of_rounding > 1e-9);
  CHECK(of_rounding < 1e-6);
  CHECK(solution.report.error.By > 1e3 * of_rounding);
}

TEST_CASE("rounding of times is told of schemes with stages at both ends too", "[bvp]") {
  const Solution solution =
      solve(with_peak(0.5609, 1e-3, true), {.tolerance = 1e-9, .scheme = Scheme::lobatto});
  CAPTURE(solution.report.brief());
  REQUIRE(solution.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(solution.report.message,
             contains_text("rounding of times") && contains_text("t = 0.56"));
}

TEST_CASE("what rounding makes of B y grows as steps shrink, and with the time", "[bvp]") {
  const auto told = [](double at, int intervals) {
    const Solution solution =
        solve(with_peak(at, 0.05),
              {.scheme = Scheme::radau, .stages = 5, .intervals = intervals, .alpha1 = 0});
    REQUIRE(solution.has_values());
    LinearData data = linear_data(solution);
    add_slopes(data);
    double where = -1;
    const double rounding = rounding_of_By(data, 1e-20, where);
    CHECK(std::abs(where - at) < 0.1);
    return rounding;
  };
  const double once = told(0.4, 400), twice = told(0.4, 800), later = told(0.8, 400);
  CHECK(twice / once == Approx(2).epsilon(0.1));
  CHECK(later / once == Approx(2).epsilon(0.2));
}

TEST_CASE("what rounding of x makes of B y grows with x, where nothing changes", "[bvp]") {
  const auto told = [](double size, int intervals) {
    const Solution solution = solve(
        Alike{size}, {.scheme = Scheme::radau, .stages = 3, .intervals = intervals, .alpha1 = 0});
    REQUIRE(solution.has_values());
    LinearData data = linear_data(solution);
    add_slopes(data);
    double where = -1;
    return rounding_of_By(data, 1e-30, where);
  };
  const double little = told(1, 20);
  CHECK(little > 20 * 1e-17);
  CHECK(told(1e6, 20) / little == Approx(1e6).epsilon(0.1));
  CHECK(told(1, 80) / little == Approx(4).epsilon(0.1));
}

TEST_CASE("the time where rounding is most may be negative", "[bvp]") {
  const testing::Later problem{with_peak(0.2, 0.02), -0.9};
  const Solution solution =
      solve(problem, {.scheme = Scheme::radau, .stages = 5, .intervals = 400, .alpha1 = 0});
  REQUIRE(solution.has_values());
  LinearData data = linear_data(solution);
  add_slopes(data);
  double where = 1;
  CHECK(rounding_of_By(data, 1e-20, where) > 0);
  CHECK(where == Approx(-0.7).margin(0.1));
}

TEST_CASE("where the derivative of the constraint gives B y, times are rounded without harm",
          "[bvp]") {
  const RandomProblemWithDerivatives problem = with_peak(0.5609, 1e-3);
  const Solution solution = solve(problem, {.tolerance = 1e-10});
  INFO(solution.report.brief());
  REQUIRE(solution.report.usable());
  REQUIRE(solution.regularization().alpha1 > 0);
  CHECK(error_of_By(problem, solution) < 1e-10);
}

TEST_CASE("rounding far below the tolerance is not told", "[bvp]") {
  const Solution solution = solve(with_peak(0.4, 0.1, true), {.tolerance = 1e-6});
  REQUIRE(solution.regularization().alpha1 == 0);
  REQUIRE(solution.report.usable());
  double where = -1;
  CHECK(rounding_of_By(linear_data(solution), 1e-6, where) == 0);
  CHECK(where == -1);
}

}  // namespace daewave::bvp
