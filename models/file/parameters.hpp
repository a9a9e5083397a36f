#pragma once
// Parameters of a model: numbers with names, which may be made of each other.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/expression/meaning.hpp"
#include "models/file/table_reader.hpp"

namespace daewave::models {

/// Values of a model's parameters in the order of the file, and the names of them in expressions.
class Parameters {
 public:
  Parameters() = default;
  /// @param table    of the file; null for none.
  /// @param changed  values that are taken instead of the file's.
  /// @throws ModelError  for one that is not finite, or is made of itself.
  /// @throws InvalidOption  for a change of one that is not there.
  Parameters(const TextSource& source, const Value* table,
             const std::vector<std::pair<std::string, double>>& changed);

  const std::vector<std::pair<std::string, double>>& values() const { return values_; }
  /// Null where there is none.
  const double* find(const std::string& name) const;

  /// They count something, and so does what they are made of: nothing moves smoothly with them.
  void mark_discrete(const Syntax& count);
  const std::set<std::string>& discrete() const { return discrete_; }

 private:
  class Resolution;
  std::vector<std::pair<std::string, double>> values_;
  std::map<std::string, Syntax> made_of_;
  std::set<std::string> discrete_;
};

/// Names of numbers: parameters and, inside of what is repeated, i.
class NumberNames : public Names {
 public:
  NumberNames(Graph& graph, const Parameters& parameters)
      : graph_(&graph), parameters_(&parameters) {}

  /// @param i  0: what is read is not repeated.
  void set_index(int i) { index_ = i; }
  int index() const { return index_; }

  std::optional<Ref> of(const std::string& name) override;
  std::vector<std::string> known() const override;

 protected:
  Graph& graph() { return *graph_; }

 private:
  Graph* graph_;
  const Parameters* parameters_;
  int index_ = 0;
};

/// What an expression of the file means. @throws ModelError with its place.
Ref meaning(const TextSource& source, const Written& of, Graph& graph, Names& names);

/// A number. @param what  for messages: "mass of body crank".
/// @throws ModelError  where it is none, as it depends on t or a state, or is not finite.
double number(const TextSource& source, const Written& of, Graph& graph, Names& names,
              const std::string& what);

}  // namespace daewave::models
