#pragma once
// Names of a DAE in expressions: parameters, t, the state, algebraic unknowns, and what [dae.where]
// says.

#include <map>
#include <string>
#include <vector>

#include "models/dae/statement.hpp"

namespace daewave::models {

class DaeNames final : public NumberNames {
 public:
  /// Variables are t, the entries of the state, then the algebraic unknowns.
  /// @throws ModelError  of [dae.where].
  DaeNames(Graph& graph, const Parameters& parameters, const DaeStatement& statement,
           const TextSource& source);

  std::optional<Ref> of(const std::string& name) override;
  std::vector<std::string> known() const override;

 private:
  std::map<std::string, int> variable_of_;
  std::map<std::string, Ref> meaning_of_;  ///< Of [dae.where].
};

}  // namespace daewave::models
