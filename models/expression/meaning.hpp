#pragma once
// What an expression says where names have a meaning: its operations in a graph.

#include <optional>
#include <string>
#include <vector>

#include "models/expression/graph.hpp"
#include "models/expression/syntax.hpp"

namespace daewave::models {

/// What names mean at one place of a model.
class Names {
 public:
  virtual ~Names() = default;
  /// Empty: there is no such name.
  virtual std::optional<Ref> of(const std::string& name) = 0;
  /// A function beyond the elementary ones, as x(0) of a condition; empty: there is none.
  virtual std::optional<Ref> call(const Syntax& call);
  /// For messages.
  virtual std::vector<std::string> known() const = 0;
};

/// The names of nothing: expressions of numbers.
class NoNames final : public Names {
 public:
  std::optional<Ref> of(const std::string&) override { return {}; }
  std::vector<std::string> known() const override { return {}; }
};

/// Elementary functions: sin cos tan asin acos atan atan2 sinh cosh tanh exp log (natural) log10
/// log2 sqrt cbrt abs sign floor min max hypot; pi is a number.
const std::vector<std::string>& function_names();

/// @throws ExpressionError for a name that is not known, and a function of other numbers of
///         arguments than it has.
Ref meaning(const Syntax& expression, Graph& graph, Names& names);

/// The operation that a function of that name is; empty of others, such as min and hypot.
std::optional<Operation> function_named(const std::string& name);

/// A text of numbers alone. @throws ExpressionError
double number_of(const std::string& text);

}  // namespace daewave::models
