#include "core/start/check_constraint_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/start/difference_range.hpp"

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

  DifferenceRange rates(int i, int j) const {
    DifferenceRange range;
    for (std::size_t p = 1; p < points; ++p) {
      range.see((values[p](i, j) - values[p - 1](i, j)) / step);
    }
    return range;
  }
};

/// What a problem gives at a time, and its constraint around that, by steps of two sizes and by one
/// that is far shorter.
struct AtOneTime {
  double t;
  MatX rates;  ///< C_t beside r_t.
  Around near, far, close;

  /// By both sizes, which say the same; where they are too long for what is there, the shortest
  /// step says what is given, or nothing.
  bool contradicts(int i, int j, double unit) const {
    const double given = rates(i, j);
    // Beside what a row is, and what of it moves, the rest may be rounding.
    const double scale = std::max(1e-6 / unit * near.values[0].row(i).cwiseAbs().maxCoeff(),
                                  1e-3 * rates.row(i).cwiseAbs().maxCoeff());
    const DifferenceRange by_near = near.rates(i, j), by_far = far.rates(i, j);
    if (!by_near.contradicts(given, scale) || !by_far.contradicts(given, scale)) return false;
    const double one = by_near.middle(), other = by_far.middle();
    const double alike =
        0.1 * std::max(std::abs(one), std::abs(other)) + 1e-3 * std::abs(given) + 1e-2 * scale;
    return std::abs(one - other) <= alike && close.rates(i, j).contradicts(given, scale);
  }
};

std::vector<AtOneTime> look(const LinearDae& problem) {
  const Interval& all = problem.interval();
  // Of no simple part of the interval, where something may be special.
  const double times[] = {all.begin + 0.1382 * all.length(), all.begin + 0.5279 * all.length(),
                          all.begin + 0.8647 * all.length()};
  CoefficientBatch given(problem.nx(), problem.ny(), true);
  problem.evaluate(times, static_cast<int>(std::size(times)), given);
  const double unit = std::min(1.0, all.length());
  std::vector<AtOneTime> looked;
  for (int k = 0; k < given.points(); ++k) {
    const double t = times[k];
    // Closer times are not told apart; where these are far apart, nothing is known of what moves.
    const double step = std::max(1e-6 * unit, 1e-12 * std::abs(t));
    if (step > 1e-5 * unit) continue;
    MatX rates(problem.ny(), problem.nx() + 1);
    rates << given.C_t(k), given.r_t(k);
    looked.push_back({t, std::move(rates), Around(problem, t, step), Around(problem, t, 1e3 * step),
                      Around(problem, t, 1e-2 * step)});
  }
  return looked;
}

}  // namespace

void check_constraint_rates(const LinearDae& problem) {
  if (!problem.has_constraint_derivatives() || problem.ny() == 0) return;
  std::vector<AtOneTime> looked;
  try {
    looked = look(problem);
  } catch (const InvalidProblem&) {
    return;  // What cannot be evaluated is for the solve to tell, which finds the first such place.
  }
  const double unit = std::min(1.0, problem.interval().length());
  for (const AtOneTime& at : looked) {
    for (int i = 0; i < at.rates.rows(); ++i) {
      for (int j = 0; j < at.rates.cols(); ++j) {
        if (!at.contradicts(i, j, unit)) continue;
        const bool of_C = j < problem.nx();
        throw InvalidProblem(fmt::format(
            "derivatives contradict the constraint: {} at t = {:.10g}: is {:.10g}, long "
            "differences give {:.10g}; if given, correct it, or leave C_t and r_t out and wrap the "
            "problem in with_differences(); if by differences, give it, as the constraint moves "
            "faster than they see",
            of_C ? fmt::format("C_t row {}, column {}", i + 1, j + 1)
                 : fmt::format("r_t row {}", i + 1),
            at.t, at.rates(i, j), at.far.rates(i, j).middle()));
      }
    }
  }
}

}  // namespace daewave
