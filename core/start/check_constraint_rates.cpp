#include "core/start/check_constraint_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/error.hpp"

namespace daewave {
namespace {

/// C beside r, ny x (nx + 1), around a time: at -2, -1, 0, 1 and 2 times a step.
struct Around {
  static constexpr int points = 5;
  std::array<MatX, points> values;
  double step;

  Around(const LinearDae& problem, double t, double step_) : step(step_) {
    for (int p = 0; p < points; ++p) {
      MatX C(problem.ny(), problem.nx());
      VecX r(problem.ny());
      problem.evaluate_constraint(t + (p - points / 2) * step, C, r);
      auto& both = values[static_cast<std::size_t>(p)];
      both.resize(problem.ny(), problem.nx() + 1);
      both << C, r;
    }
  }

  /// Whether entry (i, j) changes at another rate than is given, by more than its differences
  /// are apart.
  bool contradicts(double given, int i, int j, double scale) const {
    const auto [least, most] = differences(i, j);
    const double size = std::max({scale, std::abs(given), std::abs(least), std::abs(most)});
    const double margin = 0.01 * size + 2 * (most - least);
    return given < least - margin || given > most + margin;
  }
  double middle(int i, int j) const {
    const auto [least, most] = differences(i, j);
    return (least + most) / 2;
  }

 private:
  struct Range {
    double least, most;
  };

  Range differences(int i, int j) const {
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t p = 1; p < points; ++p) {
      const double each = (values[p](i, j) - values[p - 1](i, j)) / step;
      range.least = std::min(range.least, each);
      range.most = std::max(range.most, each);
    }
    return range;
  }
};

}  // namespace

void check_constraint_rates(const LinearDae& problem) {
  if (!problem.has_constraint_derivatives() || problem.ny() == 0) return;
  const Interval& all = problem.interval();
  // Of no simple part of the interval, where something may be special.
  const double times[] = {all.begin + 0.1382 * all.length(), all.begin + 0.5279 * all.length(),
                          all.begin + 0.8647 * all.length()};
  CoefficientBatch given(problem.nx(), problem.ny(), true);
  problem.evaluate(times, static_cast<int>(std::size(times)), given);
  const double unit = std::min(1.0, all.length());
  for (int k = 0; k < given.points(); ++k) {
    const double t = times[k];
    // Closer times are not told apart; where these are far apart, nothing is known of what moves.
    const double close = std::max(1e-6 * unit, 1e-12 * std::abs(t));
    if (close > 1e-5 * unit) continue;
    const Around near(problem, t, close), far(problem, t, 1e3 * close);
    MatX rates(problem.ny(), problem.nx() + 1);
    rates << given.C_t(k), given.r_t(k);
    for (int i = 0; i < rates.rows(); ++i) {
      // Beside what a row is, and what of it moves, the rest may be rounding.
      const double scale = std::max(1e-6 / unit * near.values[0].row(i).cwiseAbs().maxCoeff(),
                                    1e-3 * rates.row(i).cwiseAbs().maxCoeff());
      for (int j = 0; j < rates.cols(); ++j) {
        const double rate = rates(i, j);
        if (!near.contradicts(rate, i, j, scale) || !far.contradicts(rate, i, j, scale)) continue;
        const bool of_C = j < problem.nx();
        throw InvalidProblem(fmt::format(
            "the derivatives given contradict the constraint: {} at t = {:.10g}: given {:.10g}, "
            "differences give {:.10g}; correct it, or leave C_t and r_t out and wrap the problem "
            "in with_differences()",
            of_C ? fmt::format("C_t row {}, column {}", i + 1, j + 1)
                 : fmt::format("r_t row {}", i + 1),
            t, rate, far.middle(i, j)));
      }
    }
  }
}

}  // namespace daewave
