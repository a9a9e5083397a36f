// Layers of several widths at both ends, which components share: y'' = A y + B y' of which the
// modes are given, from y at both ends. Within an interval some modes are stiff, others are not,
// and some are just where one becomes the other.

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "bvp/solve.hpp"
#include "problems/boundary_layers.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

template <int m>
struct LayersOfModes {
  using State = Vec<2 * m>;
  Mat<m, m> shared, of_y, of_slope;
  Vec<m> decaying, growing, of_decaying, of_growing;  ///< Rates; parts, of one at their ends.

  explicit LayersOfModes(std::mt19937& random) {
    const auto number = [&](double from, double to) {
      return std::uniform_real_distribution<>(from, to)(random);
    };
    const bool damped = number(0, 1) < 0.5;
    Vec<m> sums, products;
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) shared(i, j) = number(-1, 1) + (i == j ? 1.5 : 0);
      const double rate = std::pow(10, number(-0.3, 3));
      const double off = damped ? number(-0.8, 0.8) : 0;
      decaying[i] = -rate * std::exp(-off);
      growing[i] = rate * std::exp(off);
      sums[i] = decaying[i] + growing[i];
      products[i] = -decaying[i] * growing[i];
      of_decaying[i] = number(-1, 1);
      of_growing[i] = number(-1, 1);
    }
    const Mat<m, m> inverse = shared.inverse();
    of_y = shared * products.asDiagonal() * inverse;
    of_slope = shared * sums.asDiagonal() * inverse;
  }

  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const {
    State slope;
    slope << x.template tail<m>(), of_y * x.template head<m>() + of_slope * x.template tail<m>();
    return slope;
  }
  State x(double t) const {
    Vec<m> w, slope;
    for (int i = 0; i < m; ++i) {
      const double left = of_decaying[i] * std::exp(decaying[i] * t);
      const double right = of_growing[i] * std::exp(growing[i] * (t - 1));
      w[i] = left + right;
      slope[i] = decaying[i] * left + growing[i] * right;
    }
    State both;
    both << shared * w, shared * slope;
    return both;
  }
  State conditions(const State& left, const State& right) const {
    State off;
    off << left.template head<m>() - x(0).template head<m>(),
        right.template head<m>() - x(1).template head<m>();
    return off;
  }
};

/// Relative to 1 + the largest value of each component.
template <int m>
double largest_error(const LayersOfModes<m>& problem, const Solution& solution) {
  VecX error = VecX::Zero(2 * m), size = VecX::Zero(2 * m);
  for (int p = 0; p <= 800; ++p) {
    // Close to both ends too.
    const double part = p / 800.0, near = std::pow(part, 4);
    for (const double t : {part, near, 1 - near}) {
      const VecX exact = problem.x(t);
      error = error.cwiseMax((solution.x(t) - exact).cwiseAbs());
      size = size.cwiseMax(exact.cwiseAbs());
    }
  }
  return (error.array() / (1 + size.array())).maxCoeff();
}

/// Errors of `count` problems, in units of their tolerances.
template <int m>
std::vector<double> errors_of_random(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::vector<double> errors;
  for (int i = 0; i < count; ++i) {
    const LayersOfModes<m> problem(random);
    const double tolerance = std::pow(10, std::uniform_real_distribution<>(-7, -1.5)(random));
    const Solution solution = solve(problem, {.tolerance = tolerance});
    CAPTURE(m, i, tolerance, solution.report.full());
    CHECK(solution.report.usable());
    if (!solution.report.usable()) continue;
    errors.push_back(largest_error(problem, solution) / tolerance);
    CHECK(errors.back() <= 4);
  }
  return errors;
}

}  // namespace

TEST_CASE("layers of modes that all components share are found to any tolerance", "[nonlinear]") {
  std::vector<double> errors = errors_of_random<1>(1, 120);
  for (const std::vector<double>& more : {errors_of_random<2>(2, 80), errors_of_random<3>(3, 40)}) {
    errors.insert(errors.end(), more.begin(), more.end());
  }
  const auto above = std::count_if(errors.begin(), errors.end(), [](double e) { return e > 1; });
  CHECK(above <= static_cast<std::ptrdiff_t>(errors.size() / 50));
}

TEST_CASE("a layer is found to any tolerance, however long its intervals are", "[nonlinear]") {
  // Where h is about 4 sqrt(e), of e y'' = y, errors of up to 19 tolerances were not seen.
  for (int k = 0; k < 60; ++k) {
    problems::LayerAtBegin layer;
    layer.e = std::pow(10, -1 - k / 12.0);
    for (int l = 0; l < 8; ++l) {
      const double tolerance = std::pow(10, -1.25 - l / 2.0);
      const Solution solution = solve(layer, {.tolerance = tolerance});
      CAPTURE(layer.e, tolerance, solution.report.full());
      REQUIRE(solution.report.usable());
      double error = 0, error_of_slope = 0;
      const double rate = 1 / std::sqrt(layer.e);
      for (int p = 0; p <= 400; ++p) {
        const double t = std::pow(p / 400.0, 2);
        const VecX exact = layer.x_exact(t);
        const VecX off = (solution.x(t) - exact).cwiseAbs();
        error = std::max(error, off[0] / 2);
        error_of_slope = std::max(error_of_slope, off[1] / (1 + rate));
      }
      CHECK(std::max(error, error_of_slope) <= tolerance);
    }
  }
}

}  // namespace daewave::bvp
