#pragma once
// Initial value problems by name. Linear boundary value problems are in
// problems/linear_catalogue.hpp; names are unique over both.

#include <functional>
#include <string>
#include <vector>

#include "catalogue/initial_value_problem.hpp"
#include "ivp/sensitivities.hpp"
#include "problems/linear_catalogue.hpp"

namespace daewave::catalogue {

using problems::Parameter;
using Parameters = std::vector<Parameter>;

struct Entry {
  std::string name;
  std::string source;   ///< Key of docs/papers.md, with the place.
  std::string summary;  ///< One line.
  Parameters parameters;
  std::function<InitialValueProblemPtr(const Parameters&)> make;
  /// Parameters that are counts or choices: nothing moves smoothly with them.
  std::vector<std::string> discrete{};
};

const std::vector<Entry>& entries();

/// Null where there is none.
const Entry* find(const std::string& name);

/// Names of this catalogue, of boundary_catalogue.hpp and of problems/linear_catalogue.hpp.
std::vector<std::string> all_names();

/// @throws InvalidOption for a parameter the problem does not have or a value it does not allow.
InitialValueProblemPtr make(const Entry& entry, const Parameters& changed = {});

/// Names of those that the motion moves with: neither discrete nor the end of the interval.
std::vector<std::string> smooth_parameters(const Entry& entry);

/// The problem for all values of some of its parameters. @param changed  as in make().
ivp::Family family_of(const Entry& entry, const Parameters& changed,
                      const std::vector<std::string>& names);

/// A linear problem with all of its conditions at the begin.
/// @throws InvalidProblem for other conditions.
InitialValueProblemPtr as_initial_value_problem(const problems::LinearProblem& problem);

}  // namespace daewave::catalogue
