#pragma once
// Nonlinear boundary value problems by name, their types forgotten once per solve. Names are unique
// over all catalogues.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bvp/nonlinear/options.hpp"
#include "bvp/nonlinear/solution.hpp"
#include "problems/catalogue.hpp"

namespace daewave::catalogue {

class BoundaryProblem {
 public:
  virtual ~BoundaryProblem() = default;

  virtual std::string name() const = 0;
  virtual Interval interval() const = 0;
  virtual int nx() const = 0;
  /// "index 2", "index 3", "index 1", "ordinary".
  virtual std::string kind() const = 0;
  /// @throws InvalidOption, InvalidProblem as bvp::solve_nonlinear().
  virtual bvp::NonlinearSolution solve(const bvp::NonlinearOptions& options) const = 0;
  /// x at t, where it is known.
  virtual std::optional<VecX> exact(double t) const = 0;
};

using BoundaryProblemPtr = std::shared_ptr<const BoundaryProblem>;

struct BoundaryEntry {
  std::string name;
  std::string source;   ///< Key of docs/papers.md, with the place.
  std::string summary;  ///< One line.
  std::vector<problems::Parameter> parameters;
  std::function<BoundaryProblemPtr(const std::vector<problems::Parameter>&)> make;
};

const std::vector<BoundaryEntry>& boundary_entries();

/// Null where there is none.
const BoundaryEntry* find_boundary(const std::string& name);

/// @throws InvalidOption for a parameter the problem does not have or a value it does not allow.
BoundaryProblemPtr make(const BoundaryEntry& entry,
                        const std::vector<problems::Parameter>& changed = {});

}  // namespace daewave::catalogue
