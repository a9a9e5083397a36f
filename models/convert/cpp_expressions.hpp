#pragma once
// Expressions of a graph as statements of C++, to the same bits: what is used twice has a name.

#include <functional>
#include <string>
#include <vector>

#include "models/expression/graph.hpp"

namespace daewave::models {

/// An expression and what it is assigned to, "out[0]".
struct Assignment {
  std::string to;
  Ref value;
};

/// Lines, each indented by four blanks; names a1, a2, ... come before what has them in it.
/// @param variables  of each variable its name, "q[0]".
std::string cpp_statements(const Graph& graph, const std::vector<Assignment>& assignments,
                           const std::function<std::string(int variable)>& variables);

/// Whether lines of C++ have a name in them, as a word.
bool is_named_in(const std::string& lines, const std::string& name);

/// A number that reads back as the same double, and as no integer.
std::string cpp_number(double value);

}  // namespace daewave::models
