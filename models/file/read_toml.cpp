#include <fmt/format.h>

#include <algorithm>
#include <string>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "models/file/value.hpp"

namespace daewave::models {
namespace {

Place place_of(const toml::node& node) {
  const toml::source_position& begin = node.source().begin;
  return {static_cast<int>(begin.line), static_cast<int>(begin.column)};
}

class Conversion {
 public:
  explicit Conversion(const TextSource& source) : source_(source) {}

  Value of(const toml::node& node, int depth) {
    Value value;
    value.place = place_of(node);
    if (depth > deepest_value) {
      source_.fail(value.place, fmt::format("tables nested deeper than {}", deepest_value));
    }
    if (const auto* text = node.as_string()) {
      value.kind = Value::Kind::text;
      value.text = text->get();
    } else if (const auto* whole = node.as_integer()) {
      value.kind = Value::Kind::number;
      value.number = static_cast<double>(whole->get());
      value.whole = true;
    } else if (const auto* number = node.as_floating_point()) {
      value.kind = Value::Kind::number;
      value.number = number->get();
    } else if (const auto* truth = node.as_boolean()) {
      value.kind = Value::Kind::truth;
      value.truth = truth->get();
    } else if (const auto* array = node.as_array()) {
      value.kind = Value::Kind::array;
      for (const toml::node& one : *array) value.array.push_back(of(one, depth + 1));
    } else if (const auto* table = node.as_table()) {
      for (const auto& [key, one] : *table) {
        value.table.emplace_back(std::string(key.str()), of(one, depth + 1));
      }
      // The library sorts keys; people read from above.
      std::stable_sort(value.table.begin(), value.table.end(), [](auto& a, auto& b) {
        const Place &x = a.second.place, &y = b.second.place;
        return x.line != y.line ? x.line < y.line : x.column < y.column;
      });
    } else {
      source_.fail(value.place, "dates and times have no meaning in a model");
    }
    return value;
  }

 private:
  const TextSource& source_;
};

}  // namespace

Value read_toml(const TextSource& source, const std::string& text) {
  // A null byte, or an end of line alone, is in no model; the parser is not made for them.
  const std::size_t odd = text.find('\0');
  if (odd != std::string::npos) source.fail({}, "a byte of value 0: this is no text");
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) {
      source.fail({}, "a carriage return without a line feed: save it with ends of lines of Unix");
    }
  }
  try {
    return Conversion(source).of(toml::parse(text), 0);
  } catch (const toml::parse_error& error) {
    const toml::source_position& at = error.source().begin;
    source.fail({static_cast<int>(at.line), static_cast<int>(at.column)},
                std::string(error.description()));
  }
}

}  // namespace daewave::models
