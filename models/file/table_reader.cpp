#include "models/file/table_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/nearest_names.hpp"

namespace daewave::models {

Written written(const TextSource& source, const Value& value) {
  Written one;
  one.place = value.place;
  if (value.kind == Value::Kind::number) {
    one.syntax = {Syntax::Kind::number, 0, value.number, {}, {}};
    one.text = fmt::format("{:g}", value.number);
    if (value.number - value.number != 0) source.fail(value.place, "is not finite");
    return one;
  }
  if (value.kind != Value::Kind::text) {
    source.fail(value.place,
                fmt::format("{}: must be a number, or an expression in quotes", words_for(value)));
  }
  one.text = value.text;
  try {
    one.syntax = parse(one.text);
  } catch (const ExpressionError& error) {
    source.fail(value.place, one.text, error.place(), error.what());
  }
  return one;
}

TableReader::TableReader(const TextSource& source, const Value& table, std::string what)
    : source_(source), table_(table), what_(std::move(what)) {
  if (table.kind != Value::Kind::table) {
    source.fail(table.place, fmt::format("{}: must be a table, not {}", what_, words_for(table)));
  }
}

Place TableReader::place_of(const std::string& key) const {
  const Value* const found = table_.find(key);
  return found == nullptr ? table_.place : found->place;
}

const Value* TableReader::value(const std::string& key) {
  asked_.insert(key);
  return table_.find(key);
}

void TableReader::fail(const std::string& key, const std::string& rule) const {
  source_.fail(place_of(key), fmt::format("{}: {} {}", what_, key, rule));
}

void TableReader::fail(const std::string& rule) const {
  source_.fail(table_.place, fmt::format("{}: {}", what_, rule));
}

std::optional<std::string> TableReader::text(const std::string& key) {
  const Value* const found = value(key);
  if (found == nullptr) return {};
  if (found->kind != Value::Kind::text) fail(key, "must be a text, not " + words_for(*found));
  return found->text;
}

std::string TableReader::needed_text(const std::string& key) {
  const std::optional<std::string> found = text(key);
  if (!found) fail_missing(key);
  return *found;
}

std::optional<bool> TableReader::truth(const std::string& key) {
  const Value* const found = value(key);
  if (found == nullptr) return {};
  if (found->kind != Value::Kind::truth)
    fail(key, "must be true or false, not " + words_for(*found));
  return found->truth;
}

std::optional<Written> TableReader::expression(const std::string& key) {
  const Value* const found = value(key);
  if (found == nullptr) return {};
  return written(source_, *found);
}

Written TableReader::needed_expression(const std::string& key) {
  std::optional<Written> found = expression(key);
  if (!found) fail_missing(key);
  return *std::move(found);
}

const Value& TableReader::array(const std::string& key, const Value& value,
                                std::size_t count) const {
  const bool fits = value.kind == Value::Kind::array &&
                    (count == 0 ? !value.array.empty() : value.array.size() == count);
  if (fits) return value;
  if (count == 0 && value.kind == Value::Kind::array) {
    fail(key, "has no entry; write one, or leave it out");
  }
  fail(key, count == 0 ? "must be an array, not " + words_for(value)
                       : fmt::format("must be an array of {}, not {}", count, words_for(value)));
}

std::optional<std::vector<Written>> TableReader::expressions(const std::string& key,
                                                             std::size_t count) {
  const Value* const found = value(key);
  if (found == nullptr) return {};
  std::vector<Written> all;
  for (const Value& one : array(key, *found, count).array) all.push_back(written(source_, one));
  return all;
}

std::optional<std::vector<std::string>> TableReader::texts(const std::string& key,
                                                           std::size_t count) {
  const Value* const found = value(key);
  if (found == nullptr) return {};
  std::vector<std::string> all;
  for (const Value& one : array(key, *found, count).array) {
    if (one.kind != Value::Kind::text) {
      source_.fail(one.place,
                   fmt::format("{}: {}: must be a text, not {}", what_, key, words_for(one)));
    }
    all.push_back(one.text);
  }
  return all;
}

std::vector<const Value*> TableReader::tables(const std::string& key) {
  const Value* const found = value(key);
  if (found == nullptr) return {};
  if (found->kind == Value::Kind::table) {
    fail(key, fmt::format("must be an array of tables: write [[{}]] above each", key));
  }
  if (found->kind != Value::Kind::array) {
    fail(key, "must be an array of tables, not " + words_for(*found));
  }
  std::vector<const Value*> all;
  for (const Value& one : found->array) all.push_back(&one);
  return all;
}

void TableReader::fail_missing(const std::string& key) const {
  for (const auto& [other, value] : table_.table) {
    if (asked_.contains(other) || did_you_mean(other, {key}).empty()) continue;
    source_.fail(value.place,
                 fmt::format("{}: {} is missing; is '{}' meant for it?", what_, key, other));
  }
  fail(fmt::format("{} is missing", key));
}

void TableReader::finish() const {
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const auto& [key, value] : table_.table) {
    if (asked_.contains(key)) continue;
    std::string names = did_you_mean(key, known);
    if (names.empty()) names = fmt::format("; it has {}", fmt::join(known, ", "));
    source_.fail(value.place, fmt::format("{}: unknown key '{}'{}", what_, key, names));
  }
}

}  // namespace daewave::models
