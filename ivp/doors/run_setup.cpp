#include "ivp/doors/run_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/start/problem_start.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

Consistency consistent(const DaeProblem& problem, VecX& start, double t, const Options& options,
                       std::vector<std::string>& warnings) {
  const double guard = options.rank_tolerance;
  Consistency found = check_start(problem, start, t, guard, options.start_tolerance);
  if (found.ok(options.start_tolerance)) return found;
  if (!found.not_finite.empty()) {
    throw InvalidProblem("start: " + found.text(options.start_tolerance));
  }
  if (!options.repair_start) {
    throw InvalidProblem(found.text(options.start_tolerance) + ", or by repair_start = true");
  }
  const StartRepair repair = repair_start(problem, start, t, options.start_tolerance, guard);
  if (!repair.ok) throw InvalidProblem("start: " + repair.failure);
  warnings.push_back("the start was moved to the constraints: position by " +
                     std::to_string(repair.position) + ", velocity by " +
                     std::to_string(repair.velocity) + ", max norm");
  return repair.consistency;
}

Options with_atol(const Options& options, const VecX& z, bool second_order, const Interval& span,
                  std::vector<Choice>& choices) {
  if (options.h || options.atol || !options.atol_each.empty()) return options;
  const int n = static_cast<int>(z.size()), half = second_order ? n / 2 : n;
  const double all = largest_size(z);
  const double positions = largest_size(z.head(half)), velocities = largest_size(z.tail(n - half));
  constexpr double part = 1e-2;
  const double slowest = part * positions / std::abs(span.length());
  Options with = options;
  for (int i = 0; i < n; ++i) {
    const double kind = i < half ? positions : velocities;
    double least = kind > 0 ? 0.01 * kind : all;
    if (i >= half) least = std::max(least, slowest);
    const double size = std::max(std::abs(z[i]), least);
    with.atol_each.push_back(absolute_of(options, size > 0 ? size : 1));
  }
  const auto [least, most] = std::minmax_element(with.atol_each.begin(), with.atol_each.end());
  const double low = *least, high = *most;
  if (low == high) {
    with.atol_each.clear();
    with.atol = low;
  }
  for (Choice& choice : choices) {
    if (choice.name != "atol") continue;
    choice.value = low == high ? fmt::format("{:g}", low) : fmt::format("{:g} to {:g}", low, high);
  }
  return with;
}

Monitors monitors_of(const DaeProblem& problem, const Options& options) {
  Monitors monitors;
  monitors.second_order = problem.has_velocity();
  monitors.drift = options.monitor;
  if (problem.structure().has_energy && options.monitor) {
    monitors.energy = [&problem](double, const VecX& z) {
      return problem.energy(z.data(), z.data() + problem.sizes().nq);
    };
  }
  return monitors;
}

bool is_reducible(const DaeProblem& problem) {
  return problem.kind() == Kind::index_2 || problem.structure().has_curvature;
}

}  // namespace daewave::ivp
