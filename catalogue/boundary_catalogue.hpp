#pragma once
// Nonlinear boundary value problems by name. Names are unique over all catalogues.

#include <functional>
#include <string>
#include <vector>

#include "bvp/statement/boundary_problem.hpp"
#include "bvp/statement/problem_family.hpp"
#include "problems/linear_catalogue.hpp"

namespace daewave::catalogue {

struct BoundaryEntry {
  std::string name;
  std::string source;   ///< Key of docs/papers.md, with the place.
  std::string summary;  ///< One line.
  std::vector<problems::Parameter> parameters;
  std::function<bvp::BoundaryProblem(const std::vector<problems::Parameter>&)> make;
};

const std::vector<BoundaryEntry>& boundary_entries();

/// Null where there is none.
const BoundaryEntry* find_boundary(const std::string& name);

/// @throws InvalidOption for a parameter the problem does not have or a value it does not allow.
bvp::BoundaryProblem make(const BoundaryEntry& entry,
                          const std::vector<problems::Parameter>& changed = {});

/// The problem for all values of its parameters, some of them changed.
/// @throws InvalidOption as make().
bvp::ProblemFamily family_of(const BoundaryEntry& entry,
                             const std::vector<problems::Parameter>& changed = {});

}  // namespace daewave::catalogue
