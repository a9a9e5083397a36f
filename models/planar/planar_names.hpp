#pragma once
// Names of a mechanism in the plane in expressions: parameters, t, and of each body
//
//   crank.x  crank.y  crank.phi,  crank.x'  crank.y'  crank.phi'  their rates.

#include <map>
#include <string>
#include <vector>

#include "models/planar/mechanism.hpp"
#include "models/problem/variables.hpp"

namespace daewave::models {

/// Of the entries of (q, v).
std::vector<std::string> planar_state_names(const PlanarMechanism& mechanism);

/// In m, rad and s.
std::vector<std::string> planar_state_units(const PlanarMechanism& mechanism);

class PlanarNames final : public NumberNames {
 public:
  PlanarNames(Graph& graph, const Parameters& parameters, const PlanarMechanism& mechanism,
              const Variables& variables);

  std::optional<Ref> of(const std::string& name) override;
  std::vector<std::string> known() const override;

 private:
  std::map<std::string, int> variable_of_;
};

}  // namespace daewave::models
