#include "ivp/doors/run_setup.hpp"

#include "core/error.hpp"
#include "core/start/problem_start.hpp"

namespace daewave::ivp {

Consistency consistent(const DaeProblem& problem, VecX& start, double t, const Options& options,
                       std::vector<std::string>& warnings) {
  const double guard = options.rank_tolerance;
  Consistency found = check_start(problem, start, t, guard);
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
