#pragma once
// Names of a mechanism in expressions: parameters, t, the entries of its state, such as crank.x and
// crank.phi', and what is made of these.

#include <map>
#include <string>
#include <vector>

#include "models/file/parameters.hpp"
#include "models/problem/variables.hpp"

namespace daewave::models {

class StateNames final : public NumberNames {
 public:
  /// @param names  of the entries of (q, v).
  StateNames(Graph& graph, const Parameters& parameters, const std::vector<std::string>& names,
             const Variables& variables);

  /// One more name.
  void add(const std::string& name, Ref of) { ref_of_[name] = of; }

  std::optional<Ref> of(const std::string& name) override;
  std::vector<std::string> known() const override;

 private:
  std::map<std::string, Ref> ref_of_;
};

}  // namespace daewave::models
