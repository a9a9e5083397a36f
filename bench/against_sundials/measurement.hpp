#pragma once
// What is measured: one run, the runs of one solver over tolerances, and where they reach an error.

#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace daewave::bench {

/// The end of one run.
struct Outcome {
  bool finished = false;
  VecX state;            ///< (q, v).
  long evaluations = 0;  ///< Of the right-hand side or residual, with those for Jacobians.
  long jacobians = 0;
  long steps = 0;
};

/// One tolerance of one solver on one case.
struct Run {
  double tolerance = 0;
  double error = 0;    ///< Largest of |error_i| / (1 + |exact_i|) in q and v at the end.
  double seconds = 0;  ///< CPU time, the best of all repetitions.
  long evaluations = 0;
  long jacobians = 0;
  long steps = 0;
  bool finished = false;
};

struct Curve {
  std::string solver;
  std::vector<Run> runs;  ///< From loose to tight tolerances.
};

struct CaseResult {
  std::string name;
  std::string description;
  std::vector<Curve> curves;
};

/// A solver that is not through after these many steps has left the solution.
inline constexpr long most_steps = 300000;

/// CPU seconds of the process.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// CPU time at which a solver reaches `error`: least squares line in the logarithms through the
/// runs whose errors are within a factor of `around` of it, as single errors are erratic. Empty
/// where fewer than three are, or none on one of its sides.
std::optional<double> seconds_at(const Curve& curve, double error, double around = 300);

}  // namespace daewave::bench
