#include "cli/initial_value/rows_between.hpp"

#include <algorithm>
#include <cmath>

#include "core/start/problem_start.hpp"

namespace daewave::cli {
namespace {

/// As many as a picture has columns of pixels.
constexpr int rows_of_a_picture = 800;

/// From a state alone.
bool knows_multipliers(const ivp::Solution& solution, const DaeProblem& problem) {
  return !solution.carries_By && problem.kind() != Kind::invariants &&
         (problem.kind() == Kind::index_2 || problem.structure().has_curvature);
}

}  // namespace

std::vector<double> times_between(const ivp::Solution& solution, int rows) {
  if (!solution.dense || solution.count() < 2 || solution.count() >= rows) return solution.t;
  const double all = std::abs(solution.t.back() - solution.t.front());
  std::vector<double> times{solution.t.front()};
  for (std::size_t i = 1; i < solution.t.size(); ++i) {
    const double begin = solution.t[i - 1], length = solution.t[i] - begin;
    const int parts = std::max(1, static_cast<int>(std::ceil(std::abs(length) / all * rows)));
    for (int k = 1; k < parts; ++k) times.push_back(begin + length * k / parts);
    times.push_back(solution.t[i]);
  }
  return times;
}

ivp::Solution with_rows_between(const ivp::Solution& solution,
                                const catalogue::InitialValueProblem& problem) {
  const std::vector<double> times = times_between(solution, rows_of_a_picture);
  ivp::Solution drawn = solution;
  if (times.size() == solution.t.size()) return drawn;
  drawn.t = times;
  drawn.states.clear();
  drawn.multipliers.clear();
  if (!knows_multipliers(solution, problem.problem())) drawn.ny = 0;
  std::size_t given = 0;
  for (const double t : times) {
    const bool is_given = t == solution.t[given];
    const int row = static_cast<int>(given);
    const VecX state = is_given ? solution.state(row) : solution.at(t);
    drawn.states.insert(drawn.states.end(), state.begin(), state.end());
    if (drawn.ny > 0) {
      VecX multiplier = VecX::Constant(drawn.ny, NAN);
      if (is_given) {
        multiplier = solution.multiplier(row);
      } else {
        const StartPolynomial there = exact_start_y(problem.problem(), state, t, 0);
        if (there.ok() && there(t).size() == drawn.ny) multiplier = there(t);
      }
      drawn.multipliers.insert(drawn.multipliers.end(), multiplier.begin(), multiplier.end());
    }
    if (is_given && given + 1 < solution.t.size()) ++given;
  }
  return drawn;
}

}  // namespace daewave::cli
