#pragma once
// A boundary value problem as daewave/boundary_functions.py brings it into shape.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bvp/options/options.hpp"
#include "bvp/statement/problem_family.hpp"
#include "python/module/callback.hpp"

namespace daewave::python {

/// A family over all parameters that functions of the user get.
class BoundaryStatement {
 public:
  /// @param statement  kind, nq, ny; functions_of, of p: functions by their names, as for
  ///   problem_functions_of(); conditions, of (left, right), and of p where take_parameters says
  ///   so; slopes, of the same: their derivatives by left, and beside these by right, or None;
  ///   nodes and guess, the first mesh and columns there; parameters, p; names of these, or none;
  ///   unknown, entries of p that are solved for; singular_term, or None.
  BoundaryStatement(const py::dict& statement, const std::shared_ptr<Raised>& raised);

  const bvp::ProblemFamily& family() const { return family_; }
  Mesh first_mesh() const { return Mesh(nodes_); }
  /// At how many points f was.
  long evaluated() const { return *evaluated_; }

 private:
  std::vector<double> nodes_;
  bvp::ProblemFamily family_;
  std::shared_ptr<long> evaluated_ = std::make_shared<long>(0);
};

/// @param asked  tolerance, max_nodes; variant, epsilon, stages, or None.
bvp::Options boundary_options(const py::dict& asked);

}  // namespace daewave::python
