#pragma once
// Tables of a model, key by key: what is not asked for is an error, and so is what has the wrong
// kind.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/expression/syntax.hpp"
#include "models/file/value.hpp"

namespace daewave::models {

/// An expression of a file: a number, or a text.
struct Written {
  Syntax syntax{};
  std::string text{};
  Place place{};
};

/// @throws ModelError where it is neither, or the text is no expression.
Written written(const TextSource& source, const Value& value);

class TableReader {
 public:
  /// @param what  "body", for messages. @throws ModelError where it is no table.
  TableReader(const TextSource& source, const Value& table, std::string what);

  const TextSource& source() const { return source_; }
  const Place& place() const { return table_.place; }
  const std::string& what() const { return what_; }
  bool has(const std::string& key) const { return table_.find(key) != nullptr; }
  Place place_of(const std::string& key) const;

  /// Null where there is none.
  const Value* value(const std::string& key);
  std::optional<std::string> text(const std::string& key);
  std::string needed_text(const std::string& key);
  std::optional<bool> truth(const std::string& key);
  std::optional<Written> expression(const std::string& key);
  Written needed_expression(const std::string& key);
  /// An array of `count`, or of any number above 0 where that is 0.
  std::optional<std::vector<Written>> expressions(const std::string& key, std::size_t count);
  std::optional<std::vector<std::string>> texts(const std::string& key, std::size_t count);
  /// Tables of an array of them; empty where there is none.
  std::vector<const Value*> tables(const std::string& key);

  [[noreturn]] void fail(const std::string& key, const std::string& rule) const;
  [[noreturn]] void fail(const std::string& rule) const;
  /// Of a key that must be there; tells where another one stands that may be meant for it.
  [[noreturn]] void fail_missing(const std::string& key) const;
  /// @throws ModelError for a key that nobody asked for.
  void finish() const;

 private:
  const Value& array(const std::string& key, const Value& value, std::size_t count) const;

  const TextSource& source_;
  const Value& table_;
  std::string what_;
  std::set<std::string> asked_;
};

}  // namespace daewave::models
