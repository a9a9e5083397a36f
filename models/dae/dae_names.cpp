#include "models/dae/dae_names.hpp"

namespace daewave::models {

DaeNames::DaeNames(Graph& graph, const Parameters& parameters, const DaeStatement& statement,
                   const TextSource& source)
    : NumberNames(graph, parameters) {
  int variable = 0;
  variable_of_["t"] = variable++;
  // (q, v) of order 2 follow each other as the entries of x do.
  for (const std::string& name : statement.state_names()) variable_of_[name] = variable++;
  for (const Said& one : statement.algebraic) variable_of_[one.name] = variable++;
  for (const Said& one : statement.where) {
    meaning_of_[one.name] = meaning(source, one.of, graph, *this);
  }
}

std::optional<Ref> DaeNames::of(const std::string& name) {
  const auto meant = meaning_of_.find(name);
  if (meant != meaning_of_.end()) return meant->second;
  const auto found = variable_of_.find(name);
  return found != variable_of_.end() ? graph().variable(found->second) : NumberNames::of(name);
}

std::vector<std::string> DaeNames::known() const {
  std::vector<std::string> all = NumberNames::known();
  for (const auto& [name, variable] : variable_of_) all.push_back(name);
  for (const auto& [name, of] : meaning_of_) all.push_back(name);
  return all;
}

}  // namespace daewave::models
