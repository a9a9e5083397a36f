#pragma once
// Boundary value problems that depend on parameters p, some of which may be unknown:
//
//   bvp::ProblemFamily bratu{
//       .member = [](const VecX& p) { return bvp::boundary_problem_of(Bratu{.factor = p[0]}); },
//       .p = VecX{{1.0}}, .names = {"factor"}};
//   bvp::solve(bratu);                              // of factor = 1
//   bvp::follow(bratu, {.parameter = "factor", .to = 3.5});   bvp/continuation/follow.hpp

#include <functional>
#include <string>
#include <vector>

#include "bvp/statement/boundary_problem.hpp"

namespace daewave::bvp {

/// A problem for each p. All of it may depend on p: equations, conditions, guess; the interval too,
/// where p is known.
struct ProblemFamily {
  /// Of the same kind and sizes for every p. It may throw InvalidOption for p that it does not
  /// allow, and is called often where parameters are unknown.
  std::function<BoundaryProblem(const VecX& p)> member{};
  VecX p{};                          ///< Values; of unknown parameters a guess.
  std::vector<std::string> names{};  ///< Of the entries of p; where there are none: p1, p2, ...
  /// Entries of p that are solved for together with x: there is one more condition for each.
  std::vector<int> unknown{};
  /// Where ranks share meshes and functions of the members need what other ranks have: called by
  /// all of them together, each with the times from which to which it will call these functions
  /// next. At the ends of the interval they may be called before.
  std::function<void(double begin, double end)> attend{};
};

/// names[i], or its number.
std::string parameter_name(const ProblemFamily& family, int i);

/// The entry of p with that name. @throws InvalidOption naming those there are.
int parameter_named(const ProblemFamily& family, const std::string& name);

/// @throws InvalidProblem for a family without members, names that are not as many as p, or unknown
///         parameters that are out of range or there twice.
void check(const ProblemFamily& family);

}  // namespace daewave::bvp
