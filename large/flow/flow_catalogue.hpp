#pragma once
// Flows by name.

#include <string>
#include <vector>

#include "large/flow/flow_problem.hpp"
#include "problems/linear_catalogue.hpp"

namespace daewave::flow {

using problems::Parameter;

struct FlowEntry {
  std::string name;
  std::string source;   ///< Key of docs/papers.md, with the place.
  std::string summary;  ///< One line.
  std::string equations, coordinates, units;
  std::vector<Parameter> parameters;  ///< re, cells, t-end.
};

const std::vector<FlowEntry>& flow_entries();
/// Null where there is none.
const FlowEntry* find_flow(const std::string& name);

/// A problem with its interval.
struct NamedFlow {
  FlowProblem problem;
  Interval interval;
  double re = 0;
};

/// @throws InvalidOption for a parameter the flow does not have or a value it does not allow.
NamedFlow make(const FlowEntry& entry, const std::vector<Parameter>& changed,
               Convection convection = Convection::extrapolated);

}  // namespace daewave::flow
