// BDF with projection beside CVODE's BDF with projection: right-hand sides and CPU time for the
// same error.
//
//   daewave_bench_bdf [repetitions]
//
// Single errors at a single time are erratic: what counts as error of a tolerance is the root mean
// square over several ends of the interval, and solvers are compared on least squares lines through
// tolerances. All take turns within a repetition; the best CPU times are kept.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "bench/against_sundials/cvode_of_system.hpp"
#include "bench/against_sundials/cvode_solver.hpp"
#include "core/adapt/problem_of.hpp"
#include "ivp/doors/solve_multistep.hpp"
#include "ivp/reduced/reduced_invariant.hpp"
#include "ivp/solve.hpp"
#include "problems/pendulum.hpp"
#include "problems/wheelset.hpp"

namespace daewave::bench {
namespace {

using Solver = std::function<Outcome(double t_end, double tolerance)>;

struct Case {
  std::string name;
  std::vector<double> ends;
  std::function<VecX(double t)> exact;
  Solver ours, cvode;
};

ivp::Options options_of(double tolerance) {
  ivp::Options options;
  options.atol = options.rtol = tolerance;
  options.every = 0;
  options.multipliers = false;
  options.monitor = false;
  return options;
}

Outcome outcome_of(const ivp::Solution& solution) {
  const IntegrationReport& went = solution.report.integration;
  return {solution.report.usable(), solution.end(), went.evaluations, 0,
          went.steps + went.rejected};
}

Case pendulum_case() {
  static const problems::Pendulum pendulum;
  const double period = pendulum.period();
  Case one{"pendulum, 10 periods and a part of one", {}, {}, {}, {}};
  for (double part : {0.0, 0.13, 0.29, 0.37, 0.51, 0.66, 0.83}) {
    one.ends.push_back((10 + part) * period);
  }
  one.exact = [](double t) { return VecX(pendulum.z_exact(t)); };
  one.ours = [](double t, double tolerance) {
    return outcome_of(ivp::solve_bdf(*problem_of(pendulum), pendulum.start(), {0, t},
                                     ivp::BdfProjection{}, options_of(tolerance),
                                     ivp::Monitors{.drift = false}));
  };
  one.cvode = [](double t, double tolerance) {
    problems::Pendulum same;
    same.t_end = t;
    return CvodeSolver<problems::Pendulum>(same, CvodeMethod::bdf_newton).run(tolerance);
  };
  return one;
}

Outcome wheelset_by_bdf(const problems::Wheelset& wheelset, double t, double tolerance) {
  ivp::Options options = options_of(tolerance);
  options.method = ivp::BdfProjection{};
  options.monitor = false;
  return outcome_of(
      ivp::solve(wheelset, wheelset.start(), wheelset.start_algebraic(), {0, t}, options));
}

/// The reference is our own run at 1e-12. Friction has kinks, which all solvers notice.
Case wheelset_case() {
  static const problems::Wheelset wheelset;
  Case one{"wheelset, 1 s and less", {0.8, 0.85, 0.9, 0.95, 1.0}, {}, {}, {}};
  one.exact = [](double t) { return wheelset_by_bdf(wheelset, t, 1e-12).state; };
  one.ours = [](double t, double tolerance) { return wheelset_by_bdf(wheelset, t, tolerance); };
  one.cvode = [](double t, double tolerance) {
    using System = ivp::ReducedInvariant<problems::Wheelset>;
    System system(wheelset, ivp::ReductionKind::underlying);
    system.start_algebraic(wheelset.start_algebraic());
    const auto rhs = [&](double at, const VecX& state, VecX& out) {
      return system.rhs(at, state, out);
    };
    const auto invariants =
        ivp::dae_system_of(wheelset, wheelset.start(), wheelset.start_algebraic(), 0);
    return CvodeOfSystem(rhs, *invariants).run(wheelset.start(), t, tolerance);
  };
  return one;
}

/// One tolerance over all ends.
void measure(const Solver& solver, const std::vector<double>& ends, const std::vector<VecX>& exact,
             Run& run, bool first) {
  double square = 0, seconds = 0;
  long evaluations = 0, steps = 0;
  run.finished = true;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const double before = cpu_seconds();
    const Outcome outcome = solver(ends[i], run.tolerance);
    seconds += cpu_seconds() - before;
    run.finished = run.finished && outcome.finished;
    const VecX error =
        ((outcome.state - exact[i]).array().abs() / (1 + exact[i].array().abs())).matrix();
    square += std::pow(error.maxCoeff(), 2);
    evaluations += outcome.evaluations;
    steps += outcome.steps;
  }
  const double count = static_cast<double>(ends.size());
  run.error = std::sqrt(square / count);
  run.evaluations = std::lround(static_cast<double>(evaluations) / count);
  run.steps = std::lround(static_cast<double>(steps) / count);
  run.seconds = first ? seconds / count : std::min(run.seconds, seconds / count);
}

/// The same curve with right-hand sides in the place of seconds.
Curve by_evaluations(Curve curve) {
  for (Run& run : curve.runs) run.seconds = static_cast<double>(run.evaluations);
  return curve;
}

void compare(const Case& one, int repetitions) {
  std::vector<VecX> exact;
  for (double t : one.ends) exact.push_back(one.exact(t));
  Curve ours{"bdf-projection", {}}, cvode{"CVODE", {}};
  for (int half_digits = 6; half_digits <= 22; ++half_digits) {
    Run run;
    run.tolerance = std::pow(10.0, -0.5 * half_digits);
    ours.runs.push_back(run);
    cvode.runs.push_back(run);
  }
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t i = 0; i < ours.runs.size(); ++i) {
      measure(one.ours, one.ends, exact, ours.runs[i], repetition == 0);
      measure(one.cvode, one.ends, exact, cvode.runs[i], repetition == 0);
    }
  }
  fmt::print("{}\n", one.name);
  fmt::print("{:>9} | {:^34} | {:^34}\n", "tolerance", "bdf-projection",
             "CVODE 6.4, BDF, projected");
  for (std::size_t i = 0; i < ours.runs.size(); ++i) {
    const auto text = [](const Run& run) {
      return fmt::format("{:.1e} {:>6} rhs {:>6} steps {:>6.0f} us", run.error, run.evaluations,
                         run.steps, 1e6 * run.seconds);
    };
    fmt::print("{:>9.1e} | {} | {}\n", ours.runs[i].tolerance, text(ours.runs[i]),
               text(cvode.runs[i]));
  }
  fmt::print("{:>9} | {:^24} | {:^24}\n", "error", "rhs ours, CVODE, ratio",
             "us ours, CVODE, ratio");
  for (int digits = 3; digits <= 8; ++digits) {
    const double error = std::pow(10.0, -digits);
    const auto mine = seconds_at(ours, error), other = seconds_at(cvode, error);
    const auto my_rhs = seconds_at(by_evaluations(ours), error),
               other_rhs = seconds_at(by_evaluations(cvode), error);
    if (!mine || !other) continue;
    fmt::print("{:>9.0e} | {:>7.0f} {:>7.0f} {:>8.2f} | {:>7.0f} {:>7.0f} {:>8.2f}\n", error,
               *my_rhs, *other_rhs, *other_rhs / *my_rhs, 1e6 * *mine, 1e6 * *other,
               *other / *mine);
  }
}

}  // namespace
}  // namespace daewave::bench

int main(int argc, char** argv) {
  CLI::App app{
      "BDF with projection beside CVODE's: right-hand sides and CPU time for the same error"};
  int repetitions = 5;
  app.add_option("repetitions", repetitions, "Of each run, of which the least counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    daewave::bench::compare(daewave::bench::pendulum_case(), repetitions);
    daewave::bench::compare(daewave::bench::wheelset_case(), repetitions);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
