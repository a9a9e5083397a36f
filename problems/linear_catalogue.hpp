#pragma once
// Linear boundary value problems by name: what the command line, the tests and the benchmarks run
// over; and what all catalogues say of a parameter.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/problem/linear_dae.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// A number a problem can be made with, such as the end of the interval.
struct Parameter {
  std::string name;
  double value = 0;  ///< Default, or the value to use.
  std::string meaning;
};

/// A linear boundary value DAE with what is known of it.
struct LinearProblem {
  std::shared_ptr<const LinearDae> dae;
  std::function<VecX(double)> x_exact;   ///< Empty where no exact solution is known.
  std::function<VecX(double)> By_exact;  ///< In the sign of x' = A x - B y + q.
};

/// One line of the catalogue.
struct LinearEntry {
  std::string name;
  std::string source;   ///< Key of docs/papers.md, with the place.
  std::string summary;  ///< One line.
  std::vector<Parameter> parameters;
  std::function<LinearProblem(const std::vector<Parameter>&)> make;
};

const std::vector<LinearEntry>& linear_entries();

/// @throws InvalidOption naming the nearest of the known problems, or all where none is near.
const LinearEntry& entry_named(const std::string& name);
/// The same, where other problems are known too. @param known  the names of all.
const LinearEntry& entry_named(const std::string& name, const std::vector<std::string>& known);

/// Parameters of the problem `owner` with some changed.
/// @throws InvalidOption for one it does not have.
std::vector<Parameter> with_changes(const std::string& owner, std::vector<Parameter> parameters,
                                    const std::vector<Parameter>& changed);

/// Makes a problem, with some parameters changed.
/// @throws InvalidOption for a parameter the problem does not have or a value it does not allow.
LinearProblem make(const LinearEntry& entry, const std::vector<Parameter>& changed = {});

}  // namespace daewave::problems
