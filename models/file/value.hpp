#pragma once
// What a model file holds, with the place of everything.

#include <string>
#include <utility>
#include <vector>

#include "models/file/text_source.hpp"

namespace daewave::models {

struct Value {
  enum class Kind { text, number, truth, array, table };

  Kind kind = Kind::table;
  Place place{};
  std::string text{};
  double number = 0;
  bool whole = false;  ///< A number without a point.
  bool truth = false;
  std::vector<Value> array{};
  std::vector<std::pair<std::string, Value>> table{};  ///< In the order of the file.

  /// Null where there is none.
  const Value* find(const std::string& key) const;
};

/// "a text", "a number", ...
std::string words_for(const Value& value);

/// The same for equal values, wherever they stand.
std::string canonical_text(const Value& value);

inline constexpr int deepest_value = 20;

/// A text in TOML 1.0. @throws ModelError
Value read_toml(const TextSource& source, const std::string& text);

}  // namespace daewave::models
