#pragma once
// How the end of a run moves with its start and with parameters of its problem, by differences of
// runs whose starts are brought back to the constraints.
//
//   const auto moved = ivp::sensitivities(problem, start, {0, 10});
//   moved.start.col(2);   // by entry 2 of the start

#include <functional>

#include "core/adapt/problem_of.hpp"
#include "core/problem/dae_problem.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

struct Sensitivities {
  Solution solution;  ///< The run itself; not usable: nothing else is there.
  /// Column i: the derivative of the end by entry i of the start, which is brought back to the
  /// constraints by the nearest correction; nz x nz. Directions off the constraints give what their
  /// tangential parts do.
  MatX start;
  MatX parameters;  ///< Column i: by parameter i; nz x their number.
  /// How far two differences were apart, of the worst column, relative to its largest entry.
  double error = 0;
};

/// A problem and where it starts.
struct Member {
  DaeProblemPtr problem;
  VecX start;
};
using Family = std::function<Member(const VecX& parameters)>;

/// By all entries of the start. Takes about 16 runs for each, all to rtol = 1e-13.
///
/// @param options  its method is that of all runs; rtol and outputs are those of the run itself.
/// @throws InvalidOption for a fixed h, which has no differences to these digits, and as solve();
///         InvalidProblem as solve(), and where a start beside it cannot be brought back.
Sensitivities sensitivities(const DaeProblem& problem, const VecX& start, const Interval& span,
                            const Options& options = {});

/// By parameters, and by the start of the member.
/// @param family  what it gives has to depend smoothly on the parameters; a start that leaves the
///                constraints is brought back.
Sensitivities sensitivities(const Family& family, const VecX& parameters, const Interval& span,
                            const Options& options = {});

}  // namespace daewave::ivp
